import { evolve } from '../../domain/evolve.js';
import { initialState } from '../../domain/state.js';
import { sessionStream } from '../../identity/derived-ids.js';
import { ImportError } from '../import-error.js';
import type { ImportPorts } from '../log-format.js';
import type { SurveyedSession } from './survey-session-file.js';

/** How much of a session of the file is here already. */
export interface Standing {
  /** So many of its events, from the first one on. */
  readonly events: number;
  readonly isWhole: boolean;
}

const READ_PAGE = 500;

/**
 * The stream has to be the beginning of what the file holds, or to go on after it.
 * @throws ImportError (session_differs) for another history under the same id, and where only an
 *   import that broke off may go on.
 */
export async function standingOf(
  session: SurveyedSession,
  here: {
    readonly ports: ImportPorts;
    readonly sessionId: string;
    readonly eventIdOf: (eventId: string) => string;
  },
): Promise<Standing> {
  const { events, codec, tenantId } = here.ports;
  const { eventIds } = session;
  const stream = sessionStream(tenantId, here.sessionId);
  let state = initialState;
  let known = 0;
  for (let from = 0; from < eventIds.length;) {
    const page = await events.read(stream, { from, maxCount: READ_PAGE });
    for (const stored of page.slice(0, eventIds.length - from)) {
      if (stored.eventId !== here.eventIdOf(eventIds[known]!)) throw differs(here.sessionId, known);
      state = evolve(state, codec.decode(stored).event);
      known += 1;
    }
    if (page.length < READ_PAGE) break;
    from += page.length;
  }
  const isWhole = known === eventIds.length;
  const goesOn = known === 0 || (state.imported && state.epoch === 0);
  if (!isWhole && !goesOn) throw differs(here.sessionId, known);
  return { events: known, isWhole };
}

function differs(sessionId: string, revision: number): ImportError {
  return new ImportError(
    'session_differs',
    `session ${sessionId} is here with another history from event ${revision} on; import the ` +
      'file with newIds to get a second session',
    { sessionId, revision },
  );
}
