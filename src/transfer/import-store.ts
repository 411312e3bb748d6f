import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { RECONCILER_LEASE } from '../reconciliation/reconciler.js';
import { appendSettled } from '../storage/append-settled.js';
import type { ArtifactStore } from '../storage/artifact-store.js';
import {
  APPEND_BYTES_MAX,
  APPEND_EVENTS_MAX,
  type EventStore,
  type ExpectedRevision,
} from '../storage/event-store.js';
import type { LeaseStore } from '../storage/lease-store.js';
import { whileOwner } from '../storage/owner-lease.js';
import { type ReadExport, readExport } from './read-export.js';
import {
  ARTIFACTS_FOLDER,
  type ExportedArtifact,
  type ExportedEvent,
  type TransferCounts,
  TransferError,
} from './transfer-file.js';

const LEASE_TTL_MS = 30_000;
/** What is read at once and sent in one append, with room for what an adapter adds. */
const BATCH_BYTES_MAX = APPEND_BYTES_MAX / 2;
const BATCH_EVENTS_MAX = APPEND_EVENTS_MAX / 2;
const MEDIA_TYPE = 'application/octet-stream';

export interface ImportStoreOptions {
  readonly folder: string;
  /** As they are stored: an export holds them sealed. */
  readonly sealedEvents: EventStore;
  readonly artifacts: ArtifactStore;
  readonly leases: LeaseStore;
  readonly keyCheck: string;
  /** Where this installation's keys are, for people. */
  readonly keysFolder: string;
  readonly onProgress?: (events: number, total: number) => void;
}

export interface ImportStoreReport extends TransferCounts {
  /** Of these events: written now, the others were there already. */
  readonly written: number;
}

/**
 * Writes an export into this store: revisions, ids, times and keys stay. What is there already is
 * recognised, so an import that broke off is simply repeated.
 * @throws TransferError, StoreUnavailableError, AppendUnknownError.
 */
export async function importStore(options: ImportStoreOptions): Promise<ImportStoreReport> {
  const found = await readExport(options.folder);
  if (found.header.keyCheck !== options.keyCheck) {
    throw new TransferError(
      'the export was made with other keys, so hashes of contents would not agree: copy the keys ' +
        `folder of that installation to ${options.keysFolder} before the first start here`,
    );
  }
  const holder = `import-${crypto.randomUUID()}`;
  const wish = { name: RECONCILER_LEASE, holder, ttlMs: LEASE_TTL_MS };
  const { signal } = new AbortController();
  let report: ImportStoreReport | undefined;
  const owner = await whileOwner(options.leases, wish, signal, async (owned) => {
    report = await new StoreImport(options, found).run(owned);
  });
  if (report !== undefined) return report;
  throw new TransferError(
    owner === holder
      ? 'the import lost its lease and stopped; import again, it goes on where it was'
      : 'a server works on this store: stop all instances, and import again',
  );
}

class StoreImport {
  /** Last revision of each stream, as the export has it. */
  private readonly heads = new Map<string, number>();
  private batch: ExportedEvent[] = [];
  private batchBytes = 0;
  private events = 0;
  private artifacts = 0;
  private written = 0;

  constructor(
    private readonly options: ImportStoreOptions,
    private readonly found: ReadExport,
  ) {}

  async run(signal: AbortSignal): Promise<ImportStoreReport | undefined> {
    for await (const line of this.found.lines()) {
      if (signal.aborted) return undefined;
      if ('event' in line) await this.take(line.event);
      if ('artifact' in line) await this.keep(line.artifact);
    }
    await this.flush();
    await this.check();
    const { events, artifacts, written } = this;
    return { events, streams: this.heads.size, artifacts, written };
  }

  private async take(event: ExportedEvent): Promise<void> {
    const bytes = Buffer.byteLength(event.data) + Buffer.byteLength(event.metadata);
    const [first] = this.batch;
    const isFull =
      this.batch.length >= BATCH_EVENTS_MAX || this.batchBytes + bytes > BATCH_BYTES_MAX;
    if (first !== undefined && (first.stream !== event.stream || isFull)) await this.flush();
    this.batch.push(event);
    this.batchBytes += bytes;
  }

  private async flush(): Promise<void> {
    const { batch } = this;
    const [first, last] = [batch[0], batch.at(-1)];
    if (first === undefined || last === undefined) return;
    const { stream, revision } = first;
    const before = (this.heads.get(stream) ?? -1) + 1;
    if (revision !== before) {
      throw new TransferError(`the export lacks event ${before} of ${stream}; export again`);
    }
    const expected: ExpectedRevision = revision === 0 ? 'noStream' : revision - 1;
    const events = batch.map(({ stream: _stream, revision: _revision, ...event }) => event);
    const { outcome } = await appendSettled(this.options.sealedEvents, stream, expected, events);
    if (outcome.outcome === 'refused') {
      throw new TransferError(
        `${stream} holds other events than the export from event ${revision} on; import into an ` +
          'event store that was not used otherwise',
      );
    }
    if (!outcome.repeated) this.written += batch.length;
    this.heads.set(stream, last.revision);
    this.events += batch.length;
    this.batch = [];
    this.batchBytes = 0;
    this.options.onProgress?.(this.events, this.found.counts.events);
  }

  private async keep({ hash, sizeBytes, ...owner }: ExportedArtifact): Promise<void> {
    const { artifacts, folder } = this.options;
    this.artifacts += 1;
    if ((await artifacts.find(owner, hash))?.sizeBytes === sizeBytes) return;
    const content = createReadStream(join(folder, ARTIFACTS_FOLDER, hash));
    const kept = await artifacts.put(owner, content, MEDIA_TYPE);
    if (kept.hash !== hash) {
      throw new TransferError(`the artifact ${hash} of the export is damaged; export again`);
    }
  }

  /** What was counted while exporting, and what the store says now. */
  private async check(): Promise<void> {
    const { counts } = this.found;
    const own = { events: this.events, streams: this.heads.size, artifacts: this.artifacts };
    for (const name of ['events', 'streams', 'artifacts'] as const) {
      if (own[name] === counts[name]) continue;
      throw new TransferError(
        `the export counts ${counts[name]} ${name}, ${own[name]} were read; export again`,
      );
    }
    for (const [stream, revision] of this.heads) {
      const head = await this.options.sealedEvents.head(stream);
      if (head === 'noStream' || head < revision) {
        throw new TransferError(`${stream} ends at ${head}, not at ${revision}; import again`);
      }
    }
  }
}
