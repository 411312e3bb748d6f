import { sessionOfStream } from '../../identity/derived-ids.js';
import type { ArtifactOwner } from '../artifact-store.js';
import type { EventStore } from '../event-store.js';
import { MissingKeyError } from '../missing-key-error.js';
import { lostKeys } from '../storage-open-error.js';
import type { SessionKeys } from './session-keys.js';

const EVENTS_LOOKED_AT = 100;
const SESSION_STREAMS = 'session-';

/** The sessions that the log begins with; none when nothing was recorded yet. */
export async function firstSessions(events: EventStore): Promise<readonly ArtifactOwner[]> {
  const filter = { streamPrefix: SESSION_STREAMS };
  const page = await events.readAll(0n, EVENTS_LOOKED_AT, filter);
  const streams = new Set(page.events.map(({ stream }) => stream));
  return [...streams].flatMap((stream) => sessionOfStream(stream) ?? []);
}

/**
 * Whether the keys belong to the log: the first session of it that was not erased can be opened. A
 * server with other keys would keep new ones beside them, and whoever brings the right ones back
 * would lose what was recorded meanwhile.
 * @throws StorageOpenError
 */
export async function refuseLostKeys(
  sessions: readonly ArtifactOwner[],
  keys: SessionKeys,
  keysDir: string,
): Promise<void> {
  for (const owner of sessions) {
    try {
      const access = await keys.of(owner);
      if (access?.kind === 'open') return;
    } catch (error) {
      if (error instanceof MissingKeyError) throw lostKeys(keysDir, error.message, error);
      // A damaged event hides nothing: it is told where it is read.
    }
  }
}
