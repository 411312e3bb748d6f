import type { ArtifactOwner } from './artifact-store.js';
import { StoreUnavailableError } from './event-store.js';

export const KEY_MISSING_RETRY_SECONDS = 60;

/** Its events are there, and the key store does not have their key. */
export class MissingKeyError extends StoreUnavailableError {
  constructor({ sessionId }: ArtifactOwner) {
    super(
      `the key of session ${sessionId} is not among the session keys, or was wrapped with another ` +
        'installation’s secret; restore the keys folder from its backup',
      KEY_MISSING_RETRY_SECONDS,
    );
    this.name = 'MissingKeyError';
  }
}
