import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { leaseName } from '../commands/session-lease.js';
import type { WorkDocument } from '../projections/sessions/session-document.js';
import type { LeaseStore } from '../storage/lease-store.js';
import { LEASES } from '../tokens.js';
import { OpenWork } from './open-work.js';
import { restedAtMs } from './ready-work.js';

/** A session that a worker has or could have. Times are ISO 8601. */
export interface ListedWork extends WorkDocument {
  /** Until when its owner has it, unless it renews that; absent when nobody has it. */
  readonly leaseExpiresAt?: string;
  /** A run that failed rests until then. */
  readonly notBefore: string;
}

export class ListWork extends Query<readonly ListedWork[]> {
  constructor(
    readonly tenantId: string,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListWork)
export class ListWorkHandler implements IQueryHandler<ListWork, readonly ListedWork[]> {
  constructor(
    private readonly open: OpenWork,
    @Inject(LEASES) private readonly leases: LeaseStore,
  ) {}

  async execute({ tenantId, limit }: ListWork): Promise<readonly ListedWork[]> {
    const listed: ListedWork[] = [];
    for await (const work of this.open.of(tenantId)) {
      if (listed.length === limit) break;
      listed.push(await this.withLease(work));
    }
    return listed;
  }

  private async withLease(work: WorkDocument): Promise<ListedWork> {
    const lease = work.heldBy && (await this.leases.current(leaseName(work)));
    return {
      ...work,
      notBefore: new Date(restedAtMs(work)).toISOString(),
      leaseExpiresAt: lease ? new Date(lease.expiresAtMs).toISOString() : undefined,
    };
  }
}
