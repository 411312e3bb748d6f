import { ClaimRun } from '../../src/commands/claim-run/claim-run.handler.js';
import {
  CommitCompaction,
  FailCompaction,
  StartCompaction,
} from '../../src/commands/compact/compact.handler.js';
import { CompleteRun, FailRun, ReleaseRun } from '../../src/commands/end-run/end-run.handler.js';
import { Heartbeat } from '../../src/commands/heartbeat/heartbeat.handler.js';
import {
  RecordToolResult,
  ReportLateResult,
} from '../../src/commands/record-tool-result/record-tool-result.handler.js';
import { ReportToolUnknown } from '../../src/commands/report-tool-unknown/report-tool-unknown.handler.js';
import { SettleModelCall } from '../../src/commands/settle-model-call/settle-model-call.handler.js';
import { StartModelCall } from '../../src/commands/start-model-call/start-model-call.handler.js';
import { StartToolCall } from '../../src/commands/start-tool-call/start-tool-call.handler.js';
import { ConfirmStopped } from '../../src/commands/stop-run/stop-run.handler.js';
import { Rejection } from '../../src/domain/rejection.js';
import type { RunKind } from '../../src/domain/run-state.js';
import { type CallState, callsOf } from '../../src/domain/state.js';
import { DISPATCH_WINDOW_MS } from '../../src/domain/tool-manifest.js';
import type { Client } from './client.js';
import { TENANT } from './server.js';
import { delegated } from './delegated.js';
import { DELEGATE_TOOL, SERVICE_TOOLS, type Served, type Service } from './service.js';

const HEARTBEAT_MS = 10_000;
const TIMEOUT_MS = 20_000;
const TURNS = 2;
/** After so many refused attempts to go on it gives the session back. */
const PATIENCE = 6;
/** What can be undone is asked for more often than the rest. */
const WISHES = [...SERVICE_TOOLS.map(({ name }) => name), 'book', 'book', 'order'];
const DELEGATING = [...WISHES, DELEGATE_TOOL.name, DELEGATE_TOOL.name];

/** A worker from its claim on, as the protocol wants it (§8.7). It may die or sleep at any await. */
export class Worker {
  private readonly scope;
  private readonly claimToken: string;
  private epoch = 0;
  private runId = '';
  private kind: RunKind = 'agent';
  /** It was told that it owns nothing any more; its answers go the late way. */
  private lost = false;
  private turns = 0;

  constructor(
    private readonly client: Client,
    private readonly service: Service,
    private readonly sessionId: string,
    private readonly name: string,
    /** The model knows how to start other sessions. */
    private readonly delegates: boolean,
  ) {
    this.scope = { tenantId: TENANT, sessionId, actor: name };
    this.claimToken = `secret of ${name}`;
  }

  async run(): Promise<void> {
    try {
      await this.claim();
      void this.heartbeats();
      for (let refused = 0; refused < PATIENCE && !this.lost;) {
        if (!(await this.goOn())) refused += 1;
        await this.scheduler.sleep(this.client.actor, 2_000);
      }
      if (!this.lost) await this.own(ReleaseRun, { runId: this.runId }, { reason: 'waiting' });
    } catch (error) {
      await this.giveUp(error);
    }
    this.lost = true;
  }

  private get scheduler() {
    return this.client.network.scheduler;
  }

  private async claim(): Promise<void> {
    const body = {
      workerId: this.name,
      claimToken: this.claimToken,
      runId: `run-of-${this.name}`,
      kind: 'agent' as const,
      force: false,
    };
    const { state } = await this.client.ask(new ClaimRun(this.scope, body));
    const run = state.run;
    // A claim that was answered again after its run is over, or after somebody else's.
    if (run === undefined) throw new Rejection('run_ended', 'the run is over');
    this.epoch = state.epoch;
    this.runId = run.runId;
    this.kind = run.kind;
  }

  private async heartbeats(): Promise<void> {
    while (!this.lost) {
      await this.scheduler.sleep(this.client.actor, HEARTBEAT_MS);
      const { runId, owner } = this;
      const command = new Heartbeat(this.scope, { runId, body: owner });
      await this.client.ask(command).catch(() => (this.lost = true));
    }
  }

  /** False: nothing could be done now. */
  private async goOn(): Promise<boolean> {
    const state = await this.client.stateOf(this.sessionId);
    const calls = callsOf(state).filter(isMine);
    if (calls.length > 0) {
      await Promise.all(calls.map((call) => this.makeCall(call)));
      return true;
    }
    try {
      // Without faults what is left is finished, and nothing new is begun.
      const isDone = this.turns >= TURNS || !this.client.network.faults;
      if (isDone || this.kind === 'compensation') await this.end();
      else await this.turn();
      return true;
    } catch (error) {
      if (isWaiting(error)) return false;
      throw error;
    }
  }

  private async end(): Promise<void> {
    const { runId } = this;
    const fails = this.kind === 'agent' && this.scheduler.choices.oneIn(3);
    const failure = { errorClass: 'agent', message: 'no way on' };
    if (fails) await this.own(FailRun, { runId }, failure);
    else await this.own(CompleteRun, { runId }, {});
    this.lost = true;
  }

  /** What can be summarised is; it may be interrupted like everything else. */
  private async compact(): Promise<void> {
    const compactionId = `compaction-${this.turns}-of-${this.name}`;
    const wish = { compactionId, trigger: 'auto', keepGroups: 0, withinTurn: true };
    const started = new StartCompaction(this.scope, { ...this.owner, ...wish } as never);
    const { state } = await this.client.ask(started);
    if (state.compaction?.compactionId !== compactionId) return;
    if (this.scheduler.choices.oneIn(3)) await this.own(FailCompaction, { compactionId }, {});
    else await this.own(CommitCompaction, { compactionId }, { summary: 'It went on.' });
  }

  private async turn(): Promise<void> {
    const { choices } = this.scheduler;
    if (choices.oneIn(3)) {
      await this.compact().catch((error: unknown) => {
        if (!(error instanceof Rejection) || isEnd(error)) throw error;
      });
    }
    this.turns += 1;
    const modelCallId = `model-call-${this.turns}-of-${this.name}`;
    const started = { modelCallId, messageId: `${modelCallId}:message`, purpose: 'turn' as const };
    const sent = new StartModelCall(this.scope, { ...this.owner, ...started, delivers: [] });
    await this.client.ask(sent).catch((error: unknown) => {
      this.turns -= 1;
      throw error;
    });
    const calls = Array.from({ length: this.turns < TURNS ? 1 + choices.below(3) : 0 }, () => ({
      type: 'toolCall' as const,
      tool: choices.pick(this.delegates ? DELEGATING : WISHES),
      args: { of: choices.below(3) },
    }));
    const text = { type: 'text' as const, text: 'I go on.' };
    const usage = { input_tokens: 100 + choices.below(900), output_tokens: choices.below(90) };
    const answer = { message: [text, ...calls], usage, api: 'messages' };
    const body = { ...this.owner, outcome: 'completed' as const, ...answer };
    await this.client.ask(new SettleModelCall(this.scope, { modelCallId, body }));
  }

  /** The permit first; then the call, once; then what is certain about it. */
  private async makeCall({ callId, tool, opKey, retry }: CallState): Promise<void> {
    const attempt = retry?.nextAttempt ?? 1;
    const askedAtMs = this.scheduler.nowMs;
    const permit = { callId, attempt };
    try {
      await this.own(StartToolCall, { callId }, { attempt });
    } catch (error) {
      if (isEnd(error)) throw error;
      return;
    }
    if (this.scheduler.nowMs - askedAtMs > DISPATCH_WINDOW_MS) {
      return this.report(permit, { status: 'noEffect' });
    }
    const answer =
      tool === DELEGATE_TOOL.name
        ? delegated(this.client, this.scope, callId, this.owner)
        : this.service.send(tool, opKey);
    const timedOut = this.scheduler.sleep(this.client.actor, TIMEOUT_MS).then(() => undefined);
    const served = await Promise.race([answer, timedOut]);
    await this.scheduler.turn(this.client.actor);
    if (served !== undefined) return this.report(permit, served);
    void answer.then(async (late) => {
      await this.scheduler.turn(this.client.actor);
      await this.reportLate(permit, late);
    });
    await this.own(ReportToolUnknown, { callId }, { attempt, reason: 'transport' }).catch(
      (error: unknown) => {
        if (isEnd(error)) throw error;
      },
    );
  }

  private async report(permit: Permit, { status }: Served): Promise<void> {
    const { callId, attempt } = permit;
    const body = { attempt, ...answerOf(status) };
    try {
      await this.own(RecordToolResult, { callId }, body);
    } catch (error) {
      await this.reportLate(permit, { status });
      if (isEnd(error)) throw error;
    }
  }

  /** Never refused: it does not matter who owns the session now. */
  private async reportLate({ callId, attempt }: Permit, { status }: Served): Promise<void> {
    const body = { attempt, claimedEpoch: this.epoch, ...answerOf(status) };
    await this.client.ask(new ReportLateResult(this.scope, { callId, body }));
  }

  /** Its run was stopped, ended, quarantined, or belongs to somebody else. */
  private async giveUp(error: unknown): Promise<void> {
    this.lost = true;
    if (!(error instanceof Rejection)) throw error;
    if (error.code !== 'run_stopped') return;
    const { runId, owner } = this;
    const command = new ConfirmStopped(this.scope, { runId, body: owner });
    await this.client.ask(command).catch(() => undefined);
  }

  private get owner() {
    return { epoch: this.epoch, claimToken: this.claimToken };
  }

  private own(
    command: new (scope: never, body: never) => object,
    names: object,
    body: object,
  ): Promise<unknown> {
    const request = { ...names, body: { ...this.owner, ...body } };
    return this.client.ask(new command(this.scope as never, request as never));
  }
}

interface Permit {
  readonly callId: string;
  readonly attempt: number;
}

function answerOf(status: Served['status']) {
  const scope = status === 'noEffect' ? ('attempt' as const) : undefined;
  return { status, scope, isError: false, content: 'an answer' };
}

function isMine({ status, approval }: CallState): boolean {
  const isAllowed = approval === undefined || approval.decision === 'allow';
  return (status === 'requested' && isAllowed) || status === 'retryAuthorized';
}

const WAITING = new Set(['open_calls', 'waiting_calls']);
const END = new Set(['stale_epoch', 'run_ended', 'run_stopped', 'session_quarantined', 'owned']);

function isWaiting(error: unknown): boolean {
  return error instanceof Rejection && WAITING.has(error.code);
}

function isEnd(error: unknown): boolean {
  return error instanceof Rejection && END.has(error.code);
}
