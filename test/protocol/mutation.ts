import type { SessionCommand } from '../../src/domain/commands.js';
import { type Decision, decide } from '../../src/domain/decide.js';
import type { SessionEvent } from '../../src/domain/events.js';
import type { Past } from '../../src/domain/past.js';
import type { CallState, SessionState } from '../../src/domain/state.js';
import type { Decide } from '../support/session-log.js';
import { ALL_RULES, type Rules } from './world.js';

/** The protocol with one rule taken away. Each one has to be found out (protocol, §20). */
export interface Mutation {
  readonly name: string;
  readonly rules: Rules;
  /** Effects are doubled, or reported wrongly: the target alone tells. */
  readonly showsInTheWorld?: true;
}

type ChangeEvent = (event: SessionEvent, state: SessionState) => readonly SessionEvent[];

export function withDecide(
  change: (command: SessionCommand, state: SessionState, past: Past) => Decision,
) {
  return { ...ALL_RULES, decide: change as Decide };
}

export function withEvents(change: ChangeEvent): Rules {
  return withDecide((command, state, past) => {
    const decision = decide(command, state, past);
    if (decision.kind !== 'accepted') return decision;
    const events = decision.events.flatMap((event) => change(event, state));
    return events.length === 0
      ? { kind: 'repeated', payloadDiffers: false }
      : { ...decision, events };
  });
}

export function withCalls(
  state: SessionState,
  change: (call: CallState) => CallState,
): SessionState {
  const calls = Object.entries(state.calls).map(([callId, call]) => [callId, change(call)]);
  return { ...state, calls: Object.fromEntries(calls) as SessionState['calls'] };
}
