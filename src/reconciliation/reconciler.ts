import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock, LEASES } from '../app/tokens.js';
import type { CommandScope } from '../commands/command-scope.js';
import { CommandHandling } from '../commands/handle-command.js';
import { leaseName } from '../commands/session-lease.js';
import { SessionRepository } from '../commands/session-repository.js';
import { SettleCalls } from '../commands/settle-calls.js';
import type { SessionState } from '../domain/state.js';
import { derivedId, sessionStream } from '../identity/derived-ids.js';
import type { LeaseStore } from '../storage/lease-store.js';
import { type OpenSession, OpenSessions } from './open-sessions.js';

const SCAN_EVERY_MS = 5_000;
/** How long a living owner has to carry out a stop before it is settled for it. */
export const STOP_GRACE_MS = 10_000;
const LEASE_TTL_MS = 30_000;
const LEASE = 'reconciler';

/**
 * The durable process that leaves no call and no stop behind: deadlines that passed, retries that
 * expired, questions that nobody answered, stops without a living owner. Its progress is the
 * events themselves; losing it at any moment loses nothing.
 */
@Injectable()
export class Reconciler {
  private readonly log = new Logger(Reconciler.name);
  private readonly instanceId = crypto.randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<void> = Promise.resolve();

  constructor(
    private readonly open: OpenSessions,
    private readonly sessions: SessionRepository,
    private readonly settle: SettleCalls,
    private readonly handling: CommandHandling,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.wake(), SCAN_EVERY_MS);
    this.timer.unref();
    this.wake();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.pass;
  }

  /** One pass over every session with open work. Sessions are taken one by one; a faulty one waits. */
  async reconcileAll(): Promise<void> {
    const lease = await this.leases.acquire(LEASE, this.instanceId, LEASE_TTL_MS);
    if (lease.holder !== this.instanceId) return;
    for await (const session of this.open.all()) {
      await this.reconcileOne(session).catch((error: unknown) => {
        this.log.warn(`session ${session.sessionId} was left for the next pass: ${String(error)}`);
      });
    }
  }

  private wake(): void {
    this.pass = this.pass
      .then(() => this.reconcileAll())
      .catch((error: unknown) => this.log.warn(`a pass failed: ${String(error)}`));
  }

  private async reconcileOne({ tenantId, sessionId }: OpenSession): Promise<void> {
    const scope: CommandScope = { tenantId, sessionId, actor: 'reconciler' };
    const state = await this.sessions.loadCurrent(sessionStream(tenantId, sessionId));
    if (isBeingImported(state)) return;
    const settled = await this.settle.all(scope, state);
    if (await this.stopIsDue(scope, settled)) await this.confirmStopped(scope, settled);
  }

  private async stopIsDue(scope: CommandScope, state: SessionState): Promise<boolean> {
    const { run } = state;
    if (run?.status !== 'stopping' || run.stopRequestedAt === undefined) return false;
    if (this.clock() >= Date.parse(run.stopRequestedAt) + STOP_GRACE_MS) return true;
    return (await this.leases.current(leaseName(scope))) === undefined;
  }

  private async confirmStopped(scope: CommandScope, { run }: SessionState): Promise<void> {
    const { runId } = run!;
    await this.handling.handle(scope, (context) => [
      {
        type: 'ConfirmStopped',
        commandId: derivedId('stopped', runId),
        now: context.now,
        runId,
        by: 'reconciler',
      },
    ]);
  }
}

/** An importer writes a log's past, whose times are long over; it settles its calls itself. */
function isBeingImported(state: SessionState): boolean {
  return state.imported && state.epoch === 0;
}
