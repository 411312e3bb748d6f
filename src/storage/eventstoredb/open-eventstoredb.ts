import { StorageOpenError } from '../storage-open-error.js';
import { textOf } from './call-failure.js';
import { EventStoreDbEventStore, type EventStoreDbOptions } from './eventstoredb-event-store.js';
import { serverAddress } from './server-address.js';

/**
 * Connects, and asks the server for its newest event.
 * @throws StorageOpenError when the address is none, or nobody answers there.
 */
export async function openEventStoreDb({
  url,
  ...options
}: EventStoreDbOptions): Promise<EventStoreDbEventStore> {
  const address = serverAddress(url);
  const store = new EventStoreDbEventStore({ ...options, url: address.url });
  try {
    await store.headPosition();
    return store;
  } catch (cause) {
    await store.close();
    throw new StorageOpenError(
      'notReachable',
      `EventStoreDB at ${address.shown} cannot be used: ${textOf(cause)}. Is it running there, ` +
        'do user and password hold, and does tls=false stand in HOLDFAST_EVENTSTORE_URL when, and ' +
        'only when, it serves without TLS?',
      { cause },
    );
  }
}
