import { Injectable } from '@nestjs/common';
import { automaticStep } from '../domain/next-step.js';
import type { SessionEvent } from '../domain/events.js';
import { type SessionState, callsOf } from '../domain/state.js';
import { derivedId } from '../identity/derived-ids.js';
import type { CommandScope } from './command-scope.js';
import { CommandHandling } from './handle-command.js';
import { InheritOutcomes } from './inherit-outcomes.js';
import { SteadyTimes } from './steady-times.js';

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
  ) {}

  async all(scope: CommandScope, from: SessionState): Promise<SessionState> {
    let state = await this.inherit.all(scope, from);
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const callId = this.nextDue(state);
      if (callId === undefined) return state;
      state = await this.step(scope, callId);
    }
    return state;
  }

  private nextDue(state: SessionState): string | undefined {
    const now = new Date(this.handling.nowMs()).toISOString();
    const latestNow = this.times.latestNow();
    return callsOf(state).find((call) => {
      // Known from the first look on, so that its waits begin.
      const isHeldBack = this.times.isHeldBack(call);
      const step = automaticStep(call, state, now, 'due', latestNow);
      return step !== undefined && !(isHeldBack && isAllowedByTime(step));
    })?.callId;
  }

  private async step(scope: CommandScope, callId: string): Promise<SessionState> {
    const own = { ...scope, idempotencyKey: undefined, ifRevision: undefined };
    const { state } = await this.handling.handle(own, (context) => [
      {
        type: 'ReconcileCall',
        commandId: derivedId('reconcile', callId, context.state.revision),
        now: context.now,
        callId,
        latestNow: context.latestNow,
        escalationId: derivedId('escalation', scope.sessionId, callId, context.state.revision),
      },
    ]);
    return state;
  }
}

function isAllowedByTime({ type, data }: SessionEvent): boolean {
  return type === 'ToolRetryAuthorized' && data.basis === 'keyedWithinWindow';
}
