import { endOfLog } from '../storage/end-of-log.js';
import type { EventStore, RecordedEvent } from '../storage/event-store.js';
import type {
  DocumentWrite,
  ReadModelDocument,
  ReadModelStore,
} from '../storage/read-model-store.js';
import { APPLIED, type Generation } from './generation.js';

const ID = 'last';

export function lastApplied(
  generation: Generation,
  { stream, revision, eventId }: RecordedEvent,
): DocumentWrite {
  const document: ReadModelDocument = { stream, revision, eventId };
  return { collection: generation.collection(APPLIED), id: ID, document };
}

/**
 * False when the log was restored from an older copy since: it lacks what the documents show, or
 * ends before the position from which they would be continued, so that new events were passed over.
 */
export async function isInLog(
  events: EventStore,
  readModels: ReadModelStore,
  generation: Generation,
): Promise<boolean> {
  const position = await readModels.position(generation.positionName);
  if (position > (await events.headPosition()) && position > (await endOfLog(events))) return false;
  const last = await readModels.get(generation.collection(APPLIED), ID);
  if (last === undefined) return true;
  const { stream, revision, eventId } = last as {
    stream: string;
    revision: number;
    eventId: string;
  };
  const [found] = await events.read(stream, { from: revision, maxCount: 1 });
  return found?.eventId === eventId;
}
