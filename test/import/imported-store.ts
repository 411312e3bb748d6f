import { type Hmac, createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { SessionEventRecord } from '../../src/domain/events.js';
import { sessionStream } from '../../src/identity/derived-ids.js';
import type { ImportReport } from '../../src/import/import-report.js';
import { type ImportOptions, importPath } from '../../src/import/import-file.js';
import { loadPriceCards } from '../../src/pricing/load-price-cards.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import type { EventStore } from '../../src/storage/event-store.js';
import { plainSeal } from '../../src/storage/sealed/plain-seal.js';
import type { SessionHasher } from '../../src/tokens.js';
import { MemoryArtifactStore } from '../../src/storage/memory/memory-artifact-store.js';
import { MemoryEventStore } from '../../src/storage/memory/memory-event-store.js';

export const TENANT = 'default';
export const SAMPLES = fileURLToPath(new URL('../samples/', import.meta.url));

const cards = loadPriceCards();

function hmac(tenantId: string, sessionId: string): Hmac {
  return createHmac('sha256', `${tenantId}/${sessionId}`);
}

const hasher: SessionHasher = async (tenantId, sessionId) => (content) =>
  hmac(tenantId, sessionId).update(content).digest('hex');

/** A store in memory with what was imported into it. */
export class ImportedStore {
  readonly artifacts = new MemoryArtifactStore(async ({ tenantId, sessionId }) =>
    plainSeal(() => hmac(tenantId, sessionId)),
  );
  readonly codec = new EventCodec();
  private clock = Date.parse('2026-06-01T00:00:00Z');

  constructor(readonly events: EventStore = new MemoryEventStore()) {}

  import(path: string, options: Partial<ImportOptions> = {}): Promise<ImportReport> {
    const { events, artifacts, codec } = this;
    const now = () => (this.clock += 1);
    const ports = { tenantId: TENANT, actor: 'test', events, artifacts, codec, hasher, now, cards };
    return importPath({ path, ...ports, ...options });
  }

  async records(sessionId: string): Promise<readonly SessionEventRecord[]> {
    const all: SessionEventRecord[] = [];
    for (;;) {
      const stream = sessionStream(TENANT, sessionId);
      const page = await this.events.read(stream, { from: all.length, maxCount: 500 });
      if (page.length === 0) return all;
      all.push(...page.map((stored) => this.codec.decode(stored)));
    }
  }

  async everything(): Promise<readonly SessionEventRecord[]> {
    const all: SessionEventRecord[] = [];
    for (let after = 0n; ;) {
      const page = await this.events.readAll(after, 500);
      all.push(...page.events.map((stored) => this.codec.decode(stored)));
      after = page.next;
      if (page.caughtUp) return all;
    }
  }
}
