import type {
  ArtifactReference,
  ArtifactStore,
  StoredArtifact,
} from '../../src/storage/artifact-store.js';
import type { Lease, LeaseStore } from '../../src/storage/lease-store.js';
import { MemoryArtifactStore } from '../../src/storage/memory/memory-artifact-store.js';
import { MemoryLeaseStore } from '../../src/storage/memory/memory-lease-store.js';
import { MemoryReadModelStore } from '../../src/storage/memory/memory-read-model-store.js';
import type { BatchWrite, FindPage, ReadModelStore } from '../../src/storage/read-model-store.js';
import { ownerHash } from './owner-hash.js';

export function doNothingReadModelStore(): ReadModelStore {
  return {
    ensureCollections: async () => {},
    get: async () => undefined,
    getMany: async () => new Map(),
    find: async () => ({ documents: [] }),
    position: async () => 0n,
    write: async () => {},
    dropCollection: async () => {},
    dropPosition: async () => {},
    close: async () => {},
  };
}

/** Writes the documents and forgets where the projection is. */
export class ForgetsPosition extends MemoryReadModelStore {
  override async write(batch: BatchWrite): Promise<void> {
    await super.write({ ...batch, nextPosition: batch.expectedPosition });
  }
}

/** Acknowledges a batch and leaves out its last document. */
export class LosesLastDocument extends MemoryReadModelStore {
  override async write(batch: BatchWrite): Promise<void> {
    await super.write({ ...batch, writes: batch.writes.slice(0, -1) });
  }
}

/** Pages end one document early. */
export class LosesLastOfPage extends MemoryReadModelStore {
  override async find(...parameters: Parameters<ReadModelStore['find']>): Promise<FindPage> {
    const page = await super.find(...parameters);
    return page.cursor === undefined ? page : { ...page, documents: page.documents.slice(0, -1) };
  }
}

export function doNothingLeaseStore(): LeaseStore {
  const lease = (name: string, holder: string): Lease => ({
    name,
    holder,
    fence: 1,
    expiresAtMs: Date.now() + 60_000,
  });
  return {
    acquire: async (name, holder) => lease(name, holder),
    seize: async (name, holder) => lease(name, holder),
    renew: async (name, holder) => lease(name, holder),
    release: async () => {},
    forget: async () => {},
    current: async () => undefined,
    close: async () => {},
  };
}

/** A new holder gets the old fence: the late holder cannot be told from it. */
export class KeepsFence extends MemoryLeaseStore {
  override async acquire(name: string, holder: string, ttlMs: number): Promise<Lease> {
    return { ...(await super.acquire(name, holder, ttlMs)), fence: 1 };
  }

  override async seize(name: string, holder: string, ttlMs: number): Promise<Lease> {
    return { ...(await super.seize(name, holder, ttlMs)), fence: 1 };
  }
}

/** Leases live for ever. */
export class NeverExpires extends MemoryLeaseStore {
  constructor() {
    super(() => 0);
  }
}

export function doNothingArtifactStore(): ArtifactStore {
  return {
    put: async (_owner, _content, mediaType) => ({ hash: '0'.repeat(64), sizeBytes: 0, mediaType }),
    find: async () => undefined,
    removeAll: async () => 0,
  };
}

/** Shares content between sessions. */
export class SharesBetweenSessions extends MemoryArtifactStore {
  constructor() {
    super(() => ownerHash({ tenantId: '', sessionId: '' }));
  }
}

/** Loses the last byte of what it is given whole. */
export class LosesLastByte extends MemoryArtifactStore {
  constructor() {
    super(ownerHash);
  }

  override async put(
    ...[owner, content, mediaType]: Parameters<ArtifactStore['put']>
  ): Promise<ArtifactReference> {
    if (!(content instanceof Uint8Array)) return super.put(owner, content, mediaType);
    const reference = await super.put(owner, content.subarray(0, -1), mediaType);
    return { ...reference, sizeBytes: content.byteLength };
  }
}

/** Gives the whole for a part of it. */
export class IgnoresRanges extends MemoryArtifactStore {
  constructor() {
    super(ownerHash);
  }

  override async find(
    ...[owner, hash]: Parameters<ArtifactStore['find']>
  ): Promise<StoredArtifact | undefined> {
    const found = await super.find(owner, hash);
    return found && { ...found, read: () => found.read() };
  }
}
