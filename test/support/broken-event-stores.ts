import type {
  AllPage,
  AppendOutcome,
  EventStore,
  EventToAppend,
  ExpectedRevision,
} from '../../src/storage/event-store.js';
import { MemoryEventStore } from '../../src/storage/memory/memory-event-store.js';

/** Says that all went well, and keeps nothing. */
export function doNothingEventStore(): EventStore {
  return {
    append: async (_stream, expected, events) => written(expected, events.length),
    read: async () => [],
    head: async () => 'noStream',
    findByKeys: async () => [],
    readAll: async (after) => ({ events: [], next: after, caughtUp: true }),
    headPosition: async () => 0n,
    storeId: async () => '',
    // eslint-disable-next-line require-yield
    async *subscribeAll() {},
    loadSnapshot: async () => undefined,
    saveSnapshot: async () => {},
    dropSnapshots: async () => {},
    close: async () => {},
  };
}

function written(expected: ExpectedRevision, count: number): AppendOutcome {
  const revision = (expected === 'noStream' ? -1 : expected) + count;
  return { outcome: 'written', revision, position: BigInt(revision + 1), repeated: false };
}

/** Acknowledges whole batches and keeps all but the last event of each. */
export class LosesLastEvent extends MemoryEventStore {
  override async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    const outcome = await super.append(stream, expected, events.slice(0, -1));
    return outcome.outcome === 'written' ? written(expected, events.length) : outcome;
  }
}

/** Writes whatever the expectation was. */
export class IgnoresExpectation extends MemoryEventStore {
  override async append(
    stream: string,
    _expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    const head = await this.head(stream);
    return super.append(stream, head, events);
  }
}

/** Each page begins one event too late, as a wrong comparison would have it. */
export class SkipsOneEvent extends MemoryEventStore {
  override async readAll(...parameters: Parameters<EventStore['readAll']>): Promise<AllPage> {
    const [after, maxCount, filter] = parameters;
    const page = await super.readAll(after + 1n, maxCount, filter);
    return page.events.length > 0 ? page : { ...page, next: after };
  }
}
