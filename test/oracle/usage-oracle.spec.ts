import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { totalTokens } from '../../src/domain/usage.js';
import { extractUsage } from '../../src/usage/extract-usage.js';
import {
  differencesOf,
  inOracleTerms,
  readOracle,
  type Difference,
  type OracleEntry,
} from './compare-oracle.js';

interface ListedDifferences {
  readonly reasons: Readonly<Record<string, { readonly why: string; readonly source: string }>>;
  readonly cases: readonly (Difference & { readonly reason: string })[];
}

const oracle = readOracle();
const listed = JSON.parse(
  readFileSync(new URL('./differences.json', import.meta.url), 'utf8'),
) as ListedDifferences;

/** Whose extractor reads what this shape reads. */
const nativeExtractor: Readonly<Record<string, string>> = {
  'anthropic-messages': 'anthropic/default',
  'bedrock-converse': 'aws/default',
  gemini: 'google/default',
  cohere: 'cohere/tokens',
  'openai-chat': 'openai/chat',
  openrouter: 'openrouter/chat',
  'openai-responses': 'openai/responses',
};

function nativeExpectation(entry: OracleEntry, shape: string) {
  return entry.extracted.find(({ extractors }) =>
    extractors.some(
      ({ provider_id: provider, api_flavor: flavor }) =>
        `${provider}/${flavor}` === nativeExtractor[shape],
    ),
  )?.usage;
}

describe('usage oracle', () => {
  it('holds the whole list', () => {
    const expectations = oracle.flatMap(({ extracted }) => extracted);
    const priced = expectations
      .flatMap(({ extractors }) => extractors)
      .filter(({ input_price: input, output_price: output }) => input ?? output);
    expect([oracle.length, expectations.length, priced.length]).toEqual([946, 1_279, 1_779]);
  });

  it('every usage and every price is exact, or its difference is listed with a reason', () => {
    const found = oracle.flatMap(differencesOf);
    const known = listed.cases.map(({ reason: _reason, ...difference }) => difference);
    expect(found).toEqual(known);
  });

  it('every listed difference has a reason with a source', () => {
    for (const { reason } of listed.cases) {
      expect(listed.reasons[reason]?.why.length).toBeGreaterThan(40);
      expect(listed.reasons[reason]?.source.length).toBeGreaterThan(20);
    }
  });

  it('reads every body rightly without being told who sent it', () => {
    const wrong: unknown[] = [];
    oracle.forEach((entry, index) => {
      const { shape = 'none', calls } = extractUsage(entry.body);
      const expected = nativeExpectation(entry, shape);
      const ours = inOracleTerms(calls[0].usage);
      const figures = Object.entries(expected ?? { shape: 0 });
      const same = figures.every(([name, value]) => !(name in ours) || ours[name] === value);
      const totals = [ours['input_tokens'], ours['output_tokens']];
      const told = [expected?.['input_tokens'] ?? 0, expected?.['output_tokens'] ?? 0];
      if (!expected || !same || totals.join() !== told.join()) wrong.push({ index, shape });
    });
    expect(wrong).toEqual([]);
  });

  it('U20 the buckets of every body add up to the total that the provider wrote', () => {
    const wrong: unknown[] = [];
    let compared = 0;
    oracle.forEach(({ body }, index) => {
      const usage = (body['usage'] ?? body['usageMetadata']) as Record<string, unknown>;
      const total = usage['total_tokens'] ?? usage['totalTokens'] ?? usage['totalTokenCount'];
      if (typeof total !== 'number') return;
      compared += 1;
      const ours = totalTokens(extractUsage(body).calls[0].usage);
      if (ours !== total) wrong.push({ index, total, ours });
    });
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(600);
  });

  it.each([
    [204, ['advisor'], ['claude-opus-4-8'], 2_518 + 22],
    [211, ['compaction'], ['claude-sonnet-4-6'], 100 + 55_096 + 82],
  ])('U35 body %i is billed for its inner requests too', (index, purposes, models, tokens) => {
    const entry = oracle[index];
    const { calls } = extractUsage({ ...entry?.body, id: 'msg_1' });
    const [top, ...onTop] = calls;
    expect(inOracleTerms(top.usage)).toMatchObject(entry?.extracted[0]?.usage ?? { none: 1 });
    expect(onTop.map(({ purpose }) => purpose)).toEqual(purposes);
    expect(onTop.map(({ model }) => model)).toEqual(models);
    expect(onTop.map(({ usage }) => totalTokens(usage))).toEqual([tokens]);
  });

  it('U35 all five such bodies give further calls, and no other body does', () => {
    const withInner = oracle.flatMap(({ body }, index) =>
      extractUsage(body).calls.length > 1 ? [index] : [],
    );
    expect(withInner).toEqual([204, 211, 243, 245, 250]);
  });
});
