import { describe, expect, it } from '@jest/globals';
import { newBatch, newStream, wholeStream } from '../../test/support/event-batches.js';
import { appendSettled } from './append-settled.js';
import { AppendUnknownError, type EventStore, StoreUnavailableError } from './event-store.js';
import { MemoryEventStore } from './memory/memory-event-store.js';

type Failure = 'unknownBefore' | 'unknownAfter' | 'unavailable';

class FailingStore extends MemoryEventStore {
  sendings = 0;

  constructor(private readonly failures: Failure[]) {
    super();
  }

  override async append(...batch: Parameters<EventStore['append']>) {
    this.sendings += 1;
    const failure = this.failures.shift();
    if (failure === 'unavailable') throw new StoreUnavailableError('away', 1);
    if (failure === 'unknownBefore') throw new AppendUnknownError('lost');
    const outcome = await super.append(...batch);
    if (failure === 'unknownAfter') throw new AppendUnknownError('lost');
    return outcome;
  }
}

describe('an append that is settled', () => {
  it.each([
    [[], 0],
    [['unknownBefore'], 1],
    [['unknownAfter'], 1],
    [['unknownBefore', 'unknownAfter', 'unknownBefore'], 3],
  ] as [Failure[], number][])('is written once after %j', async (failures, resends) => {
    const store = new FailingStore([...failures]);
    const stream = newStream();
    const settled = await appendSettled(store, stream, 'noStream', newBatch(2));
    expect(settled).toMatchObject({ outcome: { outcome: 'written', revision: 1 }, resends });
    expect(await wholeStream(store, stream)).toHaveLength(2);
  });

  it('stays unknown when a later sending finds the store away: the first may stand', async () => {
    const store = new FailingStore(['unknownAfter', 'unavailable']);
    await expect(appendSettled(store, newStream(), 'noStream', newBatch(1))).rejects.toThrow(
      AppendUnknownError,
    );
    expect(store.sendings).toBe(2);
  });

  it('was not written when the store was away from the first', async () => {
    const store = new FailingStore(['unavailable']);
    await expect(appendSettled(store, newStream(), 'noStream', newBatch(1))).rejects.toThrow(
      StoreUnavailableError,
    );
    expect(store.sendings).toBe(1);
  });

  it('stays unknown when four sendings in a row are', async () => {
    const store = new FailingStore(Array.from({ length: 9 }, () => 'unknownBefore'));
    await expect(appendSettled(store, newStream(), 'noStream', newBatch(1))).rejects.toThrow(
      AppendUnknownError,
    );
    expect(store.sendings).toBe(4);
  });
});
