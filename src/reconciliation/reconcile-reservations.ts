import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock, EVENT_STORE, LEASES } from '../tokens.js';
import { BudgetLedgers } from '../commands/budgets/budget-ledgers.js';
import { ledgerOf } from '../commands/budgets/budget-period.js';
import { SettleReservations } from '../commands/budgets/settle-reservations.js';
import { leaseName } from '../commands/session-lease.js';
import { TenantRepository } from '../commands/tenant-repository.js';
import type { Budget } from '../domain/budget/budget.js';
import type { HeldReservation } from '../domain/budget/ledger.js';
import type { EventStore } from '../storage/event-store.js';
import type { LeaseStore } from '../storage/lease-store.js';

const MINUTE_MS = 60_000;
/** A start follows its reservation within one request. */
export const UNSTARTED_AFTER_MS = MINUTE_MS;
/** A call whose owner is gone and that nobody has claimed: what is certain of it is charged. */
export const ABANDONED_AFTER_MS = 60 * MINUTE_MS;
/** Younger ones are being settled by those who settle their calls. */
const SETTLED_AFTER_MS = 10_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const EVERY_MS = 30_000;
const TENANT_STREAMS = 'tenant-';
const PAGE_EVENTS = 500;

/**
 * What a crash has left in budgets' ledgers: a hold whose call never began is given back, a settled
 * call is charged, an abandoned one is charged with what is certain. Nothing is held for ever.
 */
@Injectable()
export class ReconcileReservations {
  private readonly log = new Logger(ReconcileReservations.name);
  private dueAtMs = 0;
  /** Those that ever set a budget, as far as the log was read. */
  private readonly spenders = new Set<string>();
  private readTo = 0n;

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly tenants: TenantRepository,
    private readonly ledgers: BudgetLedgers,
    private readonly settling: SettleReservations,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** At most every half minute. */
  async whenDue(): Promise<void> {
    if (this.clock() < this.dueAtMs) return;
    this.dueAtMs = this.clock() + EVERY_MS;
    await this.reconcileAll();
  }

  async reconcileAll(): Promise<void> {
    await this.findSpenders();
    for (const tenantId of this.spenders) await this.ofTenant(tenantId);
  }

  private async findSpenders(): Promise<void> {
    const filter = { streamPrefix: TENANT_STREAMS };
    for (;;) {
      const { events, next, caughtUp } = await this.events.readAll(
        this.readTo,
        PAGE_EVENTS,
        filter,
      );
      for (const { stream, type } of events) {
        if (type === 'BudgetSet') this.spenders.add(stream.slice(TENANT_STREAMS.length));
      }
      this.readTo = next;
      if (caughtUp) return;
    }
  }

  private async ofTenant(tenantId: string): Promise<void> {
    const { budgets } = await this.tenants.current(tenantId);
    const now = this.clock();
    const ledgers = new Set(budgets.flatMap((budget) => recentLedgers(budget, now)));
    for (const ledgerId of ledgers) {
      await this.ofLedger(tenantId, ledgerId).catch((error: unknown) => {
        this.log.warn(`ledger ${ledgerId} was left for the next pass: ${String(error)}`);
      });
    }
  }

  private async ofLedger(tenantId: string, ledgerId: string): Promise<void> {
    const { held } = await this.ledgers.current(tenantId, ledgerId);
    for (const one of Object.values(held)) {
      const ageMs = this.clock() - Date.parse(one.reservedAt);
      if (ageMs >= SETTLED_AFTER_MS) await this.reconcile(tenantId, ledgerId, one, ageMs);
    }
  }

  private async reconcile(
    tenantId: string,
    ledgerId: string,
    { reservationId, sessionId }: HeldReservation,
    ageMs: number,
  ): Promise<void> {
    const place = { tenantId, sessionId, actor: 'reconciler' };
    const call = await this.settling.callOf(place, reservationId);
    if (call === undefined) {
      if (ageMs >= UNSTARTED_AFTER_MS) {
        await this.settling.release(place, [ledgerId], reservationId);
      }
      return;
    }
    if (!call.isSettled) {
      if (ageMs < ABANDONED_AFTER_MS) return;
      if ((await this.leases.current(leaseName(place))) !== undefined) return;
    }
    await this.settling.charge(place, call);
  }
}

/** Of this period and the one before it: calls begin before midnight and end after. */
function recentLedgers(budget: Budget, nowMs: number): readonly string[] {
  const backMs = budget.period === 'month' ? 31 * DAY_MS : DAY_MS;
  return [ledgerOf(budget, nowMs - backMs), ledgerOf(budget, nowMs)];
}
