import { Injectable } from '@nestjs/common';
import type { PriceCard, ProviderNames } from '../domain/price-card.js';
import type { TenantState } from '../domain/tenant/tenant.js';
import { type PriceCards, buildPriceCards, withOverrides } from '../pricing/card-index.js';
import { readCatalogue } from '../pricing/load-price-cards.js';
import { withoutReplaced } from '../pricing/replaced-versions.js';
import { TenantRepository } from './tenant-repository.js';

interface BuiltIn {
  readonly cards: readonly PriceCard[];
  readonly providers: readonly ProviderNames[];
  readonly index: PriceCards;
  readonly ids: ReadonlySet<string>;
}

let builtIn: BuiltIn | undefined;

/** The cards of this release: read and indexed once in a process, when they are first needed. */
export function builtInPrices(): BuiltIn {
  if (builtIn === undefined) {
    const { cards, providers } = readCatalogue();
    const ids = new Set(cards.map(({ cardId }) => cardId));
    builtIn = { cards, providers, index: buildPriceCards(cards, providers), ids };
  }
  return builtIn;
}

interface Indexed {
  readonly overrides: readonly PriceCard[];
  readonly cards: PriceCards;
}

/** What a model costs a tenant now: the built-in cards with the tenant's own before them. */
@Injectable()
export class TenantPrices {
  private readonly indexed = new Map<string, Indexed>();

  constructor(private readonly tenants: TenantRepository) {}

  /** Every version of every card that the tenant added. */
  async overridesOf(tenantId: string): Promise<readonly PriceCard[]> {
    return (await this.tenants.current(tenantId)).cards;
  }

  /** The cards to search; indexed anew only when the tenant's own cards have changed. */
  async cardsOf(tenantId: string): Promise<PriceCards> {
    return this.cardsIn(tenantId, await this.tenants.current(tenantId));
  }

  /** As `cardsOf`, of a state that was read for other reasons too. */
  cardsIn(tenantId: string, { cards: overrides }: TenantState): PriceCards {
    const known = this.indexed.get(tenantId);
    if (known?.overrides === overrides) return known.cards;
    const cards = withOverrides(builtInPrices().index, withoutReplaced(overrides));
    this.indexed.set(tenantId, { overrides, cards });
    return cards;
  }

  /**
   * As `cardsOf`. Undefined when the tenant's own cards cannot be read: usage is recorded all the
   * same, and without a price rather than with one that may be wrong.
   */
  async cardsForRecording(tenantId: string): Promise<PriceCards | undefined> {
    const state = await this.tenants.currentIfReadable(tenantId);
    return state && this.cardsIn(tenantId, state);
  }
}
