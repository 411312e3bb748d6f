import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { built } from '../../test/context/built.js';
import {
  DATE,
  FACTS,
  SUMMARY,
  TIMED_OUT,
  threeCalls,
  wholeSession,
} from '../../test/context/whole-session.js';

describe('an Anthropic context', () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' } as const;
  const source = wholeSession(
    { provider: 'anthropic', api: 'anthropic-messages', model: 'model-1' },
    [{ type: 'provider', block: thinking }, { type: 'text', text: 'I look.' }, ...threeCalls()],
  );
  const png = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'AA==' },
  } as const;
  const use = (id: string, path: string) =>
    ({ type: 'tool_use', id, name: 'read', input: { path } }) as const;

  it('is a request of the type that the Anthropic SDK takes, cache marks too', () => {
    const cache_control = { type: 'ephemeral', ttl: '1h' } as const;
    const expected: Pick<Anthropic.MessageCreateParams, 'system' | 'messages'> = {
      system: [{ type: 'text', text: 'Be brief.', cache_control }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: FACTS }] },
        { role: 'user', content: [{ type: 'text', text: SUMMARY, cache_control }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look.' },
            png,
            { type: 'image', source: { type: 'url', url: 'https://files.example/a.png' } },
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
              title: 'plan.pdf',
              cache_control,
            },
          ],
        },
        {
          role: 'assistant',
          content: [
            thinking,
            { type: 'text', text: 'I look.' },
            use('call_0', 'a'),
            use('call_1', 'b'),
            use('call_2', 'c'),
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'call_0',
              content: [{ type: 'text', text: 'seen' }, png],
            },
            {
              type: 'tool_result',
              tool_use_id: 'call_1',
              content: [{ type: 'text', text: 'no such file' }],
              is_error: true,
            },
            {
              type: 'tool_result',
              tool_use_id: 'call_2',
              content: [{ type: 'text', text: TIMED_OUT }],
              is_error: true,
            },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'Go on.', cache_control }] },
        { role: 'user', content: [{ type: 'text', text: DATE }] },
      ],
    };
    const { system, messages, repairs } = built(source, {
      format: 'anthropic',
      instructions: 'Be brief.',
      now: '2026-06-05',
      cache: { ttl: '1h' },
    });
    expect({ system, messages }).toEqual(expected);
    expect(repairs).toEqual([]);
  });
});
