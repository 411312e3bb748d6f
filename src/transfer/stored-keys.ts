import { keysOf } from '../domain/past.js';
import { sessionOfStream } from '../identity/derived-ids.js';
import { EventCodec, UnreadableEventError } from '../storage/event-codec.js';
import type { RecordedEvent } from '../storage/event-store.js';
import { keysOfLedgerEvent } from '../storage/ledger-event-codec.js';

const LEDGERS = 'budget-';
const codec = new EventCodec();

/** The keys that the event was stored with: they follow from the event itself. */
export function storedKeys(stored: RecordedEvent): readonly string[] {
  if (stored.stream.startsWith(LEDGERS)) return keysOfLedgerEvent(stored);
  if (sessionOfStream(stored.stream) === undefined) return [];
  try {
    const { event, metadata } = codec.decode(stored);
    return keysOf(event, metadata);
  } catch (error) {
    // What nobody can read is found by nobody; it is moved as it is.
    if (error instanceof UnreadableEventError) return [];
    throw error;
  }
}
