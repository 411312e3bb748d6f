import type { CommandOf, Fence, RequestedCall } from '../../src/domain/commands.js';
import type { CallState, SessionState } from '../../src/domain/state.js';
import { DISPATCH_WINDOW_MS, type ToolManifest } from '../../src/domain/tool-manifest.js';
import { type Handled, SESSION } from '../support/session-log.js';
import { dispatch } from './dispatch.js';
import type { World } from './world.js';
import { UNDO } from './world-tools.js';

export interface Permit {
  readonly callId: string;
  readonly attempt: number;
  /** When the worker asked for it: from then on the time to send is counted. */
  readonly askedAtMs: number;
}

/** A worker from one claim on. It follows the protocol, also when it owns nothing any more. */
export class Owner {
  alive = true;
  /** It has been told that it is not the owner; it only reports what still arrives. */
  lost = false;
  readonly permits: Permit[] = [];
  private readonly asking = new Set<string>();
  /** It asks for each permit once: two answers to one question would be used twice. */
  private readonly asked = new Set<string>();

  constructor(
    readonly world: World,
    readonly fence: Fence,
    readonly runId: string,
    private readonly tools: readonly ToolManifest[],
  ) {}

  get acts(): boolean {
    return this.alive && !this.lost;
  }

  /** A permit that it holds, or whose answer it may still get. */
  maySend(callId: string): boolean {
    return this.asking.has(callId) || this.permits.some((permit) => permit.callId === callId);
  }

  crash(): void {
    this.alive = false;
    this.permits.length = 0;
    this.asking.clear();
  }

  /** Fields of each of its commands. */
  owned(commandId: string) {
    return { commandId, now: this.world.now, fence: this.fence };
  }

  /** One thing that a worker may do now. */
  step(): void {
    const { choices, log } = this.world;
    const { state } = log;
    if (this.permits.length > 0 && !choices.oneIn(4)) return this.usePermit();
    if (choices.oneIn(40)) return this.leave();
    if (state.modelCall !== undefined) return this.endModelCall(state.modelCall.modelCallId);
    const waiting = Object.values(state.calls).filter(
      (call) => call.status === 'requested' || call.status === 'retryAuthorized',
    );
    if (waiting.length > 0) return this.startCall(choices.pick(waiting));
    const running = Object.values(state.calls).find((call) => call.status === 'running');
    if (running && !this.maySend(running.callId) && choices.oneIn(6)) {
      return this.tellUnknown(running);
    }
    if (choices.oneIn(8)) return this.endRun();
    if (state.compaction !== undefined) return this.endCompaction(state.compaction.compactionId);
    return choices.oneIn(10) ? this.compact() : this.askModel(state);
  }

  private askModel(state: SessionState): void {
    // The server holds its cost first, and there is nothing left to hold.
    if (!this.world.hasBudget) return;
    const modelCallId = this.world.id('model-call');
    const steering = state.pendingInputs.filter((input) => input.delivery === 'steer');
    this.send({
      type: 'StartModelCall',
      ...this.owned(modelCallId),
      modelCallId,
      messageId: this.world.id('message'),
      purpose: 'turn',
      deliver: steering.map(({ inputId }) => ({ inputId, messageId: `message-of-${inputId}` })),
    });
  }

  private endModelCall(modelCallId: string): void {
    const open = this.world.log.state.modelCall!;
    if (open.messageFinal) {
      return this.send({
        type: 'SettleModelCall',
        ...this.owned(`settle:${modelCallId}`),
        modelCallId,
        outcome: 'completed',
        providerReached: 'yes',
        callKey: modelCallId,
        further: [],
      });
    }
    const count = 1 + this.world.choices.below(3);
    const calls = Array.from({ length: count }, (_, ordinal) =>
      this.callFor(open.messageId, open.callsRecorded + ordinal),
    );
    this.send({
      type: 'RecordAssistantMessage',
      ...this.owned(`message:${modelCallId}:${open.partsRecorded}`),
      modelCallId,
      part: open.partsRecorded,
      final: !this.world.choices.oneIn(8),
      blocks: [],
      calls,
    });
  }

  /** The model obeys only sometimes: it asks again for what it has asked for before. */
  private callFor(messageId: string, ordinal: number): RequestedCall {
    const { choices, watch } = this.world;
    const earlier = [...watch.calls.values()].filter(({ request }) => request.tool !== UNDO.name);
    const again = earlier.length > 0 && choices.oneIn(3) ? choices.pick(earlier) : undefined;
    const manifest =
      this.tools.find((tool) => tool.name === again?.request.tool) ?? choices.pick(this.tools);
    const callId = `${messageId}:${ordinal}`;
    return {
      callId,
      ordinal,
      tool: manifest.name,
      manifest,
      opKey: `key-of-${callId}`,
      argsHash: again?.request.argsHash ?? this.world.id('args'),
      args: {},
    };
  }

  startCall(call: CallState): void {
    const attempt = call.attempts.reduce((most, one) => Math.max(most, one.attempt), 0) + 1;
    const commandId = `start:${call.callId}:${attempt}:${this.fence.epoch}`;
    if (this.asked.has(commandId)) return;
    this.asked.add(commandId);
    const permit = { callId: call.callId, attempt, askedAtMs: this.world.nowMs };
    const { world } = this;
    if (world.rules.sendBeforePermit) this.permits.push(permit);
    const command = {
      type: 'StartToolCall',
      ...this.owned(commandId),
      callId: call.callId,
      attempt,
      timeoutMs: 20_000,
      latestNow: world.latestFor(call),
    } as const;
    world.send(command, (handled) => {
      this.heed(handled);
      const started = world.log.state.calls[call.callId];
      if (handled.kind === 'accepted' && started !== undefined) world.clocks.started(started);
      if (handled.kind === 'rejected' || world.rules.sendBeforePermit) return;
      if (!world.choices.oneIn(8)) return void this.permits.push(permit);
      // The answer got lost. The worker asks again, in vain or not.
      this.asking.add(call.callId);
      world.later(world.choices.below(8_000), () => {
        this.asking.delete(call.callId);
        if (!this.acts) return;
        const again = world.log.decide(command);
        if (again.kind === 'repeated' && again.receipt !== undefined) this.permits.push(permit);
      });
    });
  }

  usePermit(): void {
    const permit = this.permits.shift()!;
    const lateMs = this.world.nowMs - permit.askedAtMs;
    if (lateMs > DISPATCH_WINDOW_MS && !this.world.rules.noDispatchLimit) {
      return this.report(permit, { status: 'noEffect', scope: 'attempt' });
    }
    dispatch(this, permit);
  }

  /** As owner while it is that, and through the late path when it is told otherwise. */
  report(permit: Permit, answer: Pick<CommandOf<'RecordToolResult'>, 'status' | 'scope'>): void {
    const { callId, attempt } = permit;
    const odd = this.world.choices.oneIn(60) ? ':told-otherwise' : '';
    const result = {
      ...answer,
      callId,
      attempt,
      resultHash: `${callId}:${attempt}${odd}`,
      result: { isError: answer.status === 'noEffect', content: 'an answer' },
    };
    const late = () => this.world.reportLate({ ...result, claimedEpoch: this.fence.epoch });
    if (!this.acts) return late();
    const command = { type: 'RecordToolResult', ...this.owned(this.world.id('result')) } as const;
    this.world.send({ ...command, ...result }, (handled) => {
      this.heed(handled);
      if (handled.kind === 'rejected') late();
      else this.world.watch.reported(callId, attempt);
    });
  }

  tellUnknown(call: CallState): void {
    this.send({
      type: 'ReportToolUnknown',
      ...this.owned(this.world.id('unknown')),
      callId: call.callId,
      attempt: call.attempts.at(-1)!.attempt,
      reason: 'transport',
    });
  }

  private compact(): void {
    const place = { sessionId: SESSION, revision: this.world.log.state.revision };
    const compactionId = this.world.id('compaction');
    this.send({
      type: 'StartCompaction',
      ...this.owned(compactionId),
      compactionId,
      coveredFrom: place,
      coveredTo: place,
      keptFrom: place,
      trigger: 'auto',
    });
  }

  private endCompaction(compactionId: string): void {
    const fields = { ...this.owned(`end:${compactionId}`), compactionId };
    if (this.world.choices.oneIn(3)) return this.send({ type: 'FailCompaction', ...fields });
    const content = { summary: '', openCalls: [], trigger: 'auto' as const };
    this.send({ type: 'CommitCompaction', ...fields, ...content });
  }

  endRun(): void {
    this.send({
      type: 'CompleteRun',
      ...this.owned(this.world.id('complete')),
      runId: this.runId,
    });
  }

  private leave(): void {
    const { runId, world } = this;
    const fields = { ...this.owned(world.id('leave')), runId };
    switch (world.choices.below(3)) {
      case 0:
        return this.send({ type: 'InterruptRun', ...fields });
      case 1:
        return this.send({ type: 'ReleaseRun', ...fields, reason: 'waiting' });
      default:
        return this.send({ type: 'FailRun', ...fields, errorClass: 'agent', message: '' });
    }
  }

  private send(command: Parameters<World['send']>[0]): void {
    this.world.send(command, (handled) => this.heed(handled));
  }

  private heed(handled: Handled): void {
    const ended = ['stale_epoch', 'run_ended', 'session_quarantined'];
    if (handled.kind === 'rejected' && ended.includes(handled.rejection.code)) this.lost = true;
  }
}
