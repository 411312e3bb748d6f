import type { ArtifactStore } from '../storage/artifact-store.js';
import type { EventStore } from '../storage/event-store.js';
import type { LeaseStore } from '../storage/lease-store.js';
import type { ReadModelStore } from '../storage/read-model-store.js';
import type { KeyCheck, SessionHasher } from '../tokens.js';

/** The opened storage that one process works with. */
export interface Ports {
  readonly events: EventStore;
  readonly readModels: ReadModelStore;
  readonly leases: LeaseStore;
  readonly artifacts: ArtifactStore;
  readonly hasher: SessionHasher;
  readonly isKey: KeyCheck;
  close(): Promise<void>;
}
