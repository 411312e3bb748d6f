import { MongoAPIError, MongoError, MongoServerError } from 'mongodb';
import { StoreUnavailableError } from '../event-store.js';

const RETRY_SECONDS = 2;
export const DUPLICATE_KEY = 11_000;

/** What the driver throws after its client was closed, although it calls it a wrong use. */
const CLOSED = new Set([
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoTopologyClosedError',
]);

/**
 * Runs work on MongoDB. Whether a write that failed was done is not known; every write of these
 * adapters is guarded, so that doing it again is safe.
 * @throws StoreUnavailableError instead of the driver's own errors.
 */
export async function onMongo<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}

/** The same for pieces that come one after the other. */
export async function* eachOnMongo<Piece>(pieces: AsyncIterable<Piece>): AsyncIterable<Piece> {
  try {
    yield* pieces;
  } catch (error) {
    throw translated(error);
  }
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

function translated(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  // A wrong use of the driver is a fault of this program, and waiting would not cure it.
  if (error instanceof MongoAPIError && !CLOSED.has(error.name)) return error;
  return new StoreUnavailableError(
    `MongoDB cannot be used now: ${error.message} (${error.name})`,
    RETRY_SECONDS,
    { cause: error },
  );
}
