import type { CardMatch, UnpricedReason } from '../domain/money.js';
import { findProvider, type CardIndex, type IndexedCard, type PriceCards } from './card-index.js';
import { normalisedIds, withoutDate } from './model-id.js';
import type { PriceCard } from '../domain/price-card.js';

export interface CardQuery {
  /** Left out: the log does not know it. */
  readonly provider?: string;
  readonly requestedModel?: string;
  readonly responseModel?: string;
  readonly region?: string;
  /** UTC instant of the call's start. */
  readonly startedAt?: string;
}

export type CardSearch =
  | { readonly card: PriceCard; readonly match: CardMatch }
  | { readonly card?: undefined; readonly reason: UnpricedReason };

type Rule = IndexedCard['rule'] | 'normalised';
type Origin = 'response' | 'requested';

interface Search {
  readonly cards: PriceCards;
  readonly region: string | undefined;
  /** Milliseconds since 1970; undefined when the start is not known. */
  readonly instant: number | undefined;
  readonly models: readonly (readonly [Origin, string])[];
  /** Why cards that were found do not count; the first one is told. */
  reason: UnpricedReason | undefined;
}

function isInEffect(card: PriceCard, instant: number): boolean {
  const from = card.effectiveFrom === undefined ? -Infinity : Date.parse(card.effectiveFrom);
  const until = card.effectiveUntil === undefined ? Infinity : Date.parse(card.effectiveUntil);
  return from <= instant && instant < until;
}

function isDated(card: PriceCard): boolean {
  return card.effectiveFrom !== undefined || card.effectiveUntil !== undefined;
}

/** Of cards for one name and provider: in effect, for this region before for all, newest. */
function chooseCard(entries: readonly IndexedCard[], search: Search): IndexedCard | undefined {
  const { instant, region } = search;
  const inRegion = entries.filter(
    ({ card }) => card.region === undefined || card.region.toLowerCase() === region?.toLowerCase(),
  );
  const usable = inRegion.filter(({ card }) =>
    instant === undefined ? !isDated(card) : isInEffect(card, instant),
  );
  if (usable.length === 0) {
    if (inRegion.length > 0) {
      search.reason ??= instant === undefined ? 'start_time_missing' : 'no_card_in_effect';
    }
    return undefined;
  }
  return usable.reduce((one, other) => {
    const byRegion =
      Number(other.card.region !== undefined) - Number(one.card.region !== undefined);
    if (byRegion !== 0) return byRegion > 0 ? other : one;
    return other.card.version > one.card.version ? other : one;
  });
}

function sameRates(one: PriceCard, other: PriceCard): boolean {
  const content = ({ rates, fees, contextTiers, serviceTiers, windows }: PriceCard) =>
    JSON.stringify([rates, fees, contextTiers, serviceTiers, windows]);
  return content(one) === content(other);
}

/** Whose card counts when nobody said who served the call: the maker's, else the only one. */
function chooseAmongProviders(
  entries: readonly IndexedCard[],
  search: Search,
): IndexedCard | undefined {
  const byProvider = groupByProvider(entries);
  for (const maker of search.cards.providers.makers) {
    const own = byProvider.get(maker);
    if (own) return chooseCard(own, search);
  }
  const chosen = [...byProvider.values()]
    .map((own) => chooseCard(own, search))
    .filter((entry) => entry !== undefined);
  const [first, ...others] = chosen;
  if (first && others.some(({ card }) => !sameRates(card, first.card))) {
    search.reason ??= 'provider_ambiguous';
    return undefined;
  }
  return first;
}

function groupByProvider(entries: readonly IndexedCard[]): Map<string, IndexedCard[]> {
  const groups = new Map<string, IndexedCard[]>();
  for (const entry of entries) {
    const group = groups.get(entry.provider);
    if (group) group.push(entry);
    else groups.set(entry.provider, [entry]);
  }
  return groups;
}

function choose(
  entries: readonly IndexedCard[] | undefined,
  provider: string | undefined,
  search: Search,
): IndexedCard | undefined {
  if (!entries) return undefined;
  if (provider === undefined) return chooseAmongProviders(entries, search);
  return chooseCard(
    entries.filter((entry) => entry.provider === provider),
    search,
  );
}

function byName(index: CardIndex, modelId: string, provider: string | undefined, search: Search) {
  return choose(index.names.get(modelId), provider, search);
}

function bySnapshot(
  index: CardIndex,
  modelId: string,
  provider: string | undefined,
  search: Search,
) {
  const base = withoutDate(modelId);
  return base === undefined ? undefined : choose(index.snapshots.get(base), provider, search);
}

function found(entry: IndexedCard, origin: Origin, rule: Rule): CardSearch {
  return { card: entry.card, match: `${origin}_${rule}` };
}

/** Steps 1 to 4 of usage-and-cost 6.2 in one index, for one provider. */
function searchIndex(
  index: CardIndex,
  provider: string | undefined,
  search: Search,
): CardSearch | undefined {
  for (const [origin, modelId] of search.models) {
    const entry = byName(index, modelId, provider, search);
    if (entry) return found(entry, origin, entry.rule);
  }
  for (const [origin, modelId] of search.models) {
    const entry = bySnapshot(index, modelId, provider, search);
    if (entry) return found(entry, origin, entry.rule);
  }
  for (const [origin, modelId] of search.models) {
    for (const form of normalisedIds(modelId)) {
      const asked = provider ?? form.provider;
      const entry =
        byName(index, form.modelId, asked, search) ??
        bySnapshot(index, form.modelId, asked, search);
      if (entry) return found(entry, origin, 'normalised');
    }
  }
  return undefined;
}

function instantOf(startedAt: string | undefined): number | undefined {
  const instant = startedAt === undefined ? Number.NaN : Date.parse(startedAt);
  return Number.isNaN(instant) ? undefined : instant;
}

/**
 * The card that prices a call: by response model, then requested model; exact id or alias, then
 * a dated snapshot, then without routing prefix and version suffix (usage-and-cost 6.2). Never by a
 * part of an id: an unknown version is unpriced. Overrides win over the catalogue at every step.
 */
export function findCard(query: CardQuery, cards: PriceCards): CardSearch {
  const models = [
    ['response', query.responseModel?.trim().toLowerCase()] as const,
    ['requested', query.requestedModel?.trim().toLowerCase()] as const,
  ].filter((model): model is readonly [Origin, string] => Boolean(model[1]));
  if (models.length === 0) return { reason: 'model_missing' };

  const named = query.provider ? findProvider(cards.providers, query.provider) : undefined;
  const provider = query.provider ? (named?.id ?? query.provider) : undefined;
  const providers = [provider, ...(named?.fallbacks ?? [])];
  const search: Search = {
    cards,
    region: query.region,
    instant: instantOf(query.startedAt),
    models,
    reason: undefined,
  };
  for (const index of [cards.overrides, cards.catalogue]) {
    if (index.names.size === 0) continue;
    for (const candidate of providers) {
      const result = searchIndex(index, candidate, search);
      if (result) return result;
    }
  }
  return { reason: search.reason ?? 'no_card' };
}
