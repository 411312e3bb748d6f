import { randomUUID } from 'node:crypto';

/** What EventStoreDB 24.10 keeps and decides, in memory: one log, and one index for each stream. */
export interface EsdbRecord extends EsdbProposed {
  /** Where it stands in the log: rising, not consecutive, as byte offsets are. */
  readonly position: bigint;
  readonly stream: string;
  readonly revision: bigint;
  readonly createdMs: number;
}

export interface EsdbProposed {
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

export type EsdbExpected = bigint | 'any' | 'noStream' | 'streamExists';

export type EsdbWriteResult =
  | { readonly result: 'ok'; readonly revision: bigint; readonly position: bigint | undefined }
  | { readonly result: 'wrong'; readonly current: bigint }
  | { readonly result: 'deleted' };

export type EsdbReadResult =
  | { readonly result: 'ok'; readonly records: readonly EsdbRecord[] }
  | { readonly result: 'notFound' | 'deleted' };

type Decision =
  | { readonly kind: 'write'; readonly undeletes: boolean }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'repeated'; readonly last: bigint };

export const INT64_MAX = 9223372036854775807n;
/** The real log begins with a record that no reader sees: no event stands at 0. */
const FIRST_POSITION = 1_024n;
const RECORD_BYTES = 77;
const REMEMBERED_IDS_MAX = 100_000;

export class EsdbLog {
  readonly records: EsdbRecord[] = [];
  nextPosition = FIRST_POSITION;
  private readonly streams = new Map<string, EsdbRecord[]>();
  private readonly tombstoned = new Set<string>();
  /** Which ids were written lately, and where: what `any` is idempotent by. */
  private readonly remembered = new Map<string, { stream: string; revision: bigint }>();
  private readonly listeners = new Set<() => void>();

  /** Forgets what a server keeps in memory only. */
  restarted(): void {
    this.remembered.clear();
  }

  /**
   * The log as somebody has it who changes the server's files, or puts an older copy of them back.
   * The next events stand behind the last of these.
   */
  replaceAll(records: readonly EsdbRecord[]): void {
    this.records.length = 0;
    this.streams.clear();
    for (const record of records) this.put(record);
    const last = this.records.at(-1);
    this.nextPosition = last === undefined ? FIRST_POSITION : last.position + sizeOf(last);
    this.restarted();
  }

  recordsOf(stream: string): readonly EsdbRecord[] {
    return this.streams.get(stream) ?? [];
  }

  lastRevision(stream: string): bigint {
    if (this.tombstoned.has(stream)) return INT64_MAX;
    return this.recordsOf(stream).at(-1)?.revision ?? -1n;
  }

  append(stream: string, expected: EsdbExpected, events: readonly EsdbProposed[]): EsdbWriteResult {
    const current = this.lastRevision(stream);
    const decision = this.decide(
      stream,
      expected,
      events.map(({ id }) => id),
    );
    if (decision.kind === 'deleted') return { result: 'deleted' };
    if (decision.kind === 'wrong') return { result: 'wrong', current };
    if (decision.kind === 'repeated') {
      const { position } = this.recordsOf(stream)[Number(decision.last)]!;
      return { result: 'ok', revision: decision.last, position };
    }
    if (events.length === 0) return { result: 'ok', revision: current, position: undefined };
    for (const [index, event] of events.entries()) {
      this.write(stream, current + 1n + BigInt(index), event);
    }
    const last = this.recordsOf(stream).at(-1)!;
    if (decision.undeletes) this.undelete(stream, current + 1n);
    this.notify();
    return { result: 'ok', revision: last.revision, position: last.position };
  }

  softDelete(stream: string, expected: EsdbExpected): EsdbWriteResult {
    const decision = this.decide(stream, expected, [randomUUID()]);
    if (decision.kind === 'deleted') return { result: 'deleted' };
    const current = this.lastRevision(stream);
    if (decision.kind !== 'write' || current < 0n) return { result: 'wrong', current };
    const written = this.writeMetadata(stream, `{"$tb":${INT64_MAX}}`);
    this.notify();
    return { result: 'ok', revision: written.revision, position: written.position };
  }

  tombstone(stream: string, expected: EsdbExpected): EsdbWriteResult {
    const decision = this.decide(stream, expected, [randomUUID()]);
    if (decision.kind === 'deleted') return { result: 'deleted' };
    if (decision.kind !== 'write') {
      return { result: 'wrong', current: this.lastRevision(stream) };
    }
    const written = this.write(stream, INT64_MAX, bare('$streamDeleted', false, ''));
    this.tombstoned.add(stream);
    this.notify();
    return { result: 'ok', revision: INT64_MAX, position: written.position };
  }

  readStream(
    stream: string,
    options: { from: bigint | 'start' | 'end'; backwards: boolean; count: number },
  ): EsdbReadResult {
    const last = this.lastRevision(stream);
    if (last === INT64_MAX) return { result: 'deleted' };
    const { maxCount, truncateBefore = 0n } = this.metadataOf(stream);
    if (last < 0n || truncateBefore === INT64_MAX) return { result: 'notFound' };
    const oldest = maxCount === undefined ? 0n : last - BigInt(maxCount) + 1n;
    const first = oldest > truncateBefore ? oldest : truncateBefore;
    // A record's index is its revision; a high `from` of a backward read begins at the end.
    const records = this.recordsOf(stream);
    const { from, backwards, count } = options;
    if (!backwards) {
      const start = from === 'end' ? last + 1n : highest(first, startOf(from));
      return { result: 'ok', records: records.slice(Number(start), Number(start) + count) };
    }
    const end = from === 'end' || startOf(from) > last ? last : startOf(from);
    const start = highest(first, end - BigInt(count) + 1n);
    return { result: 'ok', records: records.slice(Number(start), Number(end) + 1).reverse() };
  }

  /** Index in `records` of the first one at or after a position. */
  indexAt(position: bigint): number {
    let [low, high] = [0, this.records.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.records[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  isRecordBoundary(position: bigint): boolean {
    return (
      position === this.nextPosition || this.records[this.indexAt(position)]?.position === position
    );
  }

  /** Resolves when something is written, or with `ended`. */
  changed(ended: Promise<void>): Promise<void> {
    let listener: () => void = () => {};
    const written = new Promise<void>((resolve) => {
      listener = resolve;
    });
    this.listeners.add(listener);
    return Promise.race([ended, written]).finally(() => this.listeners.delete(listener));
  }

  /** IndexWriter.CheckCommit of the server. */
  private decide(stream: string, expected: EsdbExpected, ids: readonly string[]): Decision {
    const current = this.lastRevision(stream);
    if (current === INT64_MAX) return { kind: 'deleted' };
    const softDeleted = this.metadataOf(stream).truncateBefore === INT64_MAX;
    if (expected === 'streamExists') {
      if (softDeleted) return { kind: 'deleted' };
      if (current < 0n && this.lastRevision(`$$${stream}`) < 0n) return { kind: 'wrong' };
    }
    if (expected === 'any' || expected === 'streamExists') {
      return this.decideByMemory(stream, ids, softDeleted);
    }
    const after = expected === 'noStream' ? -1n : expected;
    if (after === current) return { kind: 'write', undeletes: softDeleted };
    if (after > current || ids.length === 0) return { kind: 'wrong' };
    const records = this.recordsOf(stream);
    const differs = ids.findIndex((id, index) => records[Number(after) + 1 + index]?.id !== id);
    if (differs < 0) return { kind: 'repeated', last: after + BigInt(ids.length) };
    const revives = differs === 0 && after === -1n && softDeleted;
    return revives ? { kind: 'write', undeletes: true } : { kind: 'wrong' };
  }

  private decideByMemory(stream: string, ids: readonly string[], softDeleted: boolean): Decision {
    let last: bigint | undefined;
    for (const [index, id] of ids.entries()) {
      const known = this.remembered.get(id);
      if (known?.stream !== stream) {
        return index === 0 ? { kind: 'write', undeletes: softDeleted } : { kind: 'wrong' };
      }
      last = known.revision;
    }
    return last === undefined
      ? { kind: 'write', undeletes: softDeleted }
      : { kind: 'repeated', last };
  }

  private metadataOf(stream: string): { maxCount?: number; truncateBefore?: bigint } {
    if (stream.startsWith('$$')) return { maxCount: 1 };
    const text = this.recordsOf(`$$${stream}`).at(-1)?.data.toString('utf8') ?? '{}';
    const maxCount = /"\$maxCount"\s*:\s*(\d+)/.exec(text)?.[1];
    const truncateBefore = /"\$tb"\s*:\s*(\d+)/.exec(text)?.[1];
    return {
      ...(maxCount !== undefined && { maxCount: Number(maxCount) }),
      ...(truncateBefore !== undefined && { truncateBefore: BigInt(truncateBefore) }),
    };
  }

  private undelete(stream: string, from: bigint): void {
    const json = this.recordsOf(`$$${stream}`).at(-1)!.data.toString('utf8');
    this.writeMetadata(stream, json.replace(/"\$tb"\s*:\s*\d+/, `"$$tb":${from}`));
  }

  private writeMetadata(stream: string, json: string): EsdbRecord {
    const name = `$$${stream}`;
    return this.write(name, this.lastRevision(name) + 1n, bare('$metadata', true, json));
  }

  private write(stream: string, revision: bigint, event: EsdbProposed): EsdbRecord {
    const position = this.nextPosition;
    const record = { ...event, stream, revision, position, createdMs: Date.now() };
    this.nextPosition += sizeOf(record);
    this.put(record);
    this.remembered.set(record.id, { stream, revision });
    if (this.remembered.size > REMEMBERED_IDS_MAX) {
      this.remembered.delete(this.remembered.keys().next().value!);
    }
    return record;
  }

  private put(record: EsdbRecord): void {
    this.records.push(record);
    const own = this.streams.get(record.stream);
    if (own === undefined) this.streams.set(record.stream, [record]);
    else own.push(record);
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

function highest(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function sizeOf({ stream, type, data, metadata }: EsdbRecord): bigint {
  const texts = data.length + metadata.length;
  return BigInt(RECORD_BYTES + 2 * (stream.length + type.length) + texts);
}

function startOf(from: bigint | 'start' | 'end'): bigint {
  return typeof from === 'bigint' ? from : 0n;
}

function bare(type: string, isJson: boolean, data: string): EsdbProposed {
  return { id: randomUUID(), type, isJson, data: Buffer.from(data), metadata: Buffer.alloc(0) };
}
