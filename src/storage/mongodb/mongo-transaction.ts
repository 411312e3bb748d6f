import {
  type ClientSession,
  type MongoClient,
  MongoError,
  MongoErrorLabel,
  type TransactionOptions,
} from 'mongodb';
import { DURABLE } from './mongo-connection.js';

/** The driver's own loop would go on for two minutes, and a shutdown would wait for it. */
const RETRY_MS_MAX = 10_000;
const OPTIONS: TransactionOptions = { ...DURABLE, readConcern: { level: 'snapshot' } };

/**
 * Runs the work again after a conflict, so it looks at nothing but the server. An error may come
 * although all was written, when the answer to the commit is lost for good.
 */
export async function inTransaction<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + RETRY_MS_MAX;
  return client.withSession(async (session) => {
    for (;;) {
      try {
        session.startTransaction(OPTIONS);
        const result = await work(session);
        await commit(session, deadline);
        return result;
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction();
        if (!mayRetry(error, MongoErrorLabel.TransientTransactionError, deadline)) throw error;
      }
    }
  });
}

async function commit(session: ClientSession, deadline: number): Promise<void> {
  for (;;) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!mayRetry(error, MongoErrorLabel.UnknownTransactionCommitResult, deadline)) throw error;
    }
  }
}

function mayRetry(error: unknown, label: string, deadline: number): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label) && performance.now() < deadline;
}
