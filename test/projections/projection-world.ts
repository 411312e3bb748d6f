import type { SessionEvent } from '../../src/domain/events.js';
import { eventId, sessionStream } from '../../src/identity/derived-ids.js';
import { canonicalJson } from '../../src/context/canonical-json.js';
import { BatchFold } from '../../src/projections/batch-fold.js';
import {
  type Generation,
  liveGeneration,
  openLiveGeneration,
} from '../../src/projections/generation.js';
import { InvalidStreams } from '../../src/projections/invalid-streams.js';
import type { Projection } from '../../src/projections/projection.js';
import { SESSION_STREAMS, type ProjectorPorts } from '../../src/projections/projector.js';
import { Projectors } from '../../src/projections/projectors.js';
import { ReadModels } from '../../src/projections/read-models.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import { MemoryEventStore } from '../../src/storage/memory/memory-event-store.js';
import { MemoryLeaseStore } from '../../src/storage/memory/memory-lease-store.js';
import { MemoryReadModelStore } from '../../src/storage/memory/memory-read-model-store.js';
import type {
  BatchWrite,
  CollectionDefinition,
  FindPage,
  FindQuery,
  ReadModelDocument,
  ReadModelStore,
} from '../../src/storage/read-model-store.js';

/** Tells which documents it has, so that a test can compare all of them. */
export class ListingReadModels implements ReadModelStore {
  readonly ids = new Map<string, Set<string>>();
  writes = 0;

  constructor(private readonly store: ReadModelStore = new MemoryReadModelStore()) {}

  async write(batch: BatchWrite): Promise<void> {
    await this.store.write(batch);
    this.writes += 1;
    for (const { collection, id } of batch.writes) {
      this.ids.set(collection, (this.ids.get(collection) ?? new Set()).add(id));
    }
  }

  ensureCollections(collections: readonly CollectionDefinition[]): Promise<void> {
    return this.store.ensureCollections(collections);
  }

  get(collection: string, id: string): Promise<ReadModelDocument | undefined> {
    return this.store.get(collection, id);
  }

  getMany(collection: string, ids: readonly string[]): Promise<Map<string, ReadModelDocument>> {
    return this.store.getMany(collection, ids);
  }

  find(collection: string, query: FindQuery): Promise<FindPage> {
    return this.store.find(collection, query);
  }

  position(projection: string): Promise<bigint> {
    return this.store.position(projection);
  }

  dropCollection(collection: string): Promise<void> {
    return this.store.dropCollection(collection);
  }

  dropPosition(projection: string): Promise<void> {
    return this.store.dropPosition(projection);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

export const TENANT = 'acme';

/** A log, the read models made of it, and everything between them. */
export class ProjectionWorld {
  readonly events = new MemoryEventStore();
  readonly readModels: ListingReadModels;
  readonly leases = new MemoryLeaseStore();
  readonly codec = new EventCodec();
  readonly problems: string[] = [];
  readonly ports: ProjectorPorts;
  private recordedAtMs = Date.UTC(2026, 0, 1);

  constructor(ports: Partial<ProjectorPorts> = {}, store?: ReadModelStore) {
    this.readModels = new ListingReadModels(store);
    const { events, readModels, leases, codec } = this;
    const report = (problem: string): void => void this.problems.push(problem);
    this.ports = { events, readModels, leases, codec, now: Date.now, report, ...ports };
  }

  /** One append; answers its position. Each event is recorded one second after the one before. */
  async append(
    sessionId: string,
    events: readonly SessionEvent[],
    tenantId = TENANT,
  ): Promise<bigint> {
    const stream = sessionStream(tenantId, sessionId);
    const head = await this.events.head(stream);
    const revision = head === 'noStream' ? 0 : head + 1;
    const encoded = events.map((event, index) =>
      this.codec.encode({
        eventId: eventId(tenantId, sessionId, 'Test', `${revision}`, index),
        event,
        metadata: { tenantId, actor: 'test', commandType: 'Test', commandId: `${revision}` },
        recordedAtMs: (this.recordedAtMs += 1_000),
      }),
    );
    const outcome = await this.events.append(stream, head, encoded);
    if (outcome.outcome !== 'written') throw new Error(`not written: ${outcome.outcome}`);
    return outcome.position;
  }

  /** Folds the whole log into the live generation, in batches of `batchEventsMax`. */
  async catchUp(projection: Projection, batchEventsMax = 1_000): Promise<void> {
    const live = await openLiveGeneration(this.readModels, projection);
    const fold = new BatchFold(this.readModels, this.codec, projection, live);
    await fold.open();
    for (;;) {
      const filter = { streamPrefix: SESSION_STREAMS };
      const page = await this.events.readAll(fold.position, batchEventsMax, filter);
      await fold.apply(page.events, page.next);
      if (page.caughtUp) return;
    }
  }

  /** Every document as canonical JSON, by collection and id. */
  async documents(projection: Projection, generation?: Generation): Promise<string[]> {
    const shown = generation ?? (await liveGeneration(this.readModels, projection));
    const lines: string[] = [];
    for (const { name } of projection.collections) {
      const collection = shown.collection(name);
      const ids = [...(this.readModels.ids.get(collection) ?? [])].sort();
      const found = await this.readModels.getMany(collection, ids);
      for (const [id, document] of found) lines.push(`${name} ${id} ${canonicalJson(document)}`);
    }
    return lines;
  }

  invalidStreams(): InvalidStreams {
    return new InvalidStreams(this.readModels, Date.now);
  }

  queries(projections: readonly Projection[]): ReadModels {
    return new ReadModels(
      this.readModels,
      this.ports.events,
      new Projectors(projections, this.ports, { instanceId: 'reader' }),
    );
  }
}
