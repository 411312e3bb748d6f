import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { MemoryArtifactStore } from '../storage/memory/memory-artifact-store.js';
import { MemoryCheckpointLog } from '../storage/memory/memory-checkpoint-log.js';
import { MemoryEventStore } from '../storage/memory/memory-event-store.js';
import { MemoryKeyStore } from '../storage/memory/memory-key-store.js';
import { MemoryLeaseStore } from '../storage/memory/memory-lease-store.js';
import { MemoryReadModelStore } from '../storage/memory/memory-read-model-store.js';
import { artifactSealing } from '../storage/sealed/artifact-seal.js';
import { SealedEventStore, beginningOf } from '../storage/sealed/sealed-event-store.js';
import { SealedReadModelStore } from '../storage/sealed/sealed-read-model-store.js';
import { SealedSessionEraser } from '../storage/sealed/sealed-session-eraser.js';
import { hasherOf } from '../storage/sealed/session-hasher.js';
import { SessionKeys } from '../storage/sealed/session-keys.js';
import { keyCheckOf } from '../transfer/transfer-file.js';
import type { Ports } from './ports.js';

/** Everything in this process's memory: for tests and for looking at the API. Nothing is kept. */
export function memoryPorts(): Ports {
  const hmac = (tenantId: string, sessionId: string) =>
    createHmac('sha256', JSON.stringify([tenantId, sessionId]));
  const common = {
    sessionHmac: (tenantId: string, sessionId: string, content: Uint8Array | string) =>
      hmac(tenantId, sessionId).update(content).digest('hex'),
  };
  const wrappingKey = createSecretKey(randomBytes(32));
  const sealedEvents = new MemoryEventStore();
  const keyStore = new MemoryKeyStore();
  const sessionKeys = new SessionKeys({
    store: keyStore,
    wrapping: () => wrappingKey,
    beginningOf: (owner) => beginningOf(sealedEvents, owner),
  });
  const artifacts = new MemoryArtifactStore(artifactSealing(sessionKeys, { runningHmac: hmac }));
  return {
    events: new SealedEventStore(sealedEvents, sessionKeys),
    sealedEvents,
    readModels: new SealedReadModelStore(new MemoryReadModelStore(), sessionKeys, wrappingKey),
    leases: new MemoryLeaseStore(),
    artifacts,
    checkpoints: new MemoryCheckpointLog(),
    eraser: new SealedSessionEraser(keyStore, sessionKeys, artifacts, sealedEvents),
    hasher: hasherOf(sessionKeys, common),
    transferMark: keyCheckOf(common.sessionHmac),
    isKey: (key) => key === MEMORY_API_KEY,
    close: () => Promise.resolve(),
  };
}

export const MEMORY_API_KEY = 'memory-only';
