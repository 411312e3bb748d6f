import { ChangedEventError } from './changed-event-error.js';
import { UnreadableEventError } from './event-codec.js';

/** A stored event is not what was written: reading it again changes nothing until it is repaired. */
export function isEventDamage(error: unknown): error is ChangedEventError | UnreadableEventError {
  return error instanceof ChangedEventError || error instanceof UnreadableEventError;
}
