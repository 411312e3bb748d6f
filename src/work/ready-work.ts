import { Inject, Injectable } from '@nestjs/common';
import { leaseName } from '../commands/session-lease.js';
import { SessionRepository } from '../commands/session-repository.js';
import type { SessionState } from '../domain/state.js';
import { isForAnyWorker, recoveryPauseMs } from '../domain/work.js';
import type { WorkDocument } from '../projections/sessions/session-document.js';
import { isEventDamage } from '../storage/event-damage.js';
import type { LeaseStore } from '../storage/lease-store.js';
import { CLOCK, type Clock, LEASES } from '../tokens.js';

/** What the server is waiting for changes with other streams and with time: ask again then. */
const NOT_YET_MS = 1_000;

/** Somebody may have put a damaged stream right. */
const DAMAGED_MS = 60_000;

/** Names what there is to do, for as long as it is the same. */
export function nameOfWork({ tenantId, sessionId, since }: WorkDocument): string {
  return `${tenantId}.${sessionId}@${since}`;
}

/** When a run that failed has rested; ISO 8601. */
export function restedAtMs(work: WorkDocument): number {
  return Date.parse(work.since) + recoveryPauseMs(work, work.sessionId);
}

/** Which of the work that the read model lists a worker may have now, by the session's own stream. */
@Injectable()
export class ReadyWork {
  /** Not to be looked at before, by name. */
  private readonly later = new Map<string, number>();

  constructor(
    private readonly sessions: SessionRepository,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async isReady(work: WorkDocument): Promise<boolean> {
    if ((this.later.get(nameOfWork(work)) ?? 0) > this.clock()) return false;
    const dueAtMs = await this.dueAtMs(work);
    if (dueAtMs > this.clock()) return this.notBefore(work, dueAtMs);
    const state = await this.soundState(work);
    if (state === undefined) return this.notBefore(work, this.clock() + DAMAGED_MS);
    return isForAnyWorker(state) || this.notBefore(work, this.clock() + NOT_YET_MS);
  }

  /** Whether it waits for nothing but a worker. */
  async isForAnyWorker(work: WorkDocument): Promise<boolean> {
    const state = await this.soundState(work);
    return state !== undefined && isForAnyWorker(state);
  }

  /** Undefined: its events are damaged, and nothing can be decided on it. */
  private async soundState(work: WorkDocument): Promise<SessionState | undefined> {
    try {
      return await this.sessions.loadCurrent(leaseName(work));
    } catch (error) {
      if (isEventDamage(error)) return undefined;
      throw error;
    }
  }

  notBefore(work: WorkDocument, untilMs: number): false {
    this.later.set(nameOfWork(work), untilMs);
    return false;
  }

  /** What is over is forgotten. */
  tidy(): void {
    for (const [name, untilMs] of this.later) {
      if (untilMs <= this.clock()) this.later.delete(name);
    }
  }

  private async dueAtMs(work: WorkDocument): Promise<number> {
    if (work.reason !== 'takeover') return restedAtMs(work);
    const lease = await this.leases.current(leaseName(work));
    return Math.max(restedAtMs(work), lease?.expiresAtMs ?? 0);
  }
}
