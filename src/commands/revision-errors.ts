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
