import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, CODEC, type Clock, EVENT_STORE } from '../../tokens.js';
import { type CallCharge, chargeOf, lowerBoundOf } from '../../domain/budget/call-charge.js';
import { charge, release } from '../../domain/budget/decide-ledger.js';
import type { CallReservation } from '../../domain/budget/reservation.js';
import type { SessionEvent } from '../../domain/events.js';
import { reservationKey } from '../../domain/past.js';
import { initialTenantState } from '../../domain/tenant/tenant.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type { EventCodec } from '../../storage/event-codec.js';
import type { EventStore } from '../../storage/event-store.js';
import type { CommandScope } from '../command-scope.js';
import { TenantRepository } from '../tenant-repository.js';
import { BudgetLedgers } from './budget-ledgers.js';
import { budgetOfLedger } from './budget-period.js';

type Place = Pick<CommandScope, 'tenantId' | 'sessionId' | 'actor'>;

/** What a session's events say of a reservation. */
export interface ReservedCall {
  readonly modelCallId: string;
  readonly reservation: CallReservation;
  readonly isSettled: boolean;
  /** What it costs in a currency. */
  readonly costIn: (currency: string) => CallCharge;
}

/**
 * Puts what a call has cost in the place of what was held for it. Everything is read from the
 * session's events again, so that a settlement, late usage and the reconciler take one way.
 */
@Injectable()
export class SettleReservations {
  private readonly log = new Logger(SettleReservations.name);

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly ledgers: BudgetLedgers,
    private readonly tenants: TenantRepository,
  ) {}

  /** What fails here is done by the reconciler: the events are durable already. */
  async afterAppend(place: Place, events: readonly SessionEvent[]): Promise<void> {
    const settled = new Set<string>();
    for (const event of events) {
      if (event.type !== 'ModelCallSettled' && event.type !== 'ModelUsageReported') continue;
      const id = event.data.reservation?.reservationId;
      if (id === undefined || settled.has(id)) continue;
      settled.add(id);
      await this.settle(place, id).catch((error: unknown) => {
        this.log.warn(`reservation ${id} is left to the reconciler: ${String(error)}`);
      });
    }
  }

  private async settle(place: Place, reservationId: string): Promise<void> {
    const call = await this.callOf(place, reservationId);
    if (call?.isSettled === true) await this.charge(place, call);
  }

  /** Undefined: no model call was started with it. */
  async callOf(place: Place, reservationId: string): Promise<ReservedCall | undefined> {
    const stream = sessionStream(place.tenantId, place.sessionId);
    const stored = await this.events.findByKeys(stream, [reservationKey(reservationId)]);
    const events = stored.map((event) => this.codec.eventOf(event));
    for (const event of events) {
      if (event.type !== 'ModelCallStarted' || event.data.reservation === undefined) continue;
      return reservedCall(event.data.modelCallId, event.data.reservation, events);
    }
    return undefined;
  }

  /** An open call is charged with what is certain: its owner is gone for good. */
  async charge(place: Place, call: ReservedCall): Promise<void> {
    const { tenantId, sessionId } = place;
    const { modelCallId, reservation } = call;
    const { reservationId } = reservation;
    const now = new Date(this.clock()).toISOString();
    const { budgets } = (await this.tenants.currentIfReadable(tenantId)) ?? initialTenantState;
    for (const ledgerId of reservation.ledgers) {
      const limits = budgets.find(({ budgetId }) => budgetId === budgetOfLedger(ledgerId));
      const amount = call.costIn(limits?.currency ?? reservation.currency);
      const known = { reservationId, sessionId, modelCallId, ...amount, now };
      await this.ledgers.changeKnowing({ ...place, ledgerId }, reservationId, (state, before) => ({
        events: charge(known, state, before, limits),
        answer: undefined,
      }));
    }
  }

  async release(place: Place, ledgers: readonly string[], reservationId: string): Promise<void> {
    const now = new Date(this.clock()).toISOString();
    for (const ledgerId of ledgers) {
      await this.ledgers.change({ ...place, ledgerId }, (state) => ({
        events: release(reservationId, state, now),
        answer: undefined,
      }));
    }
  }
}

function reservedCall(
  modelCallId: string,
  reservation: CallReservation,
  events: readonly SessionEvent[],
): ReservedCall {
  return {
    modelCallId,
    reservation,
    isSettled: chargeOf(events, reservation) !== undefined,
    costIn: (currency) =>
      chargeOf(events, reservation, currency) ?? {
        amountPico: String(lowerBoundOf(reservation, currency)),
        basis: 'abandoned',
      },
  };
}
