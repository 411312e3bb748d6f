/** What the server answers instead of a result. */
export class ServerError extends Error {
  constructor(
    readonly code: number,
    readonly codeName: string,
    message: string,
    readonly labels: readonly string[] = [],
  ) {
    super(message);
    this.name = codeName;
  }
}

/** Whatever this double does not know is an error: a silent wrong answer would be worse. */
export function unsupported(what: string): ServerError {
  return new ServerError(9, 'FailedToParse', `the double does not support ${what}`);
}

export function writeConflict(): ServerError {
  return new ServerError(112, 'WriteConflict', 'Write conflict during plan execution', [
    'TransientTransactionError',
  ]);
}

export function duplicateKey(namespace: string, index: string): ServerError {
  const text = `E11000 duplicate key error collection: ${namespace} index: ${index}`;
  return new ServerError(11000, 'DuplicateKey', text);
}
