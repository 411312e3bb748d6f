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

/** False when the log was restored from an older copy since: it lacks what the documents show. */
export async function isInLog(
  events: EventStore,
  readModels: ReadModelStore,
  generation: Generation,
): Promise<boolean> {
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
