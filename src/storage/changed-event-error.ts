import type { RecordedEvent } from './event-store.js';

/** A stored event is not the one that was written, or one before it is not. */
export class ChangedEventError extends Error {
  constructor({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>) {
    super(
      `event ${revision} of ${stream} was changed after it was written, or an event before it; ` +
        '`holdfast verify` names the first one',
    );
    this.name = 'ChangedEventError';
  }
}
