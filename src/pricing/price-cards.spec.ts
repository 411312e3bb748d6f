import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bucketNames } from '../domain/usage.js';
import { readCatalogue } from './load-price-cards.js';
import type { Rates } from '../domain/price-card.js';

const { cards } = readCatalogue();
const generator = fileURLToPath(new URL('../../scripts/generate-price-cards.mjs', import.meta.url));

describe('built-in price cards', () => {
  it('are what the generator makes of the price lists', () => {
    expect(() => execFileSync(process.execPath, [generator, '--check'])).not.toThrow();
  });

  it('are many, and each names where it comes from', () => {
    expect(cards.length).toBeGreaterThan(1_450);
    const without = cards.filter(
      ({ sources: [first], status, currency }) =>
        first?.name !== 'pydantic/genai-prices' ||
        first.licence !== 'MIT' ||
        status !== 'catalogue' ||
        currency !== 'USD',
    );
    expect(without).toEqual([]);
  });

  it('the licences of the sources lie beside them', () => {
    for (const name of ['pydantic__genai-prices.txt', 'langfuse__langfuse.txt']) {
      const file = new URL(`./LICENSES/${name}`, import.meta.url);
      expect(existsSync(file) && readFileSync(file, 'utf8')).toContain(
        'Permission is hereby granted',
      );
    }
  });

  it('hold whole pico only, for buckets that exist', () => {
    const names = new Set<string>(bucketNames);
    const all: Rates[] = cards.flatMap((card) => [
      card.rates,
      ...(card.contextTiers ?? []).map(({ rates }) => rates),
      ...(card.windows ?? []).map(({ rates }) => rates),
      ...Object.values(card.serviceTiers ?? {}).map((tier) => ('rates' in tier ? tier.rates : {})),
    ]);
    const odd = all
      .flatMap((rates) => Object.entries(rates))
      .filter(([bucket, rate]) => !names.has(bucket) || !/^\d+$/.test(rate));
    expect(all.length).toBeGreaterThan(1_500);
    expect(odd).toEqual([]);
  });

  it('identify each version once, and versions follow each other without a gap', () => {
    const seen = new Map<string, string>();
    for (const { cardId, version, supersedes, effectiveFrom, effectiveUntil } of cards) {
      const key = `${cardId}@${version}`;
      expect(seen.has(key)).toBe(false);
      seen.set(key, effectiveUntil ?? '');
      if (supersedes === undefined) continue;
      expect(seen.get(`${cardId}@${supersedes}`)).toBe(effectiveFrom);
    }
  });

  it('have the service tiers of the Langfuse list only where the standard rates agree', () => {
    const tiersOf = (cardId: string, version: number) => {
      const card = cards.find((one) => one.cardId === cardId && one.version === version);
      return Object.keys(card?.serviceTiers ?? {}).sort();
    };
    expect(tiersOf('openai/gpt-5.6-luna', 1)).toEqual(['batch']);
    expect(tiersOf('openai/gpt-5.6-luna', 2)).toEqual(['batch', 'fast', 'flex', 'priority']);
    expect(tiersOf('anthropic/claude-opus-4-8', 1)).toEqual(['batch', 'fast']);
  });
});
