import {
  type AppendOutcome,
  AppendUnknownError,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
} from './event-store.js';
import { pause } from './pause.js';

const RESENDS_MAX = 3;
const FIRST_WAIT_MS = 20;

export interface SettledAppend {
  readonly outcome: AppendOutcome;
  /** How often the batch was sent again. */
  readonly resends: number;
}

/**
 * Appends; an unknown outcome is settled by sending the identical batch again, never another one.
 * @throws AppendUnknownError when it stays unknown: also when a later sending says that nothing
 *   was written, which tells nothing of the one before.
 */
export async function appendSettled(
  store: EventStore,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<SettledAppend> {
  let unknown: AppendUnknownError | undefined;
  for (let resends = 0; ; resends += 1) {
    try {
      return { outcome: await store.append(stream, expected, events), resends };
    } catch (error) {
      if (!(error instanceof AppendUnknownError)) throw unknown ?? error;
      unknown = error;
      if (resends >= RESENDS_MAX) throw error;
      await pause(FIRST_WAIT_MS * (resends + 1));
    }
  }
}
