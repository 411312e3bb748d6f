import { ChangedEventError } from '../changed-event-error.js';
import { type EventStore, type RecordedEvent } from '../event-store.js';
import { chainIn, chainOf, chainSeed } from './chain.js';

const HEADS_KEPT_MAX = 10_000;
const READ_PAGE = 500;

interface Place {
  readonly revision: number;
  readonly chain: string;
}

/** The newest known value of each stream's chain. */
export class StreamChains {
  private readonly heads = new Map<string, Place>();

  constructor(private readonly store: EventStore) {}

  /** The value with the event at `revision`; undefined when there is none. */
  async at(stream: string, revision: number): Promise<string | undefined> {
    const known = this.heads.get(stream);
    if (known?.revision === revision) return known.chain;
    const [stored] = await this.store.read(stream, { from: revision, to: revision, maxCount: 1 });
    if (stored === undefined) return undefined;
    return chainIn(stored.metadata) ?? this.computed(stream, revision);
  }

  /**
   * Compares the values of neighbouring events, and with the newest known one.
   * @throws ChangedEventError
   */
  check(stream: string, events: readonly RecordedEvent[]): void {
    let before = this.before(stream, events[0]);
    let isChained = false;
    for (const stored of events) {
      const chain = chainIn(stored.metadata);
      const expected = before && chainOf(before, stored);
      // Once events are chained, none comes without.
      const isChanged = chain === undefined ? isChained : (expected ?? chain) !== chain;
      if (isChanged) throw new ChangedEventError(stored);
      isChained = chain !== undefined;
      before = chain ?? expected;
    }
    const last = events.at(-1);
    if (last !== undefined && before !== undefined) this.note(stream, last.revision, before);
  }

  note(stream: string, revision: number, chain: string): void {
    const known = this.heads.get(stream);
    if (known !== undefined && known.revision > revision) return;
    this.heads.delete(stream);
    this.heads.set(stream, { revision, chain });
    const [oldest] = this.heads.keys();
    if (this.heads.size > HEADS_KEPT_MAX && oldest !== undefined) this.heads.delete(oldest);
  }

  forget(stream: string): void {
    this.heads.delete(stream);
  }

  private before(stream: string, first: RecordedEvent | undefined): string | undefined {
    if (first === undefined) return undefined;
    if (first.revision === 0) return chainSeed(stream);
    const known = this.heads.get(stream);
    return known?.revision === first.revision - 1 ? known.chain : undefined;
  }

  /** Of a stream that was begun before events were chained: over all of it. */
  private async computed(stream: string, revision: number): Promise<string | undefined> {
    let chain = chainSeed(stream);
    for (let from = 0; from <= revision;) {
      const page = await this.store.read(stream, { from, to: revision, maxCount: READ_PAGE });
      if (page.length === 0) return undefined;
      for (const stored of page) chain = chainOf(chain, stored);
      from += page.length;
    }
    return chain;
  }
}
