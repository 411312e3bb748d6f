import { Inject, Injectable } from '@nestjs/common';
import { leaseName } from '../commands/session-lease.js';
import type { LeaseStore } from '../storage/lease-store.js';
import { CLOCK, type Clock, LEASES } from '../tokens.js';
import { OpenWork } from './open-work.js';
import { ReadyWork, restedAtMs } from './ready-work.js';

/** How long work may lie without anybody's taking it. */
export const OVERDUE_WORK_MS = 60_000;
/** More than that many need not be counted exactly. */
const COUNTED_MAX = 1_000;

/** Work that some worker could have taken for a minute, and that none has (§18). */
@Injectable()
export class OverdueWork {
  constructor(
    private readonly open: OpenWork,
    private readonly ready: ReadyWork,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** 1,000 at most. */
  async count(): Promise<number> {
    const untilMs = this.clock() - OVERDUE_WORK_MS;
    let count = 0;
    for await (const work of this.open.all()) {
      if (Date.parse(work.since) > untilMs || count === COUNTED_MAX) break;
      if (restedAtMs(work) > untilMs) continue;
      if (work.heldBy !== undefined && (await this.leases.current(leaseName(work)))) continue;
      if (await this.ready.isForAnyWorker(work)) count += 1;
    }
    return count;
  }
}
