import type { CommandOf, SessionCommand } from '../../src/domain/commands.js';
import type { SessionEvent } from '../../src/domain/events.js';
import type { ResolvedVerdict } from '../../src/domain/events/tool-events.js';
import { forkedFrom } from '../../src/domain/forked.js';
import { type CallStatus, callsOf } from '../../src/domain/state.js';
import { manifestOf } from '../../src/domain/tool-manifest.js';
import { SESSION, SessionLog } from '../support/session-log.js';
import { TOOL_NAMED } from './world-tools.js';
import type { World } from './world.js';

const FINAL: ReadonlySet<CallStatus> = new Set<ResolvedVerdict>([
  'completed',
  'failed',
  'applied',
  'notApplied',
  'abandoned',
  'compensated',
]);

interface Inherited {
  readonly stateAtCut: string;
  readonly tool: string;
  readonly argsHash: string;
  /** As the fork has been told. */
  outcome?: CallStatus;
}

/** A fork of the session: it works on, and whoever meddles with calls of its origin does so here. */
export class Fork {
  private readonly log: SessionLog;
  private readonly inherited = new Map<string, Inherited>();
  private readonly own = new Map<string, { readonly isTwin: boolean }>();
  private epoch = 0;
  private readonly id: string;

  constructor(private readonly world: World) {
    this.id = world.id('fork');
    this.log = new SessionLog(this.id, world.rules.decide);
    const { state } = world.log;
    const fork = { forkId: this.id, recoveryMode: 'auto' as const };
    const forked = forkedFrom(state, state, fork, world.now);
    for (const { callId, stateAtCut, tool, argsHash } of forked.inherited) {
      this.inherited.set(callId, { stateAtCut, tool, argsHash });
    }
    this.send({ type: 'ForkSession', ...this.common('fork'), forked });
  }

  step(): void {
    const { choices } = this.world;
    if (choices.oneIn(3)) return this.learn();
    if (choices.oneIn(2)) return this.meddle();
    this.work();
  }

  /** What the origin has found out by now; the same again is nothing new. */
  learn(): void {
    const { watch, log } = this.world;
    for (const [callId, { stateAtCut, outcome }] of this.inherited) {
      const state = watch.calls.get(callId)?.status;
      const isNews = state !== undefined && FINAL.has(state) && state !== outcome;
      if (stateAtCut === 'requested' || !isNews) continue;
      const data = { callId, originSessionId: SESSION, originRevision: log.state.revision };
      this.send({
        type: 'RecordInheritedOutcome',
        ...this.common('learnt'),
        callId,
        outcome: { ...data, state: state as ResolvedVerdict },
      });
    }
  }

  /** Both are at rest: then they agree (I-25). */
  checkEnd(): void {
    this.learn();
    for (const [callId, { stateAtCut, outcome }] of this.inherited) {
      const origin = this.world.watch.calls.get(callId)?.status;
      if (stateAtCut !== 'requested' && outcome !== origin) {
        this.world.violated('I-25', `a call is ${origin}, and ${outcome} in the fork`);
      }
    }
  }

  /** Everything that settles or starts a call, for calls that only the origin may touch. */
  private meddle(): void {
    const { choices, now } = this.world;
    const callIds = [...this.inherited.keys()];
    if (callIds.length === 0) return;
    const callId = choices.pick(callIds);
    const evidence = { method: 'GET', target: 'https://target.test', observedAt: now };
    const common = { ...this.common('meddle'), callId };
    this.send({ type: 'ReconcileCall', ...common, escalationId: this.world.id('escalation') });
    this.send({
      type: 'RecordProbe',
      ...common,
      source: 'operator',
      requestedAt: now,
      answer: 'found',
      evidence,
    });
    this.send({ type: 'DecideEscalation', ...common, decision: 'abandon' });
  }

  /** One turn of its own model, which asks for what the origin is still in the middle of. */
  private work(): void {
    const { world } = this;
    const inputId = world.id('input');
    this.send({
      type: 'AcceptInput',
      ...this.common('input'),
      inputId,
      delivery: 'queue',
      resume: true,
      content: [],
      author: 'user-1',
    });
    this.claim();
    const owned = () => ({
      ...this.common('owned'),
      fence: { epoch: this.epoch, claimTokenHash: this.id },
    });
    for (const callId of this.inherited.keys()) this.start(callId, owned());
    const modelCallId = world.id('model-call');
    const messageId = world.id('message');
    const call = { modelCallId, messageId, purpose: 'turn', deliver: [] } as const;
    this.send({ type: 'StartModelCall', ...owned(), ...call });
    const wishes = [...this.inherited.values()].slice(0, 2);
    const calls = wishes.map(({ tool, argsHash }, ordinal) => ({
      callId: `${messageId}:${ordinal}`,
      ordinal,
      tool,
      manifest: manifestOf(tool, this.log.state.tools),
      opKey: `key-of-${messageId}:${ordinal}`,
      argsHash,
      args: {},
    }));
    const message = { modelCallId, part: 0, final: true, blocks: [], calls };
    this.send({ type: 'RecordAssistantMessage', ...owned(), ...message });
    const settled = { outcome: 'completed', providerReached: 'yes', further: [] } as const;
    this.send({
      type: 'SettleModelCall',
      ...owned(),
      ...settled,
      modelCallId,
      callKey: modelCallId,
    });
    for (const { callId } of callsOf(this.log.state)) this.start(callId, owned());
    this.send({ type: 'FailRun', ...owned(), runId: this.runId, errorClass: 'agent', message: '' });
  }

  private start(
    callId: string,
    owned: Pick<CommandOf<'StartToolCall'>, 'commandId' | 'now' | 'fence'>,
  ) {
    const attempt = (this.log.state.calls[callId]?.attempts.length ?? 0) + 1;
    this.send({ type: 'StartToolCall', ...owned, callId, attempt, timeoutMs: 20_000 });
  }

  private get runId(): string {
    return this.log.state.run?.runId ?? '';
  }

  private claim(): void {
    this.send({
      type: 'ClaimRun',
      ...this.common('claim'),
      runId: this.log.state.run?.runId ?? this.world.id('run'),
      workerId: 'worker-of-the-fork',
      claimTokenHash: this.id,
      leaseTtlMs: 30_000,
      lease: { live: false },
      kind: 'agent',
      force: false,
      messageIdOf: (inputId) => `message-of-${inputId}`,
    });
    this.epoch = this.log.state.epoch;
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
    world.watch.count(event);
    if (event.type === 'ToolCallRequested') this.requested(event.data);
    if (!('callId' in event.data)) return;
    const { callId } = event.data;
    const inherited = this.inherited.get(callId);
    if (event.type === 'InheritedOutcomeRecorded') {
      if (inherited !== undefined) inherited.outcome = event.data.state;
      return;
    }
    if (inherited !== undefined) {
      if (event.type === 'ToolCallStarted') this.dispatched(callId, inherited.tool);
      world.violated('I-25', `${event.type} of an inherited call in a fork`);
    }
    if (event.type === 'ToolCallStarted' && this.own.get(callId)?.isTwin) {
      world.violated('I-14', 'the twin of an inherited call was started');
    }
  }

  private requested({
    callId,
    tool,
    argsHash,
    effect,
  }: {
    readonly callId: string;
    readonly tool: string;
    readonly argsHash: string;
    readonly effect: string;
  }): void {
    const isTwin = [...this.inherited.values()].some(
      (other) =>
        effect !== 'readOnly' &&
        other.stateAtCut !== 'requested' &&
        other.outcome === undefined &&
        other.tool === tool &&
        other.argsHash === argsHash,
    );
    this.own.set(callId, { isTwin });
  }

  /** It reaches the same target as the origin's own attempt, under the same key. */
  private dispatched(callId: string, toolName: string): void {
    const { target, watch, nowMs } = this.world;
    const { request } = watch.calls.get(callId)!;
    target.departs(callId);
    target.lands(callId, request.opKey, TOOL_NAMED.get(toolName)!, nowMs);
  }
}
