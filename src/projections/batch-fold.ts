import type { SessionEventRecord, SessionEventType } from '../domain/events.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { RecordedEvent } from '../storage/event-store.js';
import { fairTurn } from '../storage/fair-turn.js';
import type { DocumentWrite, ReadModelStore } from '../storage/read-model-store.js';
import { type Generation, QUARANTINE } from './generation.js';
import { lastApplied } from './last-applied.js';
import { type DocumentReference, type Projection, foldRecord } from './projection.js';
import { type QuarantinedStream, readQuarantine } from './quarantine.js';
import { DocumentNotLoaded, WorkingSet } from './working-set.js';

/** What is read from the log and can be folded without asking the store again. */
interface Readable {
  readonly stored: RecordedEvent;
  readonly record: SessionEventRecord;
}

/**
 * Folds pages of the log into one generation of a projection. Documents and position are written
 * together, and only if the position is where this object left it.
 */
export class BatchFold {
  private readonly documents: WorkingSet;
  private readonly quarantine = new Map<string, QuarantinedStream>();
  private at = 0n;

  constructor(
    private readonly store: ReadModelStore,
    private readonly codec: EventCodec,
    private readonly projection: Projection,
    readonly generation: Generation,
  ) {
    this.documents = new WorkingSet(store, generation, projection);
  }

  /** Up to where the log is folded in. */
  get position(): bigint {
    return this.at;
  }

  get quarantined(): readonly QuarantinedStream[] {
    return [...this.quarantine.values()];
  }

  /** Begins again from what the store says. */
  async open(): Promise<void> {
    this.documents.reset();
    this.quarantine.clear();
    this.at = await this.store.position(this.generation.positionName);
    for (const entry of await readQuarantine(this.store, this.generation)) {
      this.quarantine.set(entry.stream, entry);
    }
  }

  /**
   * Folds a page and moves to `next`. When an event cannot be applied, all before it is written.
   * @throws EventNotAppliedError for that event; PositionMismatchError when another consumer was
   *   here; what the store throws.
   */
  async apply(events: readonly RecordedEvent[], next: bigint): Promise<void> {
    const failure = await this.fold(events);
    if (failure === undefined) return this.write(next, events.at(-1));
    this.documents.reset();
    const before = events.slice(0, events.indexOf(failure.stored));
    if (before.length > 0) {
      const again = await this.fold(before);
      if (again !== undefined) throw again;
      const last = before.at(-1)!;
      await this.write(last.position, last);
    }
    throw failure;
  }

  /** From now on the stream's events are passed over, until a rebuild. */
  async setAside(failure: EventNotAppliedError): Promise<void> {
    const { stream, revision, position } = failure.stored;
    const entry = { stream, revision, position: position.toString(), error: failure.message };
    this.documents.reset();
    await this.write(position, failure.stored, [
      { collection: this.generation.collection(QUARANTINE), id: stream, document: entry },
    ]);
    this.quarantine.set(stream, entry);
  }

  /** The first event that could not be applied, if any. */
  private async fold(events: readonly RecordedEvent[]): Promise<EventNotAppliedError | undefined> {
    const readable: Readable[] = [];
    let unreadable: EventNotAppliedError | undefined;
    for (const stored of events) {
      if (!this.concerns(stored)) continue;
      await fairTurn();
      try {
        readable.push({ stored, record: this.codec.decode(stored) });
      } catch (error) {
        unreadable = new EventNotAppliedError(stored, error);
        break;
      }
    }
    await this.documents.load(this.idsOf(readable));
    return (await this.foldAll(readable)) ?? unreadable;
  }

  private concerns({ type, stream }: RecordedEvent): boolean {
    if (this.quarantine.size > 0 && this.quarantine.has(stream)) return false;
    const { types } = this.projection;
    return types === undefined || types.has(this.codec.typeOf(type) as SessionEventType);
  }

  private idsOf(readable: readonly Readable[]): DocumentReference[] {
    const ids: DocumentReference[] = [];
    for (const { record } of readable) {
      try {
        for (const id of this.projection.idsOf(record)) ids.push(id);
      } catch {
        // The same event fails again when it is folded, where the failure has its place.
        break;
      }
    }
    return ids;
  }

  private async foldAll(readable: readonly Readable[]): Promise<EventNotAppliedError | undefined> {
    for (let index = 0; index < readable.length;) {
      const { stored, record } = readable[index]!;
      await fairTurn();
      try {
        foldRecord(this.projection, record, this.documents);
        index += 1;
      } catch (error) {
        if (!(error instanceof DocumentNotLoaded)) return new EventNotAppliedError(stored, error);
        await this.documents.load([error.reference]);
      }
    }
    return undefined;
  }

  private async write(
    next: bigint,
    last: RecordedEvent | undefined,
    more: readonly DocumentWrite[] = [],
  ): Promise<void> {
    if (next === this.at) return;
    const applied = last === undefined ? [] : [lastApplied(this.generation, last)];
    await this.store.write({
      projection: this.generation.positionName,
      expectedPosition: this.at,
      nextPosition: next,
      writes: [...this.documents.changes(), ...applied, ...more],
    });
    this.documents.written();
    this.at = next;
  }
}

/** This event cannot be decoded or folded; the cause says why. */
export class EventNotAppliedError extends Error {
  constructor(
    readonly stored: RecordedEvent,
    cause: unknown,
  ) {
    super(
      `event ${stored.revision} (${stored.type}) of ${stored.stream} cannot be applied: ` +
        (cause instanceof Error ? cause.message : String(cause)),
      { cause },
    );
    this.name = 'EventNotAppliedError';
  }
}
