import type { SessionState } from '../domain/state.js';
import type { CommandScope } from './command-scope.js';

/** Three decisions in a row met another writer. */
export class VersionConflictError extends Error {
  constructor(readonly stream: string) {
    super('other writers were faster three times in a row; send the request again');
    this.name = 'VersionConflictError';
  }
}

/** The sender's If-Match names another revision than the session has. */
export class PreconditionFailedError extends Error {
  constructor(
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`the session is at revision ${actual}, not at ${expected}; read it again`);
    this.name = 'PreconditionFailedError';
  }
}

/** A repeated command is answered as before; only what is new depends on the revision. */
export function checkPrecondition({ ifRevision }: CommandScope, { revision }: SessionState): void {
  if (ifRevision !== undefined && ifRevision !== revision) {
    throw new PreconditionFailedError(ifRevision, revision);
  }
}
