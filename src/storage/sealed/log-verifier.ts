import { createHash } from 'node:crypto';
import { sessionOfStream, sessionStream } from '../../identity/derived-ids.js';
import type { EventStore, RecordedEvent } from '../event-store.js';
import { chainNext, chainOf, chainSeed, partsOf } from './chain.js';
import { sealIn } from './event-seal.js';
import { StreamChains } from './stream-chains.js';

const STREAMS_KEPT_MAX = 50_000;

/** The first place at which the log is not what it was. */
export interface BrokenPlace {
  readonly position: bigint;
  readonly stream?: string;
  readonly revision?: number;
  readonly reason: string;
}

/** What is true of the log up to a position. */
export interface LogSum {
  readonly position: bigint;
  readonly eventCount: number;
  /** Over the ids and chain values of all events in their order. */
  readonly rollingHash: string;
}

export const EMPTY_LOG: LogSum = {
  position: 0n,
  eventCount: 0,
  rollingHash: createHash('sha256').update('holdfast log 1').digest('hex'),
};

interface Known {
  readonly revision: number;
  readonly chain: string;
  readonly isChained: boolean;
}

/** Takes the events as they are stored, in the order of the log, and needs no keys for it. */
export class LogVerifier {
  private readonly known = new Map<string, Known>();
  private readonly chains: StreamChains;

  /** @param chainedAfter every event behind this position holds a chain value. */
  constructor(
    private readonly store: EventStore,
    public sum: LogSum = EMPTY_LOG,
    public chainedAfter?: bigint,
  ) {
    this.chains = new StreamChains(store);
  }

  async take(stored: RecordedEvent): Promise<BrokenPlace | undefined> {
    const { stream, revision, position } = stored;
    const reason = await this.faultOf(stored);
    return reason === undefined ? undefined : { position, stream, revision, reason };
  }

  private async faultOf(stored: RecordedEvent): Promise<string | undefined> {
    const { stream, revision, position } = stored;
    if (position <= this.sum.position) return 'its position is not behind the one before it';
    const before = await this.before(stored);
    if (typeof before === 'string') return before;
    const { chain, seal } = partsOf(stored.metadata);
    const expected = chainOf(before.chain, stored);
    if (chain === undefined) {
      const isNew = this.chainedAfter !== undefined && position > this.chainedAfter;
      if (before.isChained || isNew || sealIn(stored.data) !== undefined) {
        return 'it holds no chain value, and every event here has one';
      }
    } else if (chain !== expected) {
      return 'it was changed after it was written, or the event before it was';
    }
    if (seal?.prefix !== undefined && !(await this.isForkOf(stored, seal.prefix))) {
      return 'the session that it was forked from is not the one of that time';
    }
    this.remember(stream, { revision, chain: expected, isChained: chain !== undefined });
    const link = chain ?? chainNext('', stored);
    this.sum = {
      position,
      eventCount: this.sum.eventCount + 1,
      rollingHash: hashOf(`${this.sum.rollingHash}${stored.eventId}${link}`),
    };
    return undefined;
  }

  /** What stands before the event in its stream, or why nothing does that could. */
  private async before({ stream, revision }: RecordedEvent): Promise<Known | string> {
    const known = this.known.get(stream);
    if (known !== undefined && revision !== known.revision + 1) {
      return `it stands behind event ${known.revision}, so an event is missing or stands there twice`;
    }
    if (known !== undefined) return known;
    if (revision === 0) return { revision: -1, chain: chainSeed(stream), isChained: false };
    // It was read before, and is not remembered any more.
    const range = { from: revision - 1, to: revision - 1, maxCount: 1 };
    const [previous] = await this.store.read(stream, range);
    const chain = await this.chains.at(stream, revision - 1);
    if (previous === undefined || chain === undefined) {
      return `event ${revision - 1} before it is missing`;
    }
    const isChained = partsOf(previous.metadata).chain !== undefined;
    return { revision: revision - 1, chain, isChained };
  }

  private async isForkOf(stored: RecordedEvent, prefix: string): Promise<boolean> {
    const owner = sessionOfStream(stored.stream);
    const { cut } = JSON.parse(stored.data) as {
      readonly cut?: { readonly sessionId: string; readonly revision: number };
    };
    if (owner === undefined || cut === undefined) return false;
    const origin = sessionStream(owner.tenantId, cut.sessionId);
    return (await this.chains.at(origin, cut.revision)) === prefix;
  }

  private remember(stream: string, known: Known): void {
    this.known.delete(stream);
    this.known.set(stream, known);
    const [oldest] = this.known.keys();
    if (this.known.size > STREAMS_KEPT_MAX && oldest !== undefined) this.known.delete(oldest);
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
