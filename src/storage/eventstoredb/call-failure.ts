import esdb from '@eventstore/db-client';

/** A call that got no answer in time: what it asked for may have been done. */
export class CallTimeoutError extends Error {
  constructor(what: string, timeoutMs: number) {
    super(`no answer to ${what} within ${timeoutMs} ms`);
    this.name = 'CallTimeoutError';
  }
}

/** What a failed call means. Everything that is not known for certain is `unknown`. */
export type CallFailure = 'streamNotFound' | 'streamDeleted' | 'denied' | 'invalid' | 'unknown';

const INVALID_ARGUMENT = 3;

export function failureOf(error: unknown): CallFailure {
  if (!(error instanceof Error) || !esdb.isCommandError(error)) return 'unknown';
  switch (error.type) {
    case esdb.ErrorType.STREAM_NOT_FOUND:
      return 'streamNotFound';
    case esdb.ErrorType.STREAM_DELETED:
      return 'streamDeleted';
    case esdb.ErrorType.ACCESS_DENIED:
      return 'denied';
    case esdb.ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED:
    case esdb.ErrorType.INVALID_ARGUMENT:
      return 'invalid';
    default:
      return error.code === INVALID_ARGUMENT ? 'invalid' : 'unknown';
  }
}

/** Waiting does not cure it: somebody has to look. */
export function isLasting(error: unknown): boolean {
  const failure = failureOf(error);
  return failure === 'invalid' || failure === 'denied' || failure === 'streamDeleted';
}

export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? error.name : error.message;
}
