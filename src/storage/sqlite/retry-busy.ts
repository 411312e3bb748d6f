import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../event-store.js';
import { fairTurn } from '../fair-turn.js';
import { isBusy, isDiskFull, sqliteCode } from './sqlite-error.js';

const BUSY_WAIT_MS_MAX = 30_000;
const RETRY_SECONDS = 5;

/**
 * Runs work that writes nothing when it throws. While another process holds the lock it waits
 * without blocking the event loop.
 * @throws StoreUnavailableError instead of SQLite's own errors.
 */
export async function retryBusy<Result>(file: string, work: () => Result): Promise<Result> {
  await fairTurn();
  const deadline = performance.now() + BUSY_WAIT_MS_MAX;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (isBusy(error) && performance.now() < deadline) {
        await sleep(1 + Math.random() * 10);
        continue;
      }
      const code = sqliteCode(error);
      if (code === undefined) throw error;
      const reason = isDiskFull(error) ? 'the disk is full' : code;
      throw new StoreUnavailableError(`${file} cannot be used now: ${reason}`, RETRY_SECONDS, {
        cause: error,
      });
    }
  }
}
