import { randomUUID } from 'node:crypto';
import { types } from 'node:util';
import type { EventToAppend, RecordedEvent } from '../event-store.js';
import { textOf } from './call-failure.js';
import { type EsdbConnection, within } from './esdb-connection.js';
import { CHUNK_REVISIONS, KeyChunk } from './key-chunk.js';
import { keyStream } from './own-streams.js';
import { StreamKeyIndex } from './stream-key-index.js';
import type { StreamReader } from './stream-reader.js';

/** 8 bytes each. */
const WEIGHT_MAX = 8_000_000;
const STREAMS_MAX = 4_000;
const CHUNKS_PER_PAGE = 100;
/** Revisions so close together are read in one go. */
const GAP_REVISIONS = 16;
const RUN_REVISIONS = 500;

interface Entry {
  readonly opening: Promise<StreamKeyIndex>;
  /** Set when it is open. */
  index?: StreamKeyIndex;
  /** Brings it up to date; `next` begins when `running` is over. */
  running: Promise<unknown>;
  next?: Promise<StreamKeyIndex>;
  /** Chunks are stored one after the other. */
  saving: Promise<void>;
}

interface KeysOfRevision {
  readonly revision: number;
  readonly keys: readonly string[];
}

/**
 * The server finds no event by what is in it. So an index of each stream is kept here, exact up
 * to a revision; the tail is folded on top before it answers. Full chunks of it are stored in a
 * stream of their own, which is a cache: chunk by chunk the same, whoever wrote it.
 */
export class KeyIndexes {
  /** The least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private weight = 0;

  constructor(
    private readonly connection: EsdbConnection,
    private readonly reader: StreamReader,
    private readonly report: (problem: string) => void,
  ) {}

  async find(stream: string, keys: readonly string[]): Promise<readonly RecordedEvent[]> {
    if (keys.length === 0) return [];
    const index = await this.current(stream);
    const wanted = new Set(keys);
    const found: RecordedEvent[] = [];
    for (const { from, count } of runsOf(index.find(keys))) {
      for (const stored of await this.reader.page(stream, { from, count })) {
        if (stored.keys.some((key) => wanted.has(key))) found.push(stored.event);
      }
    }
    return found;
  }

  /** An own append, so that its events need not be read again. */
  note(stream: string, lastRevision: number, events: readonly EventToAppend[]): void {
    const first = lastRevision - events.length + 1;
    const entry = this.entries.get(stream);
    if (entry !== undefined) {
      this.fold(
        stream,
        entry,
        events.map(({ keys }, at) => ({ revision: first + at, keys })),
      );
    }
  }

  /**
   * The index with everything that the stream has now. Questions that come while it is brought up
   * to date wait together for the next time: this one may have passed what was just written.
   */
  private current(stream: string): Promise<StreamKeyIndex> {
    const entry = this.entryOf(stream);
    entry.next ??= entry.running
      .catch(() => undefined)
      .then(() => {
        const running = this.catchUp(stream, entry);
        entry.running = running;
        entry.next = undefined;
        return running;
      });
    return entry.next;
  }

  private async catchUp(stream: string, entry: Entry): Promise<StreamKeyIndex> {
    const index = await entry.opening;
    for (;;) {
      const from = index.revision + 1;
      const page = await this.reader.page(stream, { from, count: CHUNK_REVISIONS });
      this.fold(
        stream,
        entry,
        page.map(({ event, keys }) => ({ revision: event.revision, keys })),
      );
      if (page.length < CHUNK_REVISIONS) return index;
    }
  }

  private entryOf(stream: string): Entry {
    const known = this.entries.get(stream);
    const entry = known ?? {
      opening: this.open(stream),
      running: Promise.resolve(),
      saving: Promise.resolve(),
    };
    this.entries.delete(stream);
    this.entries.set(stream, entry);
    if (known === undefined) {
      entry.opening.then(
        (index) => {
          entry.index = index;
          if (this.entries.get(stream) === entry) this.weight += index.weight;
        },
        () => this.forget(stream, entry),
      );
    }
    return entry;
  }

  private async open(stream: string): Promise<StreamKeyIndex> {
    const chunks: KeyChunk[] = [];
    for (;;) {
      const from = chunks.length;
      const page = await this.connection.read(`the keys of ${stream}`, (client) =>
        client.readStream(keyStream(stream), {
          fromRevision: BigInt(from),
          maxCount: CHUNKS_PER_PAGE,
          requiresLeader: true,
        }),
      );
      for (const { data, revision } of page) {
        const chunk = types.isUint8Array(data) ? KeyChunk.from(data) : undefined;
        if (chunk === undefined || Number(revision) !== chunks.length) break;
        chunks.push(chunk);
      }
      if (chunks.length < from + CHUNKS_PER_PAGE) return new StreamKeyIndex(chunks);
    }
  }

  private fold(stream: string, entry: Entry, revisions: readonly KeysOfRevision[]): void {
    const { index } = entry;
    if (index === undefined) return;
    const before = index.weight;
    for (const { revision, keys } of revisions) {
      const full = index.add(revision, keys);
      if (full === undefined) continue;
      entry.saving = entry.saving.then(() => this.save(stream, full.number, full.chunk));
    }
    if (this.entries.get(stream) !== entry) return;
    this.weight += index.weight - before;
    this.evict();
  }

  /** When it fails, the next process that reads the stream from there stores it. */
  private async save(stream: string, number: number, { bytes }: KeyChunk): Promise<void> {
    const { client, times, closed } = this.connection;
    if (closed) return;
    const name = keyStream(stream);
    const metadata = Buffer.from('{}');
    const event = { id: randomUUID(), type: 'KeyChunk', isJson: false, data: bytes, metadata };
    const expected = number === 0 ? 'noStream' : BigInt(number - 1);
    const what = `an append to ${name}`;
    try {
      // Refused: another process was faster with the same chunk, or one before it is missing.
      const appended = client.append(name, expected, [event], times.appendTryMs);
      await within(what, times.appendTryMs, appended);
    } catch (error) {
      this.report(`the index of keys was not stored: ${what}: ${textOf(error)}`);
    }
  }

  private evict(): void {
    for (const [stream, entry] of this.entries) {
      if (this.weight <= WEIGHT_MAX && this.entries.size <= STREAMS_MAX) return;
      this.forget(stream, entry);
    }
  }

  private forget(stream: string, entry: Entry): void {
    if (this.entries.get(stream) !== entry) return;
    this.entries.delete(stream);
    this.weight -= entry.index?.weight ?? 0;
  }
}

/** Neighbours are read together. */
function runsOf(revisions: readonly number[]): readonly { from: number; count: number }[] {
  const runs: { from: number; count: number }[] = [];
  for (const revision of revisions) {
    const run = runs.at(-1);
    const isNear = run !== undefined && revision - (run.from + run.count) < GAP_REVISIONS;
    if (isNear && revision - run.from < RUN_REVISIONS) run.count = revision - run.from + 1;
    else runs.push({ from: revision, count: 1 });
  }
  return runs;
}
