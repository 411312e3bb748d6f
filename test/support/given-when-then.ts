import type { SessionCommand } from '../../src/domain/commands.js';
import type { SessionEvent } from '../../src/domain/events.js';
import type { RejectionCode } from '../../src/domain/rejection.js';
import type { CallStatus, SessionState } from '../../src/domain/state.js';
import { at } from './commands.js';
import { inShort } from './events.js';
import { SESSION, SessionLog } from './session-log.js';

/** What came of the command, on the log that it was decided on. */
export interface Then {
  /** The command's events, the code of its rejection, or that it had been done before. */
  readonly outcome: readonly SessionEvent[] | RejectionCode | 'repeated';
  /** The same with each event as one phrase, such as `ToolOutcomeUnknown(deadline)`. */
  readonly short: readonly string[] | RejectionCode | 'repeated';
  readonly facts: Readonly<Record<string, unknown>>;
  readonly state: SessionState;
  readonly callStatus: (callId?: string) => CallStatus | undefined;
}

interface When {
  /** Handles the commands in order; `Then` is about the last one. */
  when(...commands: readonly SessionCommand[]): Then;
  readonly state: SessionState;
  readonly log: SessionLog;
}

/** Given what has happened. Lists may be nested, so that scenes are put together from parts. */
export function given(...events: readonly (SessionEvent | readonly SessionEvent[])[]): When {
  const log = new SessionLog(SESSION);
  events.flat().forEach((event, index) => {
    log.append({ type: 'Given', commandId: `given-${index}`, now: at(0) }, [event]);
  });
  return {
    log,
    state: log.state,
    when: (...commands) => {
      commands.slice(0, -1).forEach((command) => log.handle(command));
      return then(log, commands.at(-1)!);
    },
  };
}

function then(log: SessionLog, command: SessionCommand): Then {
  const handled = log.handle(command);
  const outcome =
    handled.kind === 'accepted'
      ? handled.events
      : handled.kind === 'rejected'
        ? handled.rejection.code
        : 'repeated';
  return {
    outcome,
    short: typeof outcome === 'string' ? outcome : outcome.map(inShort),
    facts: handled.kind === 'rejected' ? handled.rejection.facts : {},
    state: log.state,
    callStatus: (callId = 'call-1') => log.state.calls[callId]?.status,
  };
}
