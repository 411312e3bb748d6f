import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { LEASES } from '../tokens.js';
import { leaseName, leaseView } from '../commands/session-lease.js';
import { type Standing, standingOf } from '../commands/restore-session/standing.js';
import type { SessionState } from '../domain/state.js';
import type { LeaseStore } from '../storage/lease-store.js';
import { HistoryReader } from './history-reader.js';

export interface ReadSessionAnswer {
  readonly state: SessionState;
  readonly standing: Standing;
}

/** A session as its own stream says it is: always current, whatever the read models do. */
export class ReadSession extends Query<ReadSessionAnswer> {
  constructor(
    readonly scope: { readonly tenantId: string; readonly sessionId: string },
    readonly at?: number,
  ) {
    super();
  }
}

@QueryHandler(ReadSession)
export class ReadSessionHandler implements IQueryHandler<ReadSession, ReadSessionAnswer> {
  constructor(
    private readonly history: HistoryReader,
    @Inject(LEASES) private readonly leases: LeaseStore,
  ) {}

  async execute({ scope, at }: ReadSession): Promise<ReadSessionAnswer> {
    const state = await this.history.stateOf(scope.tenantId, scope.sessionId, at);
    const lease = leaseView(await this.leases.current(leaseName(scope)));
    return { state, standing: standingOf(state, lease) };
  }
}
