import { describe, expect, it } from '@jest/globals';
import { contextOf } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { tokensOf } from './token-estimate.js';

const USAGE = {
  state: 'final',
  counts: {},
  splits: { cacheLife: 'known', reasoning: 'known' },
  flags: [],
  source: 'provider',
} as const;

/** A session whose last model call used 1,000 tokens of input, 200 of them from the cache. */
function counted(): StreamBuilder {
  const stream = new StreamBuilder().started().input('u1', 'q'.repeat(4_000));
  stream.modelCall('m1').part('m1', 0, { text: 'a'.repeat(80), calls: ['c'] });
  return settled(stream, 'm1');
}

function settled(stream: StreamBuilder, message: string): StreamBuilder {
  return stream.add('ModelCallSettled', {
    modelCallId: `mc-${message}`,
    outcome: 'completed',
    providerReached: 'yes',
    purpose: 'turn',
    callKey: 'k',
    requestedModel: 'model-1',
    responseModel: 'model-1-2026',
    endedAt: '2026-05-08T00:00:00Z',
    usage: { ...USAGE, buckets: { inputFresh: 800, cacheRead: 200, outputText: 60 } },
  });
}

function estimate(stream: StreamBuilder, request = {}): number {
  return contextOf(stream, request).estimatedTokens;
}

describe('tokens of a text', () => {
  it.each([
    ['', 0],
    ['abcd', 1],
    ['漢字', 2],
    ['🙂', 1],
    ['ab漢', 1.5],
  ])('%s', (text, tokens) => {
    expect(tokensOf(text)).toBe(tokens);
  });
});

describe('the estimate of a context', () => {
  it('adds what is new to what the provider has counted', () => {
    const stream = counted().done('c', 'r'.repeat(400));
    // 1000 input + 60 output + 1.3 × 100 for the result + 50 for its block + 100
    expect(estimate(stream)).toBe(1_340);
  });

  it('counts later inputs, the date among them', () => {
    const stream = counted().done('c', 'r'.repeat(400)).accepted('u2', 'w'.repeat(40));
    const date = 'Current date: 2026';
    const added = 1.3 * (10 + date.length / 4) + 2 * 50;
    expect(estimate(stream, { now: '2026' })).toBe(Math.ceil(1_340 + added));
  });

  it('takes the written text where the provider reported less output than that', () => {
    const stream = new StreamBuilder().started().input('u1', 'q');
    stream.answer('m1', { text: 'a'.repeat(4_000) });
    expect(estimate(stream)).toBe(10 + 1_000 + 100);
  });

  it.each([['model-1'], ['model-1-2026']])('holds for the model by either name: %s', (model) => {
    expect(estimate(counted().done('c', 'r'.repeat(400)), { model })).toBe(1_340);
  });

  it('starts from zero for another model', () => {
    const stream = counted().done('c', 'r'.repeat(400));
    const tokens = estimate(stream, { model: 'model-2', instructions: 'i'.repeat(400) });
    expect(tokens).toBeGreaterThan(1_000 + 100 + 100 + 20);
    expect(tokens).toBeLessThan(1_500);
  });

  it('starts from zero after a compaction', () => {
    const stream = counted().done('c').answer('m2', { text: 'done' }).completed();
    stream.input('u2', 'next');
    const at = (revision: number) => ({ sessionId: 's1', revision });
    const covered = { coveredFrom: at(0), coveredTo: at(stream.revision - 1) };
    stream.compacted('k', { ...covered, keptFrom: at(stream.revision), openCalls: [] }, 's');
    expect(estimate(stream)).toBeLessThan(200);
  });

  it('starts from zero when a revert has hidden the counted call', () => {
    const stream = counted();
    stream.reverted(3);
    expect(estimate(stream)).toBe(1_000 + 20 + 100);
  });

  it('counts tools, and what Anthropic adds for them', () => {
    const tools = [{ name: 'shell', description: 'd'.repeat(400), input_schema: {} }];
    const stream = new StreamBuilder().started().input('u1', 'q');
    const without = estimate(stream, { format: 'anthropic' });
    expect(estimate(stream, { format: 'anthropic', tools }) - without).toBeGreaterThan(1_629 + 100);
  });

  describe('when a provider has counted more than was estimated', () => {
    /** Two calls for one model, each estimated at 700 tokens and counted as 1,000. */
    const twiceShort = (): StreamBuilder => {
      const stream = new StreamBuilder().started();
      for (const turn of ['1', '2']) {
        stream.input(`u${turn}`, 'q').modelCall(`m${turn}`, { estimatedTokens: 700 });
        settled(stream, `m${turn}`);
      }
      return stream;
    };

    it('adds what the estimates for that model were short by', () => {
      const plain = settled(new StreamBuilder().started().input('u', 'q').modelCall('m2'), 'm2');
      const short = (model: string) =>
        estimate(twiceShort(), { model }) - estimate(plain, { model });
      expect(short('model-1')).toBe(600);
      expect(short('another')).toBeLessThan(100);
    });

    it('adds nothing for what was estimated high enough', () => {
      const stream = new StreamBuilder().started().input('u', 'q');
      settled(stream.modelCall('m', { estimatedTokens: 1_000 }), 'm');
      const plain = settled(new StreamBuilder().started().input('u', 'q').modelCall('m'), 'm');
      expect(estimate(stream, { model: 'model-1' })).toBe(estimate(plain, { model: 'model-1' }));
    });
  });

  it('can be counted by somebody who knows the tokenizer', () => {
    const stream = new StreamBuilder().started().input('u1', 'one two three');
    expect(estimate(stream)).toBe(Math.ceil(13 / 4 + 20 + 100));
  });
});
