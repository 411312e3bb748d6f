import type { SessionCommand } from '../../src/domain/commands.js';
import type { SessionEvent } from '../../src/domain/events.js';
import { Rejection } from '../../src/domain/rejection.js';
import { followsParent, isStoppedWithParent, refuseSpawning } from '../../src/domain/spawning.js';
import { SESSION, SessionLog } from '../support/session-log.js';
import type { Owner } from './owner.js';
import type { World } from './world.js';

const RULE = '15.3';

/** A session that a tool call has started: it works by itself, until its parent's run is stopped. */
export class Child {
  private readonly log: SessionLog;
  private readonly id: string;
  private readonly detached: boolean;
  private readonly token: string;
  /** Runs that it has had, the open one included. */
  private runs = 0;
  private isStopping = false;

  private constructor(
    private readonly world: World,
    private readonly spawningRunId: string,
    spawningCallId: string,
  ) {
    this.id = world.id('child');
    this.token = `token-of-${this.id}`;
    this.log = new SessionLog(this.id, world.rules.decide);
    this.detached = world.choices.oneIn(4);
    const parent = { sessionId: SESSION, edge: 'subagent', spawningCallId } as const;
    this.send({
      type: 'StartSession',
      ...this.common('start'),
      sessionId: this.id,
      labels: {},
      profile: { name: 'agent', version: '1' },
      tools: [],
      recoveryMode: 'auto',
      parent: { ...parent, detached: this.detached },
      ancestors: [SESSION],
    });
    this.wish();
    world.watch.happened('child started');
  }

  /** Any owner tries, also one that was replaced and does not know it. */
  static spawnedBy(owner: Owner): Child | undefined {
    const { world, fence } = owner;
    const { watch, log, rules } = world;
    const calls = [...watch.calls].filter(([, { request }]) => request.runId === owner.runId);
    const open = calls.filter(([, { isOpen, starts }]) => isOpen && starts.length > 0);
    if (calls.length === 0) return undefined;
    const [callId, call] = world.choices.pick(open.length > 0 ? open : calls);
    try {
      (rules.refuseSpawning ?? refuseSpawning)(log.state, fence, callId);
    } catch (error) {
      if (error instanceof Rejection) return undefined;
      throw error;
    }
    if (!watch.isOwner(fence)) world.violated(RULE, `a child was started in epoch ${fence.epoch}`);
    if (watch.stoppedRuns.has(owner.runId)) {
      world.violated(RULE, 'a child was started by a run that was stopped');
    }
    if (call.starts.length === 0 || !call.isOpen) {
      world.violated(RULE, `a child was started by a call that is ${call.status}`);
    }
    return new Child(world, owner.runId, callId);
  }

  step(): void {
    const { choices } = this.world;
    if (choices.oneIn(3)) return this.reconcile();
    if (choices.oneIn(6)) return this.wish();
    if (this.log.state.run === undefined || choices.oneIn(4)) return this.claim();
    if (choices.oneIn(3)) return this.complete();
    this.work();
  }

  /** Nothing that its parent's stop has to end goes on (§14). */
  checkEnd(): void {
    this.reconcile();
    if (this.runs === 1 && this.log.state.run !== undefined && this.mustStop) {
      if (!this.isStopping)
        this.world.violated(RULE, 'a child goes on after its parent was stopped');
    }
  }

  private get mustStop(): boolean {
    return !this.detached && this.world.watch.stoppedRuns.has(this.spawningRunId);
  }

  private wish(): void {
    const inputId = this.world.id('input');
    const common = { ...this.common('input'), inputId, content: [], author: 'user-1' };
    this.send({ type: 'AcceptInput', ...common, delivery: 'queue', resume: true });
  }

  /** With the look at its parent that each claim has. */
  private claim(): void {
    const isStopped = this.isStoppedWithParent();
    const before = this.log.state.epoch;
    this.send({
      type: 'ClaimRun',
      ...this.common('claim'),
      runId: this.log.state.run?.runId ?? this.world.id('run'),
      workerId: 'worker-of-the-child',
      claimTokenHash: this.token,
      leaseTtlMs: 30_000,
      lease: { live: false },
      kind: 'agent',
      force: false,
      messageIdOf: (id) => `message-of-${id}`,
    });
    if (this.log.state.epoch === before) return;
    if (isStopped) this.stop();
    if (this.runs === 1 && this.mustStop && !this.isStopping) {
      this.world.violated(RULE, 'a child was run although its parent was stopped');
    }
  }

  private reconcile(): void {
    const { run } = this.log.state;
    if (run?.status === 'stopping') {
      const common = this.common('stopped');
      return this.send({ type: 'ConfirmStopped', ...common, runId: run.runId, by: 'reconciler' });
    }
    const isOpen = run?.status === 'active' || run?.status === 'interrupted';
    if (isOpen && this.isStoppedWithParent()) this.stop();
  }

  private isStoppedWithParent(): boolean {
    if (!followsParent(this.log.state)) return false;
    const { log, rules } = this.world;
    const runId = this.spawningRunId;
    const wasStopped = log.records.some(
      ({ event }) => event.type === 'RunStopped' && event.data.runId === runId,
    );
    return (rules.isStoppedWithParent ?? isStoppedWithParent)(log.state, { runId, wasStopped });
  }

  private stop(): void {
    const { runId } = this.log.state.run!;
    const rest = { dropPendingInputs: false, lease: { live: false } };
    this.send({ type: 'StopRun', ...this.common('stop'), runId, ...rest });
  }

  private work(): void {
    const modelCallId = this.world.id('model-call');
    const messageId = this.world.id('message');
    const call = { modelCallId, messageId, purpose: 'turn', deliver: [] } as const;
    this.send({ type: 'StartModelCall', ...this.owned(), ...call });
    const end = { outcome: 'completed', providerReached: 'yes', further: [] } as const;
    const settled = { modelCallId, callKey: modelCallId, ...end };
    this.send({ type: 'SettleModelCall', ...this.owned(), ...settled });
  }

  private complete(): void {
    const runId = this.log.state.run?.runId ?? '';
    this.send({ type: 'CompleteRun', ...this.owned(), runId });
  }

  private owned() {
    const fence = { epoch: this.log.state.epoch, claimTokenHash: this.token };
    return { ...this.common('owned'), fence };
  }

  private common(kind: string) {
    return { commandId: this.world.id(kind), now: this.world.now };
  }

  private send(command: SessionCommand): void {
    const handled = this.log.handle(command);
    if (handled.kind === 'accepted') for (const event of handled.events) this.see(event);
  }

  private see(event: SessionEvent): void {
    const { world } = this;
    if (event.type === 'RunClaimed' && event.data.reason === 'start') {
      this.runs += 1;
      this.isStopping = false;
    }
    if (event.type === 'ModelCallStarted' && this.isStopping) {
      world.violated('I-20', 'a child asked its model after it was stopped');
    }
    if (event.type !== 'StopRequested') return;
    this.isStopping = true;
    if (this.runs > 1 || !this.mustStop) {
      world.violated(RULE, 'a child was stopped, and its parent was not, or it was its user’s run');
    }
    world.watch.happened('child stopped');
  }
}
