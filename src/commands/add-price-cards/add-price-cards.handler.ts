import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, type Clock, EVENT_STORE } from '../../app/tokens.js';
import type { PriceCard } from '../../domain/price-card.js';
import { Rejection } from '../../domain/rejection.js';
import { type TenantEvent, type TenantState, decideTenant } from '../../domain/tenant/tenant.js';
import { derivedId, tenantStream } from '../../identity/derived-ids.js';
import { type CheckedOverrides, checkOverrides } from '../../pricing/check-overrides.js';
import {
  AppendUnknownError,
  type AppendOutcome,
  type EventStore,
  type EventToAppend,
} from '../../storage/event-store.js';
import { encodeTenantEvent } from '../../storage/tenant-event-codec.js';
import { VersionConflictError } from '../handle-command.js';
import { builtInPrices } from '../tenant-prices.js';
import { TenantRepository } from '../tenant-repository.js';

const CONFLICT_RETRIES_MAX = 3;
const UNKNOWN_RESENDS_MAX = 3;

export interface TenantSender {
  readonly tenantId: string;
  readonly actor: string;
}

export interface AddedPriceCards {
  /** In the order in which they came; `added: false` for one that was there already. */
  readonly cards: readonly (PriceCard & { readonly added: boolean })[];
  /** Of the tenant's stream. */
  readonly revision: number;
}

export class AddPriceCards extends Command<AddedPriceCards> {
  constructor(
    readonly sender: TenantSender,
    readonly cards: readonly unknown[],
  ) {
    super();
  }
}

/** Checks every card, decides on the tenant's stream, appends; decides anew on a conflict. */
@CommandHandler(AddPriceCards)
export class AddPriceCardsHandler implements ICommandHandler<AddPriceCards, AddedPriceCards> {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly tenants: TenantRepository,
  ) {}

  /** @throws Rejection with every fault; VersionConflictError; the store's errors. */
  async execute({ sender, cards: values }: AddPriceCards): Promise<AddedPriceCards> {
    const cards = cardsWithoutFault(values, sender);
    for (let tries = 0; tries < CONFLICT_RETRIES_MAX; tries += 1) {
      const state = await this.tenants.current(sender.tenantId);
      const events = decideTenant({ type: 'AddPriceCards', cards }, state);
      if (events.length === 0) return answer(cards, events, state.revision);
      const outcome = await this.append(sender, state, events);
      if (outcome.outcome === 'written') return answer(cards, events, outcome.revision);
    }
    throw new VersionConflictError(tenantStream(sender.tenantId));
  }

  private async append(
    sender: TenantSender,
    state: TenantState,
    events: readonly TenantEvent[],
  ): Promise<AppendOutcome> {
    const stream = tenantStream(sender.tenantId);
    const expected = state.revision < 0 ? 'noStream' : state.revision;
    const recordedAtMs = this.clock();
    const batch = events.map((event) => this.toAppend(sender, event, recordedAtMs));
    for (let resends = 0; ; resends += 1) {
      try {
        return await this.events.append(stream, expected, batch);
      } catch (error) {
        const again = error instanceof AppendUnknownError && resends < UNKNOWN_RESENDS_MAX;
        if (!again) throw error;
      }
    }
  }

  private toAppend(sender: TenantSender, event: TenantEvent, recordedAtMs: number): EventToAppend {
    const { tenantId, actor } = sender;
    const { cardId, version } = event.data.card;
    return encodeTenantEvent({
      eventId: derivedId('tenantEvent', tenantId, event.type, cardId, version),
      event,
      metadata: {
        tenantId,
        actor,
        commandType: 'AddPriceCards',
        commandId: `${cardId}@${version}`,
      },
      recordedAtMs,
    });
  }
}

/** The same check as before a card is written. */
export function checkedForTenant(values: readonly unknown[], actor: string): CheckedOverrides {
  return checkOverrides(values, { enteredBy: actor, builtInIds: builtInPrices().ids });
}

function cardsWithoutFault(values: readonly unknown[], { actor }: TenantSender) {
  const { cards, faults } = checkedForTenant(values, actor);
  const [first] = faults;
  if (first === undefined) return cards;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  throw new Rejection('invalid_request', `${first.at}: ${first.message}${more}`, {
    errors: faults,
  });
}

function answer(
  cards: readonly PriceCard[],
  events: readonly TenantEvent[],
  revision: number,
): AddedPriceCards {
  const added = new Set(events.map(({ data }) => data.card));
  return { cards: cards.map((card) => ({ ...card, added: added.has(card) })), revision };
}
