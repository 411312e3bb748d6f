import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { outputTokens, totalTokens } from '../domain/usage.js';
import { extractUsage } from './extract-usage.js';

describe('extractUsage', () => {
  it('says what Cohere bills beside what was used', () => {
    const { usage } = extractUsage({
      usage: {
        tokens: { input_tokens: 2_935, output_tokens: 4 },
        billed_units: { input_tokens: 7, output_tokens: 3 },
      },
    }).calls[0];
    expect(usage.billed).toEqual({ inputFresh: 7, outputText: 3 });
  });

  it('finds the usage of a LangChain message, stored or serialised', () => {
    const usage_metadata = {
      input_tokens: 10,
      output_tokens: 4,
      input_token_details: { cache_read: 3 },
    };
    const bodies = [
      { type: 'ai', data: { content: 'hi', usage_metadata } },
      { lc: 1, type: 'constructor', kwargs: { content: 'hi', usage_metadata } },
    ];
    for (const body of bodies) {
      const { shape, calls } = extractUsage(body);
      expect(shape).toBe('langchain');
      expect(calls[0].usage.buckets).toMatchObject({ inputFresh: 7, cacheRead: 3 });
    }
  });

  it('names response, model, tier, speed and region where the body has them', () => {
    const { calls } = extractUsage({
      id: 'msg_1',
      model: 'claude-opus-4-8',
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        service_tier: 'standard',
        speed: 'fast',
        inference_geo: 'us',
      },
    });
    expect(calls[0]).toMatchObject({
      callId: 'msg_1',
      model: 'claude-opus-4-8',
      servedTier: 'standard',
      speed: 'fast',
      region: 'us',
    });
  });

  it('takes a request for an API over what the fields look like', () => {
    const body = { usage: { input_tokens: 3, cache_read_input_tokens: 1_111, output_tokens: 33 } };
    const asResponses = extractUsage(body, { provider: 'openai', api: 'responses' });
    expect(asResponses.shape).toBe('openai-responses');
    expect(asResponses.calls[0].usage.buckets).toEqual({ inputFresh: 3, outputText: 33 });
  });

  it.each([
    ['Gemini CLI', { tokens: { input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0 } }],
    ['OpenCode', { tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } } }],
    ['pi', { usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
    ['Anthropic', { usage: { input_tokens: 0, output_tokens: 0 } }],
  ])('U37 treats all-zero tokens of %s as unknown', (_name, body) => {
    const { usage } = extractUsage(body).calls[0];
    expect(usage.state).toBe('unknown');
    expect(usage.splits).toEqual({ cacheLife: 'unknown', reasoning: 'unknown' });
  });

  it.each([[undefined], [null], ['text'], [42], [[]], [{}], [{ choices: [] }]])(
    'U33 %j has no usage: one call, unknown, never 0',
    (body) => {
      const { calls, shape } = extractUsage(body);
      expect(shape).toBeUndefined();
      expect(calls).toHaveLength(1);
      expect(calls[0].usage.state).toBe('unknown');
    },
  );

  it('says when there is a usage object that it cannot read', () => {
    const { usage } = extractUsage({ usage: { units: 12 } }).calls[0];
    expect(usage).toMatchObject({ state: 'unknown', flags: ['shapeUnknown'] });
  });

  it('U21 clamps a negative count and parts above a total; total and raw stay', () => {
    const negative = extractUsage({
      usage: { input_tokens: -120, cache_read_input_tokens: 500, output_tokens: 7 },
    }).calls[0].usage;
    expect(negative.buckets).toEqual({ cacheRead: 500, outputText: 7 });
    expect(negative.flags).toEqual(['inconsistent']);
    expect(negative.raw).toContain('"input_tokens":-120');

    const tooMany = extractUsage({
      usage: {
        prompt_tokens: 10,
        prompt_tokens_details: { cached_tokens: 15 },
        completion_tokens: 4,
        completion_tokens_details: { reasoning_tokens: 9 },
        total_tokens: 14,
      },
    }).calls[0].usage;
    expect(tooMany.buckets).toEqual({ cacheRead: 10, outputReasoning: 4 });
    expect(tooMany.flags).toEqual(['inconsistent']);
  });

  it.each([
    ['input', { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 15 } }],
    ['output', { completion_tokens: 1, completion_tokens_details: { reasoning_tokens: 9 } }],
  ])('U21 flags parts above the total of the %s alone', (_side, usage) => {
    expect(extractUsage({ usage }).calls[0].usage.flags).toEqual(['inconsistent']);
  });

  it('keeps the raw usage byte for byte, and at most 16 KiB of it', () => {
    const rawText = '{"id":"x", "usage": {"prompt_tokens":  1.0, "completion_tokens":2}}';
    const { usage } = extractUsage(JSON.parse(rawText), { rawText }).calls[0];
    expect(usage.raw).toBe('{"prompt_tokens":  1.0, "completion_tokens":2}');

    const long = { usage: { prompt_tokens: 1, completion_tokens: 1, note: 'é'.repeat(20_000) } };
    const cut = extractUsage(long).calls[0].usage;
    expect(cut.flags).toEqual(['rawTruncated']);
    expect(Buffer.byteLength(cut.raw ?? '')).toBeLessThanOrEqual(16 * 1024);
  });

  it('reads the price that OpenRouter names to the last digit; an own key adds its part', () => {
    const rawText =
      '{"usage":{"prompt_tokens":10,"completion_tokens":5,"cost":0.00000000000149999999999999999}}';
    const exact = extractUsage(JSON.parse(rawText), { rawText }).calls[0].statedCost;
    expect(exact).toMatchObject({ amountPico: '1', source: 'provider', flags: ['rounded'] });

    const ownKey = extractUsage({
      usage: {
        prompt_tokens: 326,
        completion_tokens: 91,
        cost: 0.00001,
        is_byok: true,
        cost_details: { upstream_inference_cost: 0.0003253 },
      },
    }).calls[0].statedCost;
    expect(ownKey?.amountPico).toBe('335300000');
  });

  it('takes the cost in a pi log as reported, not as billed', () => {
    const usage = {
      input: 5,
      output: 98,
      cacheRead: 0,
      cacheWrite: 0,
      cost: { total: 0.03406575 },
    };
    const cost = extractUsage({ usage }).calls[0].statedCost;
    expect(cost).toMatchObject({ amountPico: '34065750000', source: 'reported' });
  });

  it('marks counts from before the end as partial', () => {
    const body = { usage: { input_tokens: 10, output_tokens: 1 } };
    expect(extractUsage(body, { state: 'partial' }).calls[0].usage.state).toBe('partial');
  });

  it('never throws, gives whole tokens of at least 0, and one call or more, for any JSON', () => {
    const keys = fc.constantFrom(
      'usage',
      'usageMetadata',
      'tokens',
      'input',
      'output',
      'cache',
      'iterations',
      'type',
      'input_tokens',
      'output_tokens',
      'prompt_tokens',
      'completion_tokens',
      'total_tokens',
      'cache_creation',
      'cache_creation_input_tokens',
      'cost',
      'model',
      'id',
      'inputTokens',
      'promptTokenCount',
      'promptTokensDetails',
      'modality',
      'tokenCount',
      '__proto__',
    );
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.integer(),
        fc.double(),
        fc.constantFrom('message', 'compaction', 'TEXT', 'AUDIO', '12'),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 8 }),
      ),
    })).value;
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 'xai', 'perplexity', 'x'), (body, provider) => {
        const { calls } = extractUsage(body, provider === undefined ? {} : { provider });
        for (const { usage } of calls) {
          for (const tokens of Object.values(usage.buckets)) {
            expect(Number.isSafeInteger(tokens) && tokens > 0).toBe(true);
          }
          expect(Number.isSafeInteger(totalTokens(usage))).toBe(true);
          expect(usage.state === 'unknown').toBe(
            totalTokens(usage) === 0 && Object.keys(usage.counts).length === 0,
          );
        }
        expect(JSON.parse(JSON.stringify(calls))).toEqual(calls);
      }),
      { numRuns: 500 },
    );
  });

  it('survives a report that is nested deeper than it can be written', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
    const { usage } = extractUsage({ usage: { input_tokens: 1, output_tokens: 2, nested } })
      .calls[0];
    expect(outputTokens(usage)).toBe(2);
    expect(usage.raw).toBeUndefined();
  });
});
