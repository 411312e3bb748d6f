import { sessionOfStream, sessionStream } from '../../identity/derived-ids.js';
import { checkNames } from '../check-append.js';
import { Turns } from '../turns.js';
import type { ArtifactOwner } from '../artifact-store.js';
import {
  type AllFilter,
  type AllPage,
  type AppendOutcome,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type ReadOptions,
  type RecordedEvent,
  type Snapshot,
} from '../event-store.js';
import { chainNext, chainSeed, partsOf, type StreamSeal, withChain, withSeal } from './chain.js';
import { EventOpener } from './event-opener.js';
import { type SealedPlace, eraseData, sealData } from './event-seal.js';
import type { SessionAccess, SessionKeys } from './session-keys.js';
import type { SessionKey } from './session-secret.js';
import { SnapshotSeal } from './snapshot-seal.js';
import { StreamChains } from './stream-chains.js';

interface SealedBatch {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
  /** The chain's value with the last of them. */
  readonly chain: string;
}

/**
 * Any event store, with contents encrypted under the keys of their sessions and every event bound
 * to the one before it. What it returns is as it was given; contents of erased sessions are left
 * out, and what no key opens stays sealed.
 */
export class SealedEventStore implements EventStore {
  private readonly chains: StreamChains;
  private readonly opener: EventOpener;
  private readonly snapshots: SnapshotSeal;
  /** A batch is chained to the one before it, so it waits until that one is written. */
  private readonly turns = new Turns();
  /** A repeated append sends the identical bytes: nothing is encrypted twice. */
  private readonly batches = new WeakMap<readonly EventToAppend[], SealedBatch>();

  constructor(
    private readonly store: EventStore,
    private readonly keys: SessionKeys,
  ) {
    this.chains = new StreamChains(store);
    this.opener = new EventOpener(store, keys);
    this.snapshots = new SnapshotSeal(keys);
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    checkNames(stream, expected, events);
    return this.turns.take(stream, () => this.appendInTurn(stream, expected, events));
  }

  private async appendInTurn(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    const known = this.batches.get(events);
    const isSame = known?.stream === stream && known.expected === expected;
    const batch = isSame ? known : await this.sealedBatch(stream, expected, events);
    if (batch === undefined) {
      return { outcome: 'refused', currentRevision: await this.store.head(stream) };
    }
    this.batches.set(events, batch);
    const outcome = await this.store.append(stream, expected, batch.events);
    if (outcome.outcome === 'written' && !outcome.repeated) {
      this.chains.note(stream, outcome.revision, batch.chain);
    } else {
      this.chains.forget(stream);
    }
    return outcome;
  }

  async read(stream: string, options: ReadOptions): Promise<readonly RecordedEvent[]> {
    const stored = await this.store.read(stream, options);
    const isWhole = options.types === undefined;
    const isBackwards = options.direction === 'backwards';
    if (isWhole) this.chains.check(stream, isBackwards ? [...stored].reverse() : stored);
    return this.opener.open(stored);
  }

  async findByKeys(stream: string, keys: readonly string[]): Promise<readonly RecordedEvent[]> {
    return this.opener.open(await this.store.findByKeys(stream, keys));
  }

  async readAll(after: bigint, maxCount: number, filter?: AllFilter): Promise<AllPage> {
    return this.opened(await this.store.readAll(after, maxCount, filter));
  }

  async *subscribeAll(
    after: bigint,
    options: Parameters<EventStore['subscribeAll']>[1],
  ): AsyncIterable<AllPage> {
    for await (const page of this.store.subscribeAll(after, options)) yield this.opened(page);
  }

  async loadSnapshot(
    stream: string,
    schemaVersion: number,
    maxRevision?: number,
  ): Promise<Snapshot | undefined> {
    const stored = await this.store.loadSnapshot(stream, schemaVersion, maxRevision);
    const opened = stored && (await this.snapshots.opened(stream, stored));
    if (opened?.chain !== undefined) this.chains.note(stream, opened.revision, opened.chain);
    return opened;
  }

  async saveSnapshot(stream: string, snapshot: Snapshot): Promise<void> {
    const chain = await this.chains.at(stream, snapshot.revision);
    const sealed = await this.snapshots.sealed(stream, snapshot, chain);
    if (sealed !== undefined) await this.store.saveSnapshot(stream, sealed);
  }

  head(stream: string): Promise<number | 'noStream'> {
    return this.store.head(stream);
  }

  headPosition(): Promise<bigint> {
    return this.store.headPosition();
  }

  storeId(): Promise<string> {
    return this.store.storeId();
  }

  dropSnapshots(stream: string, schemaVersion: number): Promise<void> {
    return this.store.dropSnapshots(stream, schemaVersion);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** Undefined when the stream does not go so far, or another process has just begun it. */
  private async sealedBatch(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<SealedBatch | undefined> {
    const before =
      expected === 'noStream' ? chainSeed(stream) : await this.chains.at(stream, expected);
    if (before === undefined) return undefined;
    const owner = sessionOfStream(stream);
    const seal = expected === 'noStream' && owner ? await this.begun(owner, events[0]) : undefined;
    if (seal === 'other') return undefined;
    const first = expected === 'noStream' ? 0 : expected + 1;
    const access = owner && (this.keys.inMemory(owner) ?? (await this.keys.of(owner)));
    let chain = before;
    const sealed: EventToAppend[] = [];
    for (const [index, event] of events.entries()) {
      const place = { stream, revision: first + index, type: event.type };
      const key = access?.kind === 'open' ? this.opener.sealingKey(place, access.key) : undefined;
      const { eventId, type, recordedAtMs, keys } = event;
      const data = dataFor(access, event, place, key instanceof Promise ? await key : key);
      const metadata = withSeal(event.metadata, index === 0 ? seal : undefined);
      chain = chainNext(chain, { eventId, type, recordedAtMs, data, metadata });
      sealed.push({
        eventId,
        type,
        data,
        metadata: withChain(metadata, chain),
        recordedAtMs,
        keys,
      });
    }
    return { stream, expected, events: sealed, chain };
  }

  /** The key of a session that begins, and what a fork is bound to. */
  private async begun(
    owner: ArtifactOwner,
    first: EventToAppend | undefined,
  ): Promise<StreamSeal | 'other' | undefined> {
    const { access, isOther } = await this.keys.begun(owner);
    if (isOther) return 'other';
    if (access.kind !== 'open') return undefined;
    const seal = { key: access.key.keyId };
    if (first?.type !== 'Forked') return seal;
    this.opener.noteBeginning(sessionStream(owner.tenantId, owner.sessionId), first);
    const { cut } = JSON.parse(first.data) as {
      readonly cut: { readonly sessionId: string; readonly revision: number };
    };
    const prefix = await this.chains.at(sessionStream(owner.tenantId, cut.sessionId), cut.revision);
    return { ...seal, prefix };
  }

  private async opened(page: AllPage): Promise<AllPage> {
    return { ...page, events: await this.opener.open(page.events, page.caughtUp) };
  }
}

function dataFor(
  access: SessionAccess | undefined,
  event: EventToAppend,
  place: SealedPlace,
  key: SessionKey | undefined,
): string {
  if (access?.kind === 'erased') return eraseData(event.data, event.type);
  return key === undefined ? event.data : sealData(event, place, key);
}

/** What the first event says of its session's key: see `SessionKeys`. */
export async function beginningOf(store: EventStore, owner: ArtifactOwner) {
  const stream = sessionStream(owner.tenantId, owner.sessionId);
  const [first] = await store.read(stream, { from: 0, to: 0, maxCount: 1 });
  if (first === undefined) return 'none' as const;
  return partsOf(first.metadata).seal?.key === undefined ? 'unsealed' : 'sealed';
}
