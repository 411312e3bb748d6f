import { createHmac } from 'node:crypto';
import { MemoryArtifactStore } from '../storage/memory/memory-artifact-store.js';
import { MemoryEventStore } from '../storage/memory/memory-event-store.js';
import { MemoryLeaseStore } from '../storage/memory/memory-lease-store.js';
import { MemoryReadModelStore } from '../storage/memory/memory-read-model-store.js';
import type { Ports } from './ports.js';
import type { SessionHasher } from '../tokens.js';

/** Everything in this process's memory: for tests and for looking at the API. Nothing is kept. */
export function memoryPorts(): Ports {
  const hmac = (tenantId: string, sessionId: string) =>
    createHmac('sha256', JSON.stringify([tenantId, sessionId]));
  const hasher: SessionHasher = (tenantId, sessionId, content) =>
    hmac(tenantId, sessionId).update(content).digest('hex');
  return {
    events: new MemoryEventStore(),
    readModels: new MemoryReadModelStore(),
    leases: new MemoryLeaseStore(),
    artifacts: new MemoryArtifactStore(({ tenantId, sessionId }) => hmac(tenantId, sessionId)),
    hasher,
    isKey: (key) => key === MEMORY_API_KEY,
    close: () => Promise.resolve(),
  };
}

export const MEMORY_API_KEY = 'memory-only';
