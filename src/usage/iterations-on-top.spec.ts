import { describe, expect, it } from '@jest/globals';
import { totalTokens } from '../domain/usage.js';
import { extractUsage } from './extract-usage.js';

function bodyWith(iterations: readonly object[]) {
  return {
    id: 'msg_1',
    model: 'claude-sonnet-5',
    usage: { input_tokens: 30, output_tokens: 3, service_tier: 'standard', iterations },
  };
}

const first = { type: 'message', input_tokens: 10, output_tokens: 1 };
const second = { type: 'message', input_tokens: 20, output_tokens: 2 };

describe('iterations on top of a response', () => {
  it('U35 bills compaction and advisor apart, each with its own id, model and purpose', () => {
    const { calls } = extractUsage(
      bodyWith([
        { type: 'compaction', input_tokens: 100, output_tokens: 82 },
        first,
        {
          type: 'advisor_message',
          model: 'claude-opus-4-8',
          input_tokens: 2_518,
          output_tokens: 22,
        },
        second,
      ]),
    );
    expect(
      calls.map(({ callId, model, purpose, usage }) => [
        callId,
        model,
        purpose,
        totalTokens(usage),
      ]),
    ).toEqual([
      ['msg_1', 'claude-sonnet-5', undefined, 33],
      ['msg_1/0', 'claude-sonnet-5', 'compaction', 182],
      ['msg_1/2', 'claude-opus-4-8', 'advisor', 2_540],
    ]);
    expect(calls[1]?.servedTier).toBe('standard');
  });

  it('counts iterations of an unknown type once: inside when the totals include them', () => {
    const inside = extractUsage(bodyWith([{ ...first, type: 'iteration' }, second]));
    expect(inside.calls).toHaveLength(1);
    const onTop = extractUsage(
      bodyWith([first, second, { type: 'reviewer', input_tokens: 7, output_tokens: 1 }]),
    );
    expect(onTop.calls.map(({ purpose }) => purpose)).toEqual([undefined, 'other']);
  });

  it('makes no call of an iteration that reports nothing', () => {
    const empty = { type: 'fallback_message', input_tokens: 0, output_tokens: 0 };
    expect(extractUsage(bodyWith([first, second, empty])).calls).toHaveLength(1);
    const compaction = { ...empty, type: 'compaction' };
    expect(extractUsage(bodyWith([first, second, compaction])).calls).toHaveLength(1);
  });
});
