import { AcceptInput } from '../../src/commands/accept-input/accept-input.handler.js';
import { DecideApproval } from '../../src/commands/decide-approval/decide-approval.handler.js';
import { DecideEscalation } from '../../src/commands/decide-escalation/decide-escalation.handler.js';
import type { ForkSessionBody } from '../../src/commands/fork-session/fork-session.dto.js';
import { ForkSession } from '../../src/commands/fork-session/fork-session.handler.js';
import { ResumeSession } from '../../src/commands/resume-session/resume-session.handler.js';
import { StartSession } from '../../src/commands/start-session/start-session.handler.js';
import { StopRun } from '../../src/commands/stop-run/stop-run.handler.js';
import { Rejection } from '../../src/domain/rejection.js';
import { callsOf } from '../../src/domain/state.js';
import type { Client } from './client.js';
import { TENANT } from './server.js';
import { DELEGATE_TOOL, SERVICE_TOOLS, type Service, UNDO_TOOL } from './service.js';

/** A person: starts the session, writes, stops, resumes, and answers what they are asked, truly. */
export class User {
  private readonly scope;
  private deeds = 0;

  constructor(
    private readonly client: Client,
    private readonly service: Service,
    readonly sessionId: string,
    /** Whether calls of the session may start others. */
    readonly delegates: boolean,
  ) {
    this.scope = { tenantId: TENANT, sessionId, actor: 'user-1' };
  }

  async begin(): Promise<void> {
    const { sessionId } = this;
    const body = {
      sessionId,
      labels: {},
      profile: { name: 'agent', version: '1' },
      tools: [...SERVICE_TOOLS, UNDO_TOOL, DELEGATE_TOOL],
      recoveryMode: 'auto' as const,
    };
    await this.client.ask(new StartSession(this.scope, body));
    await this.write();
  }

  /** One thing that a person may do now; what is refused was no longer possible. */
  async act(): Promise<void> {
    const { choices } = this.client.network.scheduler;
    const { write, stop, resume, decide, approve } = this;
    const deed = choices.pick([write, stop, resume, decide, decide, approve, approve]);
    await deed.call(this).catch(onlyRefused);
  }

  /** Answers whatever question is open. */
  async answer(): Promise<void> {
    await this.approve().catch(onlyRefused);
    await this.decide().catch(onlyRefused);
  }

  /** Wakes what waits for a person to go on. */
  async resume(): Promise<void> {
    await this.client.ask(new ResumeSession(this.keyed(), {}));
  }

  private async write(): Promise<void> {
    this.deeds += 1;
    const inputId = `input-${this.deeds}`;
    const input = { inputId, content: 'Go on.', role: 'user', delivery: 'queue' as const };
    await this.client.ask(new AcceptInput(this.scope, { ...input, resume: true }));
  }

  private async stop(): Promise<void> {
    const { run } = await this.client.stateOf(this.sessionId);
    if (run === undefined) return;
    const body = { dropPendingInputs: false };
    await this.client.ask(new StopRun(this.keyed(), { runId: run.runId, body }));
  }

  private async decide(): Promise<void> {
    const state = await this.client.stateOf(this.sessionId);
    const asked = callsOf(state).find(({ status }) => status === 'awaitingHuman');
    if (asked === undefined) return;
    const { callId, opKey, escalation } = asked;
    const happened = this.service.effectsOf(opKey) > 0;
    const canUndo = asked.tool === 'book' || asked.tool === 'order';
    const undoes = canUndo && !this.client.network.scheduler.choices.oneIn(3);
    const decision = undoes ? 'compensate' : happened ? 'applied' : 'abandon';
    const body = { decision, escalationId: escalation!.escalationId } as const;
    await this.client.ask(new DecideEscalation(this.keyed(), { callId, body }));
  }

  /** Allows most of what waits for it. */
  private async approve(): Promise<void> {
    const state = await this.client.stateOf(this.sessionId);
    const asked = callsOf(state).find(
      ({ status, approval }) =>
        status === 'requested' && approval?.decision === undefined && approval,
    );
    if (asked === undefined) return;
    const isDenied = this.client.network.scheduler.choices.oneIn(4);
    const body = { decision: isDenied ? 'deny' : 'allow' } as const;
    await this.client.ask(new DecideApproval(this.keyed(), { callId: asked.callId, body }));
  }

  /** The fork goes on with whatever was under way here. */
  async fork(forkId: string): Promise<void> {
    const body = { forkId, recoveryMode: 'auto' } as const;
    await this.client.ask(new ForkSession(this.scope, body as ForkSessionBody));
  }

  /** A deed without an id of its own: sent again after a lost answer, it is the same deed. */
  private keyed() {
    this.deeds += 1;
    return { ...this.scope, idempotencyKey: `deed-${this.deeds}-in-${this.sessionId}` };
  }
}

export function onlyRefused(error: unknown): void {
  if (!(error instanceof Rejection)) throw error;
}
