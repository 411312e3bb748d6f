import type { EventOf, SessionEvent } from '../../src/domain/events.js';
import { tool } from './commands.js';

/** What undoes a payment. */
export const VOID = tool({ name: 'void_payment', effect: 'keyedWrite', keyWindowMs: 86_400_000 });

export function undoOrdered(
  given: Partial<EventOf<'ToolCompensationRequested'>['data']> = {},
): SessionEvent {
  return {
    type: 'ToolCompensationRequested',
    data: {
      callId: 'call-1',
      compensationCallId: 'undo-1',
      runId: 'run-1',
      tool: VOID.name,
      manifest: VOID,
      opKey: 'key-of-undo-1',
      argsHash: 'args-of-undo-1',
      args: { callId: 'call-1' },
      ...given,
    },
  };
}

/** It has been undone. */
export const UNDONE: readonly SessionEvent[] = [
  {
    type: 'ToolCompensationRecorded',
    data: { callId: 'call-1', compensationCallId: 'undo-1', verdict: 'undone' },
  },
  {
    type: 'ToolOutcomeResolved',
    data: { callId: 'call-1', verdict: 'compensated', basis: 'compensation' },
  },
];
