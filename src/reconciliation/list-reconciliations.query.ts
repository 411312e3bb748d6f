import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CLOCK, type Clock, LEASES } from '../tokens.js';
import { leaseName } from '../commands/session-lease.js';
import { SessionRepository } from '../commands/session-repository.js';
import { type Account, type Unaccounted, accountOf } from '../domain/account.js';
import { dueAt } from '../domain/next-step.js';
import { type CallState, callsOf, isUnresolved } from '../domain/state.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { LeaseStore } from '../storage/lease-store.js';
import type { ReadDemand } from '../projections/read-models.js';
import { isEventDamage } from '../storage/event-damage.js';
import { OpenSessions } from './open-sessions.js';

/** A session that is not at rest, why it is not forgotten, and what of it is not known. */
export interface Reconciliation {
  readonly sessionId: string;
  readonly account: Account | Unaccounted;
  readonly calls: readonly { readonly call: CallState; readonly dueAt?: string }[];
  /** Its stored events are damaged: what is wrong with them. */
  readonly damage?: string;
}

export class ListReconciliations extends Query<readonly Reconciliation[]> {
  constructor(
    readonly tenantId: string,
    /** So many sessions at most. */
    readonly limit: number,
    /** How much of the log the list must know. */
    readonly demand: ReadDemand = {},
  ) {
    super();
  }
}

/** Found by the read model, told from each session's own stream: never older than the question. */
@QueryHandler(ListReconciliations)
export class ListReconciliationsHandler implements IQueryHandler<
  ListReconciliations,
  readonly Reconciliation[]
> {
  constructor(
    private readonly open: OpenSessions,
    private readonly sessions: SessionRepository,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    tenantId,
    limit,
    demand,
  }: ListReconciliations): Promise<readonly Reconciliation[]> {
    const found: Reconciliation[] = [];
    for await (const session of this.open.all(demand)) {
      if (session.tenantId !== tenantId) continue;
      if (found.length === limit) break;
      const { sessionId } = session;
      const one = await this.one(tenantId, sessionId).catch((error: unknown) => {
        if (isEventDamage(error)) return damaged(sessionId, error.message);
        throw error;
      });
      found.push(one);
    }
    return found;
  }

  private async one(tenantId: string, sessionId: string): Promise<Reconciliation> {
    const state = await this.sessions.loadCurrent(sessionStream(tenantId, sessionId));
    const lease = await this.leases.current(leaseName({ tenantId, sessionId }));
    const now = new Date(this.clock()).toISOString();
    return {
      sessionId,
      account: accountOf(state, lease !== undefined, now),
      calls: callsOf(state)
        .filter(isUnresolved)
        .map((call) => ({ call, dueAt: dueAt(call, state) })),
    };
  }
}

/** The others are told all the same. */
function damaged(sessionId: string, damage: string): Reconciliation {
  return { sessionId, account: { class: 'waiting', for: 'operator' }, calls: [], damage };
}
