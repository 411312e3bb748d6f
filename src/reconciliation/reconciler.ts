import { Inject, Injectable, Logger } from '@nestjs/common';
import { ALARMS, type Alarms } from '../alarms.js';
import { CLOCK, CONFIGURATION, type Clock, LEASES } from '../tokens.js';
import { Configuration } from '../config/configuration.js';
import type { CommandScope } from '../commands/command-scope.js';
import { CommandHandling } from '../commands/handle-command.js';
import { ParentStop, stopWithParent } from '../commands/parent-stop.js';
import { leaseName, leaseView } from '../commands/session-lease.js';
import { SessionRepository } from '../commands/session-repository.js';
import { SettleCalls } from '../commands/settle-calls.js';
import { accountOf } from '../domain/account.js';
import { nextDueAt } from '../domain/next-step.js';
import type { SessionState } from '../domain/state.js';
import { derivedId, sessionStream } from '../identity/derived-ids.js';
import { newInstanceId } from '../storage/instance-id.js';
import type { LeaseStore } from '../storage/lease-store.js';
import type { SessionName } from '../projections/invalid-streams.js';
import { wheneverOwner } from '../storage/owner-lease.js';
import { pause } from '../storage/pause.js';
import { DamagedSessions } from './damaged-sessions.js';
import { FailingSessions } from './failing-sessions.js';
import { ForksToTell } from './forks-to-tell.js';
import { IdleRuns } from './idle-runs.js';
import { OpenSessions } from './open-sessions.js';
import { SendProbes } from './send-probes.js';
import { ReconcileReservations } from './reconcile-reservations.js';
import { Sweep, type SweepReport } from './sweep.js';

const SCAN_EVERY_MS = 5_000;
const SCAN_PAUSE_MS_MIN = 250;
/** Of the time that passes take: many open sessions must not keep the process busy. */
const PAUSE_PER_PASS = 4;
const SESSIONS_AT_ONCE = 8;
/** When the process that reconciles first reads every stream, and how often it does so again. */
const SWEEP_AFTER_MS = 10 * 60_000;
const SWEEP_EVERY_MS = 24 * 3_600_000;
/** Nobody who had one of them is left by then: no lease lives longer than a day. */
const LEASES_KEPT_MS = 7 * 24 * 3_600_000;
/** How long a living owner has to carry out a stop before it is settled for it. */
export const STOP_GRACE_MS = 10_000;
/** Held by the one process that reconciles. */
export const RECONCILER_LEASE = 'reconciler';

/**
 * The durable process that leaves no call and no stop behind: deadlines that passed, retries that
 * expired, questions that nobody answered, targets that can be asked, stops without a living owner.
 * Its progress is the events themselves; losing it at any moment loses nothing.
 */
@Injectable()
export class Reconciler {
  private readonly log = new Logger(Reconciler.name);
  private readonly instanceId = newInstanceId();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private problem = '';

  constructor(
    private readonly open: OpenSessions,
    private readonly forks: ForksToTell,
    private readonly sessions: SessionRepository,
    private readonly settle: SettleCalls,
    private readonly probes: SendProbes,
    private readonly handling: CommandHandling,
    private readonly reservations: ReconcileReservations,
    private readonly sweep: Sweep,
    private readonly parents: ParentStop,
    private readonly idle: IdleRuns,
    private readonly damaged: DamagedSessions,
    private readonly failing: FailingSessions,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(ALARMS) private readonly alarms: Alarms,
  ) {}

  start(): void {
    this.running ??= this.run(this.stopping.signal);
  }

  /** Waits for the steps that are under way, then leaves the rest to whoever wants it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /**
   * One pass over every session with open work and over forks that are to learn an outcome, a few
   * at a time: a slow target or a faulty session holds up no other. Answers when the next step of
   * any of them is due.
   */
  async reconcileAll(signal: AbortSignal): Promise<string | undefined> {
    await this.each(this.damaged.due(), signal, () => undefined);
    const times = await this.each(this.open.all(), signal, () => undefined);
    const told = await this.each(this.forks.some(), signal, (fork) => this.forks.failed(fork));
    await this.forks.remember();
    if (!signal.aborted) await this.reservations.whenDue();
    const soon = this.forks.hasMore ? [new Date(this.clock()).toISOString()] : [];
    return [...times, ...told, ...soon].sort()[0];
  }

  /** When the next step of each is due, of those that have one. */
  private async each(
    sessions: AsyncIterable<SessionName>,
    signal: AbortSignal,
    failed: (session: SessionName) => void,
  ): Promise<string[]> {
    const iterator = sessions[Symbol.asyncIterator]();
    const times: string[] = [];
    const work = async (): Promise<void> => {
      while (!signal.aborted) {
        const next = await iterator.next();
        if (next.done) return;
        const dueAt = await this.orLater(next.value, failed);
        if (dueAt !== undefined) times.push(dueAt);
      }
    };
    await Promise.all(Array.from({ length: SESSIONS_AT_ONCE }, work));
    return times;
  }

  /** Every stream once, whatever the read models say; what is found is told, and reconciled. */
  async sweepAll(signal: AbortSignal): Promise<SweepReport> {
    const swept = await this.sweep.all(signal);
    const report = { ...swept, findings: [...swept.findings, ...this.failing.findings()] };
    for (const { what, tenantId, sessionId, detail } of report.findings) {
      this.log.error(`session_${what}: session ${sessionId}: ${detail}`);
      if (!signal.aborted) await this.orLater({ tenantId, sessionId }, () => undefined);
    }
    await this.leases.forget(LEASES_KEPT_MS);
    const { sessions, findings } = report;
    this.log.log(`read ${sessions} sessions, ${findings.length} findings`);
    return report;
  }

  private async run(stop: AbortSignal): Promise<void> {
    const ttlMs = this.configuration.instanceLeaseTtlMs;
    const wish = { name: RECONCILER_LEASE, holder: this.instanceId, ttlMs };
    const hears = { owner: () => undefined, failed: (error: unknown) => this.failed(error) };
    await wheneverOwner(this.leases, wish, stop, hears, (signal) => this.own(signal));
  }

  /** Pass after pass, for as long as no other process does it. */
  private async own(signal: AbortSignal): Promise<void> {
    let sweepAtMs = this.clock() + SWEEP_AFTER_MS;
    while (!signal.aborted) {
      const startedMs = performance.now();
      let dueAt: string | undefined;
      try {
        dueAt = await this.reconcileAll(signal);
        if (this.clock() >= sweepAtMs) {
          sweepAtMs = this.clock() + SWEEP_EVERY_MS;
          await this.sweepAll(signal);
        }
        this.problem = '';
      } catch (error) {
        this.failed(error);
      }
      await pause(this.pauseMs(dueAt, performance.now() - startedMs), signal);
    }
  }

  private pauseMs(dueAt: string | undefined, passMs: number): number {
    const untilDueMs = dueAt === undefined ? SCAN_EVERY_MS : Date.parse(dueAt) - this.clock();
    const pauseMs = Math.max(untilDueMs, SCAN_PAUSE_MS_MIN, PAUSE_PER_PASS * passMs);
    return Math.min(pauseMs, SCAN_EVERY_MS);
  }

  /** Said once, for as long as it is the same. */
  private failed(error: unknown): void {
    const problem = String(error);
    if (problem !== this.problem) this.log.warn(`a pass failed: ${problem}`);
    this.problem = problem;
  }

  private async orLater(
    session: SessionName,
    failed: (session: SessionName) => void,
  ): Promise<string | undefined> {
    if (this.damaged.isSetAside(session)) return undefined;
    if (this.failing.hasToWait(session)) {
      failed(session);
      return undefined;
    }
    try {
      const dueAt = await this.reconcileOne(session);
      await this.damaged.isSound(session);
      this.failing.succeeded(session);
      return dueAt;
    } catch (error) {
      if (await this.damaged.isNoted(session, error)) return undefined;
      failed(session);
      this.failing.failed(session, error);
      return undefined;
    }
  }

  private async reconcileOne({ tenantId, sessionId }: SessionName): Promise<string | undefined> {
    const scope: CommandScope = { tenantId, sessionId, actor: 'reconciler' };
    const found = await this.sessions.loadCurrent(sessionStream(tenantId, sessionId));
    if (isBeingImported(found)) return undefined;
    const settled = await this.settle.all(scope, found);
    const asked = await this.probes.due(scope, settled);
    const state = asked === settled ? settled : await this.settle.all(scope, asked);
    if (await this.stopIsDue(scope, state)) await this.confirmStopped(scope, state);
    else await this.stopWithParent(scope, state);
    const lease = await this.leases.current(leaseName(scope));
    this.proveNotForgotten(scope, state, lease !== undefined);
    await this.idle.look(scope, state, lease !== undefined);
    return nextDueAt(state);
  }

  /** Every step that was due has been taken by now: what is left over is a defect. */
  private proveNotForgotten(scope: CommandScope, state: SessionState, leaseIsLive: boolean): void {
    const now = new Date(this.clock()).toISOString();
    const account = accountOf(state, leaseIsLive, now);
    if (account.class !== 'unaccounted') return;
    const calls = account.calls.join(', ');
    this.alarms('session_unaccounted');
    this.log.error(`session_unaccounted: session ${scope.sessionId}, calls ${calls}`);
  }

  private async stopIsDue(scope: CommandScope, state: SessionState): Promise<boolean> {
    const { run } = state;
    if (run?.status !== 'stopping' || run.stopRequestedAt === undefined) return false;
    if (this.clock() >= Date.parse(run.stopRequestedAt) + STOP_GRACE_MS) return true;
    return (await this.leases.current(leaseName(scope))) === undefined;
  }

  /** What a run has started stops with it. */
  private async stopWithParent(
    scope: CommandScope,
    { run, ...state }: SessionState,
  ): Promise<void> {
    const isOpen = run?.status === 'active' || run?.status === 'interrupted';
    if (!isOpen || !(await this.parents.isStopped(scope.tenantId, { ...state, run }))) return;
    const lease = leaseView(await this.leases.current(leaseName(scope)));
    await this.handling.handle(scope, ({ now }) => [stopWithParent(run.runId, now, lease)]);
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
