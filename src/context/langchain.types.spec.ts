import { describe, expect, it } from '@jest/globals';
import {
  AIMessage,
  type BaseMessageFields,
  type StoredMessage,
  type ToolMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
} from '@langchain/core/messages';
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

/** The SDK's type knows texts only, and asks for fields that JSON does not have: undefined ones. */
function stored(
  type: string,
  data: Omit<BaseMessageFields, 'content'> & { readonly content: unknown },
): StoredMessage {
  const none = { role: undefined, name: undefined, tool_call_id: undefined };
  return { type, data: { ...none, ...data, content: data.content as string } };
}

describe('a LangChain context', () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' };
  const toolUse = (id: string, path: string) => ({
    type: 'tool_use',
    id,
    name: 'read',
    input: { path },
  });
  const source = wholeSession({ provider: 'anthropic', api: 'langchain', model: 'model-1' }, [
    { type: 'provider', block: { additional_kwargs: { note: 1 } } },
    { type: 'provider', block: thinking },
    { type: 'text', text: 'I look.' },
    ...threeCalls(toolUse),
  ]);
  const { messages, repairs } = built(source, {
    format: 'langchain',
    instructions: 'Be brief.',
    now: '2026-06-05',
  });
  const png = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;

  it('is stored messages of the type that LangChain takes', () => {
    const toolCall = (id: string, path: string) =>
      ({ name: 'read', args: { path }, id, type: 'tool_call' }) as const;
    const result = (tool_call_id: string, content: string, status: 'success' | 'error') => ({
      type: 'tool',
      data: { role: undefined, content, tool_call_id, name: 'read', status },
    });
    const human: BaseMessageFields = {
      content: [
        { type: 'text', text: 'Look.' },
        png,
        { type: 'image_url', image_url: { url: 'https://files.example/a.png' } },
        {
          type: 'file',
          source_type: 'base64',
          data: 'JVBERg==',
          mime_type: 'application/pdf',
          metadata: { filename: 'plan.pdf' },
        },
      ],
    };
    const answer: ConstructorParameters<typeof AIMessage>[0] = {
      content: [
        thinking,
        { type: 'text', text: 'I look.' },
        toolUse('call_0', 'a'),
        toolUse('call_1', 'b'),
        toolUse('call_2', 'c'),
      ],
      tool_calls: [toolCall('call_0', 'a'), toolCall('call_1', 'b'), toolCall('call_2', 'c')],
      additional_kwargs: { note: 1 },
    };
    const expected: StoredMessage[] = [
      stored('system', { content: 'Be brief.' }),
      stored('human', { content: FACTS }),
      stored('human', { content: SUMMARY }),
      stored('human', { ...human, content: human.content }),
      stored('ai', answer as { content: unknown }),
      result('call_0', 'seen', 'success'),
      result('call_1', 'no such file', 'error'),
      result('call_2', TIMED_OUT, 'error'),
      stored('human', { content: [png] }),
      stored('human', { content: 'Go on.' }),
      stored('human', { content: DATE }),
    ];
    expect(messages).toEqual(expected);
    expect(repairs).toEqual([]);
  });

  it('becomes chat messages, with calls, results, states and blocks in place', () => {
    const chat = mapStoredMessagesToChatMessages(messages as unknown as StoredMessage[]);
    const answer = chat.find((message) => AIMessage.isInstance(message)) as AIMessage;
    expect(answer.tool_calls?.map(({ id }) => id)).toEqual(['call_0', 'call_1', 'call_2']);
    expect((answer.content as unknown[])[0]).toEqual(thinking);
    const results = chat.filter((message) => message.type === 'tool') as ToolMessage[];
    expect(results.map(({ tool_call_id, status }) => [tool_call_id, status])).toEqual([
      ['call_0', 'success'],
      ['call_1', 'error'],
      ['call_2', 'error'],
    ]);
    const again = mapChatMessagesToStoredMessages(chat);
    expect(again.map(({ data }) => data.content)).toEqual(
      messages.map(({ data }) => (data as StoredMessage['data']).content),
    );
  });

  it('of every generated session becomes chat messages', () => {
    fc.assert(
      fc.property(steps(24), (all) => {
        const { records } = new GeneratedSession(true).play(all).stream;
        const context = built(sourceFromRecords(records, 's1'), { format: 'langchain' });
        const chat = mapStoredMessagesToChatMessages(
          context.messages as unknown as StoredMessage[],
        );
        expect(chat).toHaveLength(context.messages.length);
      }),
      { numRuns: 25 },
    );
  });
});
