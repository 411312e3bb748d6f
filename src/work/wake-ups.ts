import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Configuration } from '../config/configuration.js';
import { Egress } from '../egress/egress.js';
import type { WorkDocument } from '../projections/sessions/session-document.js';
import { newInstanceId } from '../storage/instance-id.js';
import type { LeaseStore } from '../storage/lease-store.js';
import { CLOCK, CONFIGURATION, type Clock, LEASES } from '../tokens.js';
import { OpenWork } from './open-work.js';
import { ReadyWork, nameOfWork } from './ready-work.js';

const LOOK_EVERY_MS = 250;
/** Time alone makes work, too. */
const LOOK_AGAIN_MS = 1_000;
const LEASE = 'wake-ups';
const LEASE_TTL_MS = 10_000;
const SESSIONS_MAX = 100;
const FAILED_FIRST_MS = 1_000;
/** Somebody has heard of it, and nobody has come. */
const HEARD_FIRST_MS = 60_000;
const AGAIN_MS_MAX = 600_000;
/** The name of the secret that wake-ups are signed with. */
export const WAKE_UP_SECRET = 'wake-up';

interface Sent {
  readonly tries: number;
  readonly againAtMs: number;
}

/**
 * Tells an address that sessions have work, for workers that do not wait: ids only, signed. Told
 * again, more and more seldom, until somebody has come; so nothing has to be remembered over a
 * restart. One process at a time does it.
 */
@Injectable()
export class WakeUps {
  private readonly log = new Logger(WakeUps.name);
  private readonly instanceId = newInstanceId();
  private sent = new Map<string, Sent>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private looking: Promise<void> = Promise.resolve();
  private seenHead = -1n;
  private lookAtMs = 0;

  constructor(
    private readonly open: OpenWork,
    private readonly ready: ReadyWork,
    private readonly egress: Egress,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  start(): void {
    if (this.configuration.wakeUpUrl === undefined || this.isStopped) return;
    this.looking = this.look()
      .catch((error: unknown) => this.log.warn(`work was not looked for: ${String(error)}`))
      .then(() => {
        if (!this.isStopped) this.timer = setTimeout(() => this.start(), LOOK_EVERY_MS).unref();
      });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private async look(): Promise<void> {
    const head = await this.open.head();
    if (head === this.seenHead && this.clock() < this.lookAtMs) return;
    this.seenHead = head;
    this.lookAtMs = this.clock() + LOOK_AGAIN_MS;
    const { holder } = await this.leases.acquire(LEASE, this.instanceId, LEASE_TTL_MS);
    if (holder === this.instanceId) await this.tellAll();
  }

  private async tellAll(): Promise<void> {
    const still = new Map<string, Sent>();
    const due = new Map<string, WorkDocument[]>();
    for await (const work of this.open.all()) {
      const name = nameOfWork(work);
      const sent = this.sent.get(name);
      if (sent !== undefined) still.set(name, sent);
      if (this.clock() < (sent?.againAtMs ?? 0) || !(await this.ready.isReady(work))) continue;
      const ofTenant = due.get(work.tenantId) ?? [];
      if (ofTenant.length < SESSIONS_MAX) due.set(work.tenantId, [...ofTenant, work]);
    }
    this.sent = still;
    for (const [tenantId, works] of due) await this.tell(tenantId, works);
  }

  private async tell(tenantId: string, works: readonly WorkDocument[]): Promise<void> {
    const wasHeard = await this.send(tenantId, works);
    for (const work of works) {
      const tries = this.sent.get(nameOfWork(work))?.tries ?? 0;
      const firstMs = wasHeard ? HEARD_FIRST_MS : FAILED_FIRST_MS;
      const pauseMs = Math.min(firstMs * 2 ** tries, AGAIN_MS_MAX);
      const againAtMs = this.clock() + pauseMs;
      this.sent.set(nameOfWork(work), { tries: tries + 1, againAtMs });
    }
  }

  private async send(tenantId: string, works: readonly WorkDocument[]): Promise<boolean> {
    const sessions = works.map(({ sessionId, reason }) => ({ sessionId, reason }));
    const body = JSON.stringify({ type: 'work', id: randomUUID(), tenantId, sessions });
    const atSeconds = Math.floor(this.clock() / 1_000);
    const url = this.configuration.wakeUpUrl!;
    try {
      const signed = { secret: WAKE_UP_SECRET, atSeconds };
      const { status } = await this.egress.send({ tenantId, url, method: 'POST', body, signed });
      if (status >= 200 && status < 300) return true;
      this.log.warn(`a wake-up was answered with ${status}`);
    } catch (error) {
      this.log.warn(`a wake-up was not heard: ${String(error)}`);
    }
    return false;
  }
}
