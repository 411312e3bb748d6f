const positionPattern = /^(0|[1-9]\d{0,18})$/;

/** A place in the log as clients see it: opaque, ordered by the store, a decimal string. */
export type ReadPosition = string;

export function formatReadPosition(position: bigint): ReadPosition {
  return position.toString();
}

/** @throws InvalidReadPositionError when the text was not made by `formatReadPosition`. */
export function parseReadPosition(text: string): bigint {
  if (!positionPattern.test(text)) throw new InvalidReadPositionError(text);
  return BigInt(text);
}

export class InvalidReadPositionError extends Error {
  constructor(text: string) {
    super(`"${text.slice(0, 40)}" is no position of the log; use one that a write or read gave`);
    this.name = 'InvalidReadPositionError';
  }
}

export class PositionAheadError extends Error {
  constructor(position: ReadPosition, head: ReadPosition) {
    super(`nothing was written as far as ${position} yet: the log ends at ${head}`);
    this.name = 'PositionAheadError';
  }
}
