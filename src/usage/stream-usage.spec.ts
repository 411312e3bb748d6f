import { describe, expect, it } from '@jest/globals';
import { extractStreamUsage } from './stream-usage.js';

const start = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    model: 'claude-sonnet-4-6',
    usage: { input_tokens: 25, cache_read_input_tokens: 100, output_tokens: 1 },
  },
};
const delta = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: { input_tokens: null, output_tokens: 806 },
};

describe('extractStreamUsage', () => {
  it('Anthropic: the last message_delta is final, input comes from message_start', () => {
    const { calls } = extractStreamUsage([start, delta, { type: 'message_stop' }]);
    expect(calls[0]).toMatchObject({ callId: 'msg_1', model: 'claude-sonnet-4-6' });
    expect(calls[0].usage.state).toBe('final');
    expect(calls[0].usage.buckets).toEqual({ inputFresh: 25, cacheRead: 100, outputText: 806 });
  });

  it('U33 a cut stream is partial, with an estimate of what had arrived', () => {
    const { usage } = extractStreamUsage([start], { receivedText: 'four'.repeat(806) }).calls[0];
    expect(usage.state).toBe('partial');
    expect(usage.buckets).toEqual({ inputFresh: 25, cacheRead: 100, outputText: 1 });
    expect(usage.estimatedOutput).toBe(806);
    expect(usage.method).toBe('ascii-quarter');
  });

  it('U33 OpenAI Chat without include_usage: unknown, not 0', () => {
    const chunks = [
      { id: 'c1', model: 'gpt-5', choices: [{ delta: { content: 'hi' } }] },
      { id: 'c1', model: 'gpt-5', choices: [{ finish_reason: 'stop' }] },
    ];
    const { usage } = extractStreamUsage(chunks, { receivedText: 'hi' }).calls[0];
    expect(usage).toMatchObject({ state: 'unknown', buckets: {}, estimatedOutput: 1 });
  });

  it('OpenAI Chat with include_usage: the last chunk', () => {
    const chunks = [
      { id: 'c1', model: 'gpt-5', choices: [{ finish_reason: 'stop' }], usage: null },
      { id: 'c1', model: 'gpt-5', choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
    ];
    const { calls } = extractStreamUsage(chunks);
    expect(calls[0].callId).toBe('c1');
    expect(calls[0].usage).toMatchObject({
      state: 'final',
      buckets: { inputFresh: 5, outputText: 2 },
    });
  });

  it('OpenAI Responses: the completed response', () => {
    const response = { id: 'resp_1', model: 'gpt-5', usage: { input_tokens: 9, output_tokens: 4 } };
    const { calls } = extractStreamUsage([
      { type: 'response.created', response: { id: 'resp_1', usage: null } },
      { type: 'response.completed', response },
    ]);
    expect(calls[0]).toMatchObject({ callId: 'resp_1', usage: { state: 'final' } });
    expect(calls[0].usage.buckets).toEqual({ inputFresh: 9, outputText: 4 });
  });

  it('Gemini: every chunk repeats the counts, the last one counts', () => {
    const chunk = (candidatesTokenCount: number, candidate: object) => ({
      candidates: [candidate],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount },
    });
    const whole = extractStreamUsage([chunk(3, {}), chunk(8, { finishReason: 'STOP' })]);
    expect(whole.calls[0].usage).toMatchObject({ state: 'final', buckets: { outputText: 8 } });
    expect(extractStreamUsage([chunk(3, {})]).calls[0].usage.state).toBe('partial');
  });

  it('Bedrock: the metadata event', () => {
    const { usage } = extractStreamUsage([
      { messageStop: { stopReason: 'end_turn' } },
      { metadata: { usage: { inputTokens: 4, outputTokens: 2 } } },
    ]).calls[0];
    expect(usage).toMatchObject({ state: 'final', buckets: { inputFresh: 4, outputText: 2 } });
  });

  it('no event at all: unknown', () => {
    expect(extractStreamUsage([]).calls[0].usage.state).toBe('unknown');
  });
});
