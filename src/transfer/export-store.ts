import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sessionOfStream, tenantOfStream } from '../identity/derived-ids.js';
import type { ArtifactOwner, ArtifactStore } from '../storage/artifact-store.js';
import { endOfLog } from '../storage/end-of-log.js';
import type { EventStore, RecordedEvent } from '../storage/event-store.js';
import { writeAsItComes } from '../storage/growing-file.js';
import { storedKeys } from './stored-keys.js';
import {
  ARTIFACTS_FOLDER,
  EVENTS_FILE,
  EXPORT_VERSION,
  type TransferCounts,
  TransferError,
  type TransferLine,
} from './transfer-file.js';

const PAGE_EVENTS = 500;
const HASH = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

export interface ExportOptions {
  /** Is made; an export that was broken off in it is begun anew. */
  readonly folder: string;
  readonly events: EventStore;
  /** The same ones as they are stored: these are written. */
  readonly sealedEvents: EventStore;
  readonly artifacts: ArtifactStore;
  readonly keyCheck: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: (position: bigint, head: bigint) => void;
  /** Hears of each tenant that something is exported of, once. */
  readonly onTenant?: (tenantId: string) => void;
}

/**
 * Writes every event that the store holds now, with its revision, id, time and keys, and every
 * artifact that one of them names.
 * @throws TransferError
 */
export async function exportStore(options: ExportOptions): Promise<TransferCounts> {
  const { folder } = options;
  const file = join(folder, EVENTS_FILE);
  if (existsSync(file)) {
    throw new TransferError(`${folder} holds an export already; name another folder`);
  }
  await mkdir(join(folder, ARTIFACTS_FOLDER), { recursive: true, mode: 0o700 });
  const work = new Export(options);
  await writeAsItComes(file, work.lines());
  return work.counts;
}

class Export {
  private readonly streams = new Set<string>();
  private readonly tenants = new Set<string>();
  /** What was looked for already, by owner and hash. */
  private readonly looked = new Set<string>();
  private events = 0;
  private artifacts = 0;

  constructor(private readonly options: ExportOptions) {}

  get counts(): TransferCounts {
    return { events: this.events, streams: this.streams.size, artifacts: this.artifacts };
  }

  async *lines(): AsyncGenerator<string, void, void> {
    for await (const line of this.records()) yield `${JSON.stringify(line)}\n`;
  }

  private async *records(): AsyncGenerator<TransferLine, void, void> {
    const { events, sealedEvents, keyCheck, now, onProgress } = this.options;
    const [storeId, head] = [await events.storeId(), await endOfLog(events)];
    const exportedAt = new Date(now()).toISOString();
    yield { export: { version: EXPORT_VERSION, storeId, keyCheck, exportedAt } };
    for (let after = 0n; after < head;) {
      const page = await sealedEvents.readAll(after, PAGE_EVENTS);
      const { events: opened } = await events.readAll(after, page.events.length || 1);
      for (const [index, stored] of page.events.entries()) {
        if (stored.position <= head) yield* this.recordsOf(stored, opened[index] ?? stored);
      }
      after = page.next;
      onProgress?.(after < head ? after : head, head);
      if (page.caughtUp) break;
    }
    yield { end: this.counts };
  }

  private async *recordsOf(
    stored: RecordedEvent,
    opened: RecordedEvent,
  ): AsyncGenerator<TransferLine, void, void> {
    const { stream, revision, eventId, type, data, metadata, recordedAtMs } = stored;
    const owner = sessionOfStream(stream);
    if (owner !== undefined) {
      for (const [hash] of opened.data.matchAll(HASH)) yield* this.artifact(owner, hash);
    }
    this.streams.add(stream);
    this.noteTenant(tenantOfStream(stream));
    this.events += 1;
    const keys = storedKeys(opened);
    yield { event: { stream, revision, eventId, type, data, metadata, recordedAtMs, keys } };
  }

  private noteTenant(tenantId: string | undefined): void {
    if (tenantId === undefined || this.tenants.has(tenantId)) return;
    this.tenants.add(tenantId);
    this.options.onTenant?.(tenantId);
  }

  /** Not every hash is an artifact's. */
  private async *artifact(
    owner: ArtifactOwner,
    hash: string,
  ): AsyncGenerator<TransferLine, void, void> {
    const mark = `${owner.tenantId}.${owner.sessionId}.${hash}`;
    if (this.looked.has(mark)) return;
    this.looked.add(mark);
    const found = await this.options.artifacts.find(owner, hash);
    if (found === undefined) return;
    const file = join(this.options.folder, ARTIFACTS_FOLDER, hash);
    await writeAsItComes(file, found.read());
    this.artifacts += 1;
    yield { artifact: { ...owner, hash, sizeBytes: found.sizeBytes } };
  }
}
