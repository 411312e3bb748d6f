import { Injectable } from '@nestjs/common';
import { automaticStep } from '../domain/next-step.js';
import { type CallState, type SessionState, callsOf, owesUndo } from '../domain/state.js';
import type { RegisteredTools } from '../domain/tenant/tools.js';
import { derivedId } from '../identity/derived-ids.js';
import { compensationOf } from './compensation-of.js';
import type { CommandScope } from './command-scope.js';
import { CommandHandling } from './handle-command.js';
import { InheritOutcomes } from './inherit-outcomes.js';
import { TenantRepository } from './tenant-repository.js';
import { SteadyTimes } from './steady-times.js';
import { own } from '../domain/own.js';

/** More steps than any call can take in a row: a guard against a defect, not a limit of use. */
const STEPS_MAX = 500;

/**
 * Takes every automatic step that is due for a session's tool calls: unknown by deadline, retry
 * authorized, abandoned, escalated; a fork learns what its origin knows. One step is one append;
 * it never makes a tool call.
 */
@Injectable()
export class SettleCalls {
  constructor(
    private readonly handling: CommandHandling,
    private readonly inherit: InheritOutcomes,
    private readonly times: SteadyTimes,
    private readonly tenants: TenantRepository,
  ) {}

  async all(scope: CommandScope, from: SessionState): Promise<SessionState> {
    let state = await this.inherit.all(scope, from);
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const callId = this.nextDue(state);
      if (callId === undefined) return state;
      state = await this.step(scope, callId, await this.toolsFor(scope, own(state.calls, callId)));
    }
    return state;
  }

  private nextDue(state: SessionState): string | undefined {
    const now = new Date(this.handling.nowMs()).toISOString();
    // What was done last is undone first.
    const owed = callsOf(state).findLast(owesUndo);
    if (owed !== undefined && state.run?.status !== 'quarantined') return owed.callId;
    return callsOf(state).find((call) => {
      // Known from the first look on, so that its waits begin.
      const latestNow = this.times.latestFor(call);
      return automaticStep(call, state, now, 'due', latestNow) !== undefined;
    })?.callId;
  }

  /** Of the tenant, where one of them has to be looked up. */
  private async toolsFor(
    { tenantId }: CommandScope,
    call: CallState | undefined,
  ): Promise<RegisteredTools> {
    const isNeeded = call !== undefined && owesUndo(call);
    return isNeeded ? (await this.tenants.current(tenantId)).tools : {};
  }

  private async step(
    scope: CommandScope,
    callId: string,
    registered: RegisteredTools,
  ): Promise<SessionState> {
    const unasked = { ...scope, idempotencyKey: undefined, ifRevision: undefined };
    const { state } = await this.handling.handle(unasked, (context) => {
      const call = own(context.state.calls, callId);
      const isOwed = call !== undefined && owesUndo(call);
      return [
        {
          type: 'ReconcileCall',
          commandId: derivedId('reconcile', callId, context.state.revision),
          now: context.now,
          callId,
          latestNow: call && context.latestFor(call),
          compensation: isOwed ? compensationOf(call, context, registered) : undefined,
          escalationId: derivedId('escalation', scope.sessionId, callId, context.state.revision),
        },
      ];
    });
    return state;
  }
}
