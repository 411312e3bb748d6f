#!/usr/bin/env node
/**
 * Writes src/pricing/price-cards.json from the price lists in scripts/prices. Run it after a list
 * has changed, and review the difference. `--check` writes nothing and fails if the file differs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { modelNames } from './prices/model-names.mjs';
import { readPriceSet } from './prices/rates.mjs';
import { serviceTiersOf } from './prices/service-tiers.mjs';

const target = new URL('../src/pricing/price-cards.json', import.meta.url);

function readJson(name) {
  return JSON.parse(readFileSync(new URL(`./prices/${name}`, import.meta.url), 'utf8'));
}

const genai = readJson('genai-prices-v2.json');
const langfuse = readJson('langfuse-default-model-prices.json');
const published = readJson('published-model-ids.json');
const supplements = readJson('supplements.json');
const { providers } = readJson('providers.json');

function readSources() {
  const text = readFileSync(new URL('./prices/SOURCES.tsv', import.meta.url), 'utf8');
  const [header, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const named = rows.map((row) => Object.fromEntries(header.map((key, at) => [key, row[at]])));
  const byRepository = (part) => {
    const row = named.find(({ repo }) => repo.includes(part));
    return {
      name: row.repo,
      url: `https://github.com/${row.repo}/blob/${row.commit}/${row.path.split(' ')[0]}`,
      commit: row.commit,
      readOn: row.date,
      licence: row.licence,
      enteredBy: 'scripts/generate-price-cards.mjs',
    };
  };
  return {
    genaiPrices: byRepository('genai-prices'),
    langfuse: byRepository('langfuse'),
    supplements: {
      name: 'scripts/prices/supplements.json',
      readOn: supplements.readOn,
      enteredBy: 'scripts/generate-price-cards.mjs',
    },
  };
}

function appliesTo(rule, sourceProvider, model) {
  if (rule.provider !== sourceProvider.id) return false;
  return rule.models === undefined || rule.models.includes(model.id);
}

function isFree(sourceProvider, model) {
  const listed = supplements.freeModels.models[sourceProvider.id] ?? [];
  return model.id.endsWith(':free') || listed.includes(model.id);
}

/** Dated sets become one card each; a time-of-day set becomes a window of the set before it. */
function priceSets(model) {
  const entries = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }];
  const sets = [];
  for (const { constraint = {}, prices } of entries) {
    if (constraint.start_time) {
      const utc = (time) => time.replace(/^(\d\d:\d\d):00Z$/, '$1');
      sets.at(-1).windows.push({
        from: utc(constraint.start_time),
        until: utc(constraint.end_time),
        prices,
      });
      continue;
    }
    const from = constraint.start_date ? `${constraint.start_date}T00:00:00.000Z` : undefined;
    if (from && sets.length > 0) sets.at(-1).until = from;
    sets.push({ from, prices, windows: [] });
  }
  return sets;
}

function withSupplements(card, sourceProvider, model) {
  const tiers = {
    ...serviceTiersOf(
      card,
      sourceProvider.id === 'openai' || sourceProvider.id === 'anthropic' ? langfuse : [],
    ),
  };
  const fromLangfuse = Object.keys(tiers).length > 0;
  let supplemented = false;
  const uplift = [];
  const fees = { ...card.fees };
  for (const rule of supplements.serviceTiers) {
    if (!appliesTo(rule, sourceProvider, model)) continue;
    tiers[rule.tier] = { factor: rule.factor };
    supplemented = true;
  }
  for (const rule of supplements.uplift) {
    if (!appliesTo(rule, sourceProvider, model)) continue;
    const { regions, exceptRegions, factor } = rule;
    uplift.push({ ...(regions ? { regions } : { exceptRegions }), factor });
    supplemented = true;
  }
  for (const rule of supplements.fees) {
    if (!appliesTo(rule, sourceProvider, model)) continue;
    fees[rule.count] = rule.picoPerUnit;
    supplemented = true;
  }
  return {
    ...card,
    ...(Object.keys(fees).length > 0 ? { fees } : {}),
    ...(Object.keys(tiers).length > 0 ? { serviceTiers: tiers } : {}),
    ...(uplift.length > 0 ? { uplift } : {}),
    sources: [
      'genaiPrices',
      ...(fromLangfuse ? ['langfuse'] : []),
      ...(supplemented ? ['supplements'] : []),
    ],
  };
}

function cardsOfModel(sourceProvider, model, names, provider) {
  const inclusive = supplements.inclusiveContextTiers.includes(sourceProvider.id);
  const free = { inputFresh: '0', outputText: '0' };
  const cards = [];
  for (const { from, until, prices, windows } of priceSets(model)) {
    const empty = Object.keys(prices).length === 0;
    if (empty && !isFree(sourceProvider, model)) continue;
    const set = empty ? { rates: free } : readPriceSet(prices, model, inclusive);
    const version = cards.length + 1;
    const card = {
      cardId: `${provider.id}/${model.id}`,
      version,
      ...(version > 1 ? { supersedes: version - 1 } : {}),
      provider: provider.id,
      models: names,
      ...set,
      ...(windows.length > 0
        ? {
            windows: windows.map(({ from: start, until: end, prices: own }) => ({
              from: start,
              until: end,
              zone: 'UTC',
              ...readPriceSet(own, model, inclusive),
            })),
          }
        : {}),
      ...(from ? { effectiveFrom: from } : {}),
      ...(until ? { effectiveUntil: until } : {}),
    };
    cards.push(withSupplements(card, sourceProvider, model));
  }
  return cards;
}

function cardsOfProvider(sourceProvider) {
  const provider = providers.find(({ sourceId }) => sourceId === sourceProvider.id);
  if (!provider) throw new Error(`scripts/prices/providers.json: add "${sourceProvider.id}"`);
  const also = published.alsoFrom[sourceProvider.id] ?? [];
  const ids = [sourceProvider.id, ...also].flatMap((id) => published.ids[id] ?? []);
  const names = modelNames(sourceProvider, ids);
  return sourceProvider.models.flatMap((model) =>
    cardsOfModel(sourceProvider, model, names.get(model.id), provider),
  );
}

/** One card a line: small to load, and a change shows as one line. */
function textOf(file) {
  const line = (value) => JSON.stringify(value);
  return [
    '{',
    `"note": ${line(file.note)},`,
    `"sources": ${line(file.sources)},`,
    `"providers": [\n${file.providers.map(line).join(',\n')}\n],`,
    `"cards": [\n${file.cards.map(line).join(',\n')}\n]`,
    '}',
    '',
  ].join('\n');
}

const text = textOf({
  note:
    'Generated by scripts/generate-price-cards.mjs; do not edit. Rates: pico-USD per million ' +
    'tokens. All cards: currency USD, status catalogue. Licences of the sources: ./LICENSES',
  sources: readSources(),
  providers: providers.map(({ id, aliases, fallbacks, maker }) => ({
    id,
    aliases,
    fallbacks,
    maker,
  })),
  cards: genai.flatMap(cardsOfProvider),
});

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error(
      'src/pricing/price-cards.json differs from what scripts/prices gives. ' +
        'Run: node scripts/generate-price-cards.mjs',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
}
