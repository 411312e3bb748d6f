import type { ArtifactStore } from '../storage/artifact-store.js';
import type { CheckpointLog } from '../storage/checkpoint-log.js';
import type { EventStore } from '../storage/event-store.js';
import type { LeaseStore } from '../storage/lease-store.js';
import type { ReadModelStore } from '../storage/read-model-store.js';
import type { SessionEraser } from '../storage/session-eraser.js';
import type { KeyCheck, SessionHasher } from '../tokens.js';

/** The opened storage that one process works with. */
export interface Ports {
  readonly events: EventStore;
  /** The events as they are stored: contents sealed, with the chain. */
  readonly sealedEvents: EventStore;
  readonly readModels: ReadModelStore;
  readonly leases: LeaseStore;
  readonly artifacts: ArtifactStore;
  readonly eraser: SessionEraser;
  readonly checkpoints: CheckpointLog;
  readonly hasher: SessionHasher;
  /** Tells whether two installations have the same keys, and nothing else of them. */
  readonly transferMark: string;
  readonly isKey: KeyCheck;
  close(): Promise<void>;
}
