import { describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { built } from '../../test/context/built.js';
import {
  DATE,
  FACTS,
  SUMMARY,
  TIMED_OUT,
  threeCalls,
  wholeSession,
} from '../../test/context/whole-session.js';

const PNG_URL = 'data:image/png;base64,AA==';
const now = '2026-06-05';
const instructions = 'Be brief.';
const args = (path: string): string => JSON.stringify({ path });

describe('Chat Completions', () => {
  const answerer = { provider: 'deepseek', api: 'openai-chat', model: 'model-1' };
  const source = wholeSession(answerer, [{ type: 'text', text: 'I look.' }, ...threeCalls()]);

  it('are messages of the type that the OpenAI SDK takes', () => {
    const call = (id: string, path: string) =>
      ({ id, type: 'function', function: { name: 'read', arguments: args(path) } }) as const;
    const expected: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: instructions },
      { role: 'user', content: FACTS },
      { role: 'user', content: SUMMARY },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: PNG_URL } },
          { type: 'image_url', image_url: { url: 'https://files.example/a.png' } },
          {
            type: 'file',
            file: { filename: 'plan.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
          },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [call('call_0', 'a'), call('call_1', 'b'), call('call_2', 'c')],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'seen' },
      { role: 'tool', tool_call_id: 'call_1', content: 'no such file' },
      { role: 'tool', tool_call_id: 'call_2', content: TIMED_OUT },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: PNG_URL } }] },
      { role: 'user', content: 'Go on.' },
      { role: 'user', content: DATE },
    ];
    const context = built(source, { format: 'openai-chat', instructions, now });
    expect(context.messages).toEqual(expected);
    expect(context.repairs).toEqual([]);
  });
});

describe('Responses', () => {
  const answerer = { provider: 'openai', api: 'openai-responses', model: 'model-1' };
  const source = wholeSession(answerer, [
    {
      type: 'provider',
      block: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' },
    },
    { type: 'provider', block: { type: 'message', phase: 'commentary' } },
    { type: 'text', text: 'I look.' },
    ...threeCalls(),
  ]);

  it('are items of the type that the OpenAI SDK takes, but for the ids of reasoning', () => {
    /** The SDK asks for the id that a server without memory (`store: false`) cannot know. */
    type StatelessItem =
      OpenAI.Responses.ResponseInputItem | Omit<OpenAI.Responses.ResponseReasoningItem, 'id'>;
    const call = (call_id: string, path: string) =>
      ({ type: 'function_call', call_id, name: 'read', arguments: args(path) }) as const;
    const said = (text: string) =>
      ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }) as const;
    const image = { type: 'input_image', detail: 'auto' } as const;
    const expected: StatelessItem[] = [
      { ...said(FACTS), content: [...said(FACTS).content] },
      { ...said(SUMMARY), content: [...said(SUMMARY).content] },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { ...image, image_url: PNG_URL },
          { ...image, image_url: 'https://files.example/a.png' },
          {
            type: 'input_file',
            filename: 'plan.pdf',
            file_data: 'data:application/pdf;base64,JVBERg==',
          },
        ],
      },
      { type: 'reasoning', summary: [], encrypted_content: 'sealed' },
      { type: 'message', role: 'assistant', phase: 'commentary', content: 'I look.' },
      call('call_0', 'a'),
      call('call_1', 'b'),
      call('call_2', 'c'),
      {
        type: 'function_call_output',
        call_id: 'call_0',
        output: [
          { type: 'input_text', text: 'seen' },
          { ...image, image_url: PNG_URL },
        ],
      },
      { type: 'function_call_output', call_id: 'call_1', output: 'no such file' },
      { type: 'function_call_output', call_id: 'call_2', output: TIMED_OUT },
      { ...said('Go on.'), content: [...said('Go on.').content] },
      { ...said(DATE), content: [...said(DATE).content] },
    ];
    const context = built(source, { format: 'openai-responses', instructions, now });
    expect(context.messages).toEqual(expected);
    expect(context.repairs).toEqual([]);
    const request: Partial<OpenAI.Responses.ResponseCreateParams> = { instructions, store: false };
    expect(context.system).toBe(request.instructions);
  });
});
