import { scaled } from './rates.mjs';

/**
 * Fast, flex and priority rates from the Langfuse price list. They are taken only for a card with
 * the same id and the same standard rates: a list that disagrees about these is no source.
 */

const keyOfBucket = {
  inputFresh: ['input'],
  cacheRead: ['input_cache_read', 'input_cached_tokens', 'cache_read_input_tokens'],
  outputText: ['output'],
  outputReasoning: ['output_reasoning_tokens'],
  cacheWriteUnknown: ['input_cache_creation', 'cache_write_tokens'],
};
const keyOfClaudeBucket = {
  ...keyOfBucket,
  cacheWriteUnknown: [],
  cacheWrite5m: ['input_cache_creation_5m', 'input_cache_creation'],
  cacheWrite1h: ['input_cache_creation_1h'],
};

function readRates(prices, claude) {
  const rates = {};
  for (const [bucket, keys] of Object.entries(claude ? keyOfClaudeBucket : keyOfBucket)) {
    const key = keys.find((name) => prices[name] !== undefined);
    // USD per token to pico-USD per million tokens.
    if (key) rates[bucket] = scaled(prices[key], 18).toString();
  }
  if (rates.outputReasoning === rates.outputText) delete rates.outputReasoning;
  return rates;
}

function tierNames(conditions) {
  const names = [];
  for (const { source, key, operator, values } of conditions) {
    if (source === undefined) continue;
    const known = source === 'model_parameters' && operator === 'in';
    if (!known || !['service_tier', 'speed'].includes(key)) return undefined;
    names.push(...values);
  }
  return names;
}

function contextAbove(conditions) {
  return conditions.find(({ usageDetailPattern }) => usageDetailPattern)?.value;
}

function sameStandardRates(card, standard) {
  const shared = ['inputFresh', 'outputText', 'cacheRead'].filter((bucket) => standard[bucket]);
  return shared.every((bucket) => card.rates[bucket] === standard[bucket]);
}

function idsOf(entry) {
  // `gpt-5.5(-2026-04-23)?`: the list names the dated id, and means the plain one too.
  const plain = entry.modelName.replace(/-20\d\d-\d\d-\d\d$/, '');
  const both = new RegExp(entry.matchPattern.replace('(?i)', ''), 'i').test(plain);
  return both ? [entry.modelName, plain] : [entry.modelName];
}

/** `{tierName: {rates, contextTiers?}}` of a card, or undefined. */
export function serviceTiersOf(card, entries) {
  const entry = entries.find((candidate) => idsOf(candidate).includes(card.models.id));
  const standard = entry?.pricingTiers.find(({ isDefault }) => isDefault);
  const claude = /claude/i.test(card.models.id);
  if (!standard || !sameStandardRates(card, readRates(standard.prices, claude))) return undefined;
  const tiers = {};
  for (const tier of entry.pricingTiers) {
    const names = tierNames(tier.conditions) ?? [];
    const above = contextAbove(tier.conditions);
    for (const name of names) {
      tiers[name] ??= { rates: {} };
      const rates = readRates(tier.prices, claude);
      if (above === undefined) tiers[name].rates = rates;
      else tiers[name].contextTiers = [{ above, inclusive: false, rates }];
    }
  }
  return Object.keys(tiers).length > 0 ? tiers : undefined;
}
