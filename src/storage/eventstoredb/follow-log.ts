import type { AllPage } from '../event-store.js';
import { StoreUnavailableError } from '../event-store.js';
import { pause } from '../pause.js';
import { AllSubscription } from './all-subscription.js';
import { isLasting, textOf } from './call-failure.js';
import { backOffMs } from './connection-times.js';
import type { EsdbConnection } from './esdb-connection.js';

const FIRST_BACK_OFF_MS = 100;

export interface FollowLogOptions {
  readonly after: bigint;
  readonly maxCount: number;
  readonly streamPrefix: string;
  readonly signal: AbortSignal;
  /** Hears why a subscription had to be made anew. */
  readonly report: (problem: string) => void;
}

/**
 * Pages for ever, over any number of subscriptions: each goes on where the last page ended.
 * @throws what waiting does not cure, and StoreUnavailableError when the store was closed.
 */
export async function* followLog(
  connection: EsdbConnection,
  { after, maxCount, streamPrefix, signal, report }: FollowLogOptions,
): AsyncGenerator<AllPage, void, void> {
  let position = after;
  let isFirst = true;
  const stop = AbortSignal.any([signal, connection.signal]);
  for (let failures = 0; !stop.aborted;) {
    const subscription = new AllSubscription(connection, { after: position, streamPrefix });
    try {
      for (;;) {
        const page = await subscription.nextPage(position, { maxCount, isFirst, signal: stop });
        if (page === undefined) break;
        isFirst = false;
        failures = 0;
        position = page.next;
        yield page;
      }
    } catch (error) {
      if (isLasting(error)) throw cannotFollow(position, error);
      failures += 1;
      report(`subscription to $all, try ${failures}: ${textOf(error)}`);
    } finally {
      await subscription.close();
    }
    if (failures === 0) continue;
    await pause(backOffMs(failures, FIRST_BACK_OFF_MS, connection.times.resubscribeMaxMs), stop);
  }
  if (!signal.aborted) connection.checkOpen();
}

function cannotFollow(position: bigint, cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError(
    `EventStoreDB does not serve $all after position ${position}: ${textOf(cause)}. If the ` +
      'server is another one than before, or was restored, the read models must be rebuilt',
    5,
    { cause },
  );
}
