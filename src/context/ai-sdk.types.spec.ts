import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { describe, expect, it } from '@jest/globals';
import { type ModelMessage, generateText, modelMessageSchema } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import fc from 'fast-check';
import { built } from '../../test/context/built.js';
import { GeneratedSession, steps } from '../../test/context/generated-stream.js';
import {
  DATE,
  FACTS,
  SUMMARY,
  TIMED_OUT,
  threeCalls,
  wholeSession,
} from '../../test/context/whole-session.js';
import { sourceFromRecords } from './source-from-records.js';

const source = wholeSession({ provider: 'anthropic', api: 'ai-sdk', model: 'model-1' }, [
  {
    type: 'provider',
    block: { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'sig' } } },
  },
  { type: 'provider', block: { type: 'text', providerOptions: { openai: { itemId: 'msg_1' } } } },
  { type: 'text', text: 'I look.' },
  ...threeCalls(),
]);
const request = { format: 'ai-sdk', instructions: 'Be brief.', now: '2026-06-05' } as const;

/** What the SDK hands to a model after its own checks and conversions. */
async function promptOf(
  messages: ModelMessage[],
  system: string | undefined,
): Promise<LanguageModelV3Prompt> {
  const counted = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  const model = new MockLanguageModelV3({
    supportedUrls: { '*/*': [/.*/] },
    doGenerate: {
      content: [{ type: 'text', text: 'ok' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: counted, outputTokens: { total: 1, text: 1, reasoning: 0 } },
      warnings: [],
    },
  });
  await generateText({ model, messages, system });
  return model.doGenerateCalls[0]!.prompt;
}

describe('an AI SDK context', () => {
  const read = (toolCallId: string) => ({ toolCallId, toolName: 'read' });

  it('is messages of the type that the SDK takes', () => {
    const file = { type: 'file', mediaType: 'image/png' } as const;
    const said = (text: string): ModelMessage => ({
      role: 'user',
      content: [{ type: 'text', text }],
    });
    const expected: ModelMessage[] = [
      said(FACTS),
      said(SUMMARY),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { ...file, data: 'AA==' },
          { ...file, data: 'https://files.example/a.png' },
          { type: 'file', data: 'JVBERg==', mediaType: 'application/pdf', filename: 'plan.pdf' },
        ],
      },
      {
        role: 'assistant',
        content: [
          {
            type: 'reasoning',
            text: 'hm',
            providerOptions: { anthropic: { signature: 'sig' } },
          },
          { type: 'text', text: 'I look.', providerOptions: { openai: { itemId: 'msg_1' } } },
          { type: 'tool-call', ...read('call_0'), input: { path: 'a' } },
          { type: 'tool-call', ...read('call_1'), input: { path: 'b' } },
          { type: 'tool-call', ...read('call_2'), input: { path: 'c' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            ...read('call_0'),
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'seen' },
                { type: 'image-data', data: 'AA==', mediaType: 'image/png' },
              ],
            },
          },
          {
            type: 'tool-result',
            ...read('call_1'),
            output: { type: 'error-text', value: 'no such file' },
          },
          {
            type: 'tool-result',
            ...read('call_2'),
            output: { type: 'error-text', value: TIMED_OUT },
          },
        ],
      },
      said('Go on.'),
      said(DATE),
    ];
    const context = built(source, request);
    expect(context.messages).toEqual(expected);
    expect(context.system).toBe('Be brief.');
    expect(context.repairs).toEqual([]);
  });

  it('passes the checks of the SDK, and reaches the model whole', async () => {
    const { messages, system } = built(source, request);
    for (const message of messages) modelMessageSchema.parse(message);
    const prompt = await promptOf(messages as unknown as ModelMessage[], system as string);
    expect(prompt[0]).toEqual({ role: 'system', content: 'Be brief.' });
    const text = JSON.stringify(prompt);
    for (const part of [FACTS, 'sig', 'no such file', TIMED_OUT, 'plan.pdf', 'msg_1', DATE]) {
      expect(text).toContain(JSON.stringify(part).slice(1, -1));
    }
  });

  it('of every generated session passes them', async () => {
    await fc.assert(
      fc.asyncProperty(steps(24), async (all) => {
        const { records } = new GeneratedSession(true).play(all).stream;
        const { messages } = built(sourceFromRecords(records, 's1'), { format: 'ai-sdk' });
        const prompt = await promptOf(messages as unknown as ModelMessage[], undefined);
        expect(prompt.length).toBeGreaterThan(0);
      }),
      { numRuns: 25 },
    );
  });
});
