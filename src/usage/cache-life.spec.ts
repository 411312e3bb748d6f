import { describe, expect, it } from '@jest/globals';
import { loadPriceCards } from '../pricing/load-price-cards.js';
import { priceCall } from '../pricing/price-call.js';
import { extractUsage } from './extract-usage.js';

/** Line 2 of fixture-cache-iteration-match.jsonl (MaxGhenis/logpile, MIT). */
const message = {
  id: 'cache-message',
  model: 'claude-fable-5',
  role: 'assistant',
  usage: {
    input_tokens: 2,
    cache_creation_input_tokens: 600,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 800 },
    cache_read_input_tokens: 30,
    output_tokens: 10,
    iterations: [
      {
        input_tokens: 1,
        cache_creation_input_tokens: 800,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 800 },
        cache_read_input_tokens: 20,
        output_tokens: 5,
      },
      {
        input_tokens: 2,
        cache_creation_input_tokens: 600,
        cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 500 },
        cache_read_input_tokens: 30,
        output_tokens: 10,
      },
    ],
  },
};

function usageWith(usage: object) {
  return extractUsage({ ...message, usage: { ...message.usage, ...usage } }).calls[0].usage;
}

describe('life of Anthropic cache writes', () => {
  it('U36 takes the split of the last iteration that agrees when the top level does not', () => {
    const { calls } = extractUsage(message);
    expect(calls).toHaveLength(1);
    expect(calls[0].usage.buckets).toEqual({
      inputFresh: 2,
      cacheRead: 30,
      cacheWrite5m: 100,
      cacheWrite1h: 500,
      outputText: 10,
    });
    expect(calls[0].usage.splits.cacheLife).toBe('known');
  });

  it('U36 of several iterations that agree the last one counts', () => {
    const [, agreeing] = message.usage.iterations;
    const earlier = {
      ...agreeing,
      cache_creation: { ephemeral_5m_input_tokens: 600, ephemeral_1h_input_tokens: 0 },
    };
    const usage = usageWith({ iterations: [earlier, agreeing] });
    expect(usage.buckets).toMatchObject({ cacheWrite5m: 100, cacheWrite1h: 500 });
  });

  it('U36 that call costs $0.0118 (ccusage 20: 0.01655)', () => {
    const cost = priceCall(
      {
        usage: extractUsage(message).calls[0].usage,
        provider: 'anthropic',
        responseModel: 'claude-fable-5',
        startedAt: '2026-07-02T10:00:05.000Z',
      },
      loadPriceCards(),
    );
    expect(cost.amountPico).toBe('11800000000');
  });

  it('U36 without an iteration that agrees, a split above the total says nothing', () => {
    const usage = usageWith({ iterations: message.usage.iterations.slice(0, 1) });
    expect(usage.buckets).toMatchObject({ cacheWriteUnknown: 600 });
    expect(usage.buckets.cacheWrite5m ?? 0).toBe(0);
    expect(usage.buckets.cacheWrite1h ?? 0).toBe(0);
    expect(usage.flags).toContain('inconsistent');
    expect(usage.splits.cacheLife).toBe('unknown');
  });

  it('U36 a split below the total leaves a rest of unknown life', () => {
    const usage = usageWith({
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 50 },
      iterations: [],
    });
    expect(usage.buckets).toMatchObject({
      cacheWrite5m: 100,
      cacheWrite1h: 50,
      cacheWriteUnknown: 450,
    });
    expect(usage.flags).toEqual([]);
  });

  it('U36 no split at all: all of it is of unknown life', () => {
    const usage = usageWith({ cache_creation: undefined, iterations: undefined });
    expect(usage.buckets).toMatchObject({ cacheWriteUnknown: 600 });
  });
});
