import type { PriceCard, ProviderNames } from '../domain/price-card.js';

/** How a model id agrees with a card. */
export interface IndexedCard {
  readonly card: PriceCard;
  /** The card's provider, by its id here. */
  readonly provider: string;
  readonly rule: 'exact' | 'alias' | 'snapshot';
}

export interface CardIndex {
  /** Ids and aliases in lower case: model ids are compared without case. */
  readonly names: ReadonlyMap<string, readonly IndexedCard[]>;
  /** Ids that may be followed by a date. */
  readonly snapshots: ReadonlyMap<string, readonly IndexedCard[]>;
}

/** The cards to search: overrides first, then the catalogue. Built once, looked up per call. */
export interface PriceCards {
  readonly overrides: CardIndex;
  readonly catalogue: CardIndex;
  readonly providers: ProviderIndex;
}

export interface ProviderIndex {
  /** By name without case and punctuation. */
  readonly byName: ReadonlyMap<string, ProviderNames>;
  /** Makers of models, in the order in which they are asked. */
  readonly makers: readonly string[];
}

function addTo(map: Map<string, IndexedCard[]>, name: string, entry: IndexedCard): void {
  const key = name.toLowerCase();
  const entries = map.get(key);
  if (entries) entries.push(entry);
  else map.set(key, [entry]);
}

export function indexCards(cards: Iterable<PriceCard>, providers: ProviderIndex): CardIndex {
  const names = new Map<string, IndexedCard[]>();
  const snapshots = new Map<string, IndexedCard[]>();
  for (const card of cards) {
    const { id, aliases = [], snapshotsOf = [] } = card.models;
    const provider = findProvider(providers, card.provider)?.id ?? card.provider;
    addTo(names, id, { card, provider, rule: 'exact' });
    for (const alias of aliases) addTo(names, alias, { card, provider, rule: 'alias' });
    for (const base of snapshotsOf) addTo(snapshots, base, { card, provider, rule: 'snapshot' });
  }
  return { names, snapshots };
}

function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

export function indexProviders(providers: readonly ProviderNames[]): ProviderIndex {
  const byName = new Map<string, ProviderNames>();
  for (const provider of providers) {
    for (const name of [provider.id, ...provider.aliases]) byName.set(nameKey(name), provider);
  }
  return { byName, makers: providers.filter(({ maker }) => maker).map(({ id }) => id) };
}

/**
 * The provider that a log, a client library or OpenTelemetry means: `bedrock` is `aws.bedrock`,
 * `openai.responses` is `openai`. Undefined: no provider with prices.
 */
export function findProvider(index: ProviderIndex, name: string): ProviderNames | undefined {
  const whole = index.byName.get(nameKey(name));
  if (whole) return whole;
  const [head] = name.split(/[.:/]/, 1);
  return head === undefined || head === name ? undefined : index.byName.get(nameKey(head));
}

export function buildPriceCards(
  catalogue: Iterable<PriceCard>,
  providers: readonly ProviderNames[],
  overrides: Iterable<PriceCard> = [],
): PriceCards {
  const index = indexProviders(providers);
  return {
    overrides: indexCards(overrides, index),
    catalogue: indexCards(catalogue, index),
    providers: index,
  };
}

/** The same catalogue with a tenant's own cards before it. */
export function withOverrides(cards: PriceCards, overrides: Iterable<PriceCard>): PriceCards {
  return { ...cards, overrides: indexCards(overrides, cards.providers) };
}
