import {
  type AnyBulkWriteOperation,
  type Collection,
  MongoBulkWriteError,
  ObjectId,
} from 'mongodb';
import type { MongoCatalogue } from './mongo-catalogue.js';
import type { MongoConnection } from './mongo-connection.js';
import { DUPLICATE_KEY } from './mongo-error.js';
import {
  type BatchWriter,
  type ReadyBatch,
  type ReadyWrite,
  type StoredPosition,
  byPlace,
} from './ready-batch.js';
import type { StoredDocument } from './stored-document.js';

interface JournalEntry extends ReadyWrite {
  readonly _id: ObjectId;
  readonly batch: string;
  readonly writtenAt: Date;
  readonly stored: StoredDocument | undefined;
}

interface Counter {
  readonly _id: string;
  readonly value: number;
}

type Pending = NonNullable<StoredPosition['pending']>;

const TRIES = 5;
/** An entry that no batch in progress can belong to any more. */
const JOURNAL_MS_MAX = 60 * 60 * 1000;

/**
 * All or nothing without transactions. A batch is first kept in a journal. Then one write to one
 * document, the position, decides: it moves, and names the batch. Last the documents are written,
 * and whoever finds a batch named there writes them too. The batch's number in each document keeps
 * a late writer from replacing what a later batch wrote; a deleted document stays as a mark.
 */
export class JournalWriter implements BatchWriter {
  private readonly journal: Collection<JournalEntry>;
  private readonly counters: Collection<Counter>;
  /** What this process itself is writing: waiting for it is better than writing it twice. */
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    { data }: MongoConnection,
    private readonly catalogue: MongoCatalogue,
    private readonly positions: Collection<StoredPosition>,
  ) {
    this.journal = data.collection<JournalEntry>('journal');
    this.counters = data.collection<Counter>('counters');
  }

  async prepare(): Promise<void> {
    await this.journal.createIndex({ batch: 1 });
    for (const { _id, pending } of await this.positions
      .find({ pending: { $ne: null } })
      .toArray()) {
      if (pending) await this.finish(_id, pending);
    }
    // With nothing pending, what is old belongs to batches that were never decided for.
    const old = new Date(Date.now() - JOURNAL_MS_MAX);
    await this.journal.deleteMany({ writtenAt: { $lt: old } });
  }

  async position(projection: string): Promise<string | undefined> {
    await this.underWay.get(projection)?.catch(() => undefined);
    const found = await this.positions.findOne({ _id: projection });
    if (found?.pending) await this.finish(projection, found.pending);
    return found?.position;
  }

  async write(batch: ReadyBatch): Promise<boolean> {
    const pending = { batch: new ObjectId().toHexString(), sequence: await this.nextSequence() };
    await this.keep(batch, pending);
    if (!(await this.decide(batch, pending))) {
      await this.journal.deleteMany({ batch: pending.batch });
      return false;
    }
    const writing = this.apply(batch.projection, pending, batch.writes);
    this.underWay.set(batch.projection, writing);
    try {
      await writing;
    } finally {
      if (this.underWay.get(batch.projection) === writing) this.underWay.delete(batch.projection);
    }
    return true;
  }

  private async nextSequence(): Promise<number> {
    const counter = await this.counters.findOneAndUpdate(
      { _id: 'batches' },
      { $inc: { value: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
    if (counter === null) throw new Error('the counter of batches vanished');
    return Number(counter.value);
  }

  private async keep({ writes }: ReadyBatch, { batch }: Pending): Promise<void> {
    if (writes.length === 0) return;
    const writtenAt = new Date();
    await this.journal.insertMany(
      writes.map((write) => ({ _id: new ObjectId(), batch, writtenAt, ...write })),
    );
  }

  private async decide(batch: ReadyBatch, pending: Pending): Promise<boolean> {
    for (;;) {
      const { matchedCount } = await this.positions.updateOne(
        { _id: batch.projection, position: batch.from, pending: null },
        { $set: { position: batch.to, pending } },
      );
      if (matchedCount === 1) return true;
      const found = await this.positions.findOne({ _id: batch.projection });
      if (!found?.pending) return false;
      await this.finish(batch.projection, found.pending);
      if (found.position !== batch.from) return false;
    }
  }

  /** For a batch of another process, which may be writing it at this moment or be gone. */
  private async finish(projection: string, pending: Pending): Promise<void> {
    const entries = await this.journal.find({ batch: pending.batch }).toArray();
    const writes = entries.map(({ place, id, stored }) => ({ place, id, stored }));
    await this.apply(projection, pending, writes);
  }

  private async apply(
    projection: string,
    pending: Pending,
    writes: readonly ReadyWrite[],
  ): Promise<void> {
    for (const [place, group] of byPlace(writes)) {
      await this.writeGuarded(this.catalogue.documentsAt(place), pending.sequence, group);
    }
    const { batch } = pending;
    await this.positions.updateOne(
      { _id: projection, 'pending.batch': batch },
      { $set: { pending: null } },
    );
    await this.journal.deleteMany({ batch });
  }

  private async writeGuarded(
    documents: Collection<StoredDocument>,
    sequence: number,
    writes: readonly ReadyWrite[],
  ): Promise<void> {
    let rest = writes;
    for (let tries = 1; rest.length > 0; tries += 1) {
      // An upsert whose filter does not match meets the document itself: a later batch wrote it,
      // or somebody inserted it just now. Without the upsert the two can be told apart.
      const upsert = tries === 1;
      const operations = rest.map((write) => guarded(write, sequence, upsert));
      try {
        await documents.bulkWrite(operations, { ordered: false });
        return;
      } catch (error) {
        const taken = takenIds(error);
        if (taken === undefined || tries === TRIES) throw error;
        const all = rest;
        rest = taken.map((index) => all[index]!);
      }
    }
  }
}

/** Which of the operations met a document with their id, when nothing else went wrong. */
function takenIds(error: unknown): readonly number[] | undefined {
  if (!(error instanceof MongoBulkWriteError)) return undefined;
  const errors = [error.writeErrors].flat();
  // A broken connection comes as an error without any single one.
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) return undefined;
  return errors.map(({ index }) => index);
}

function guarded(
  { id, stored }: ReadyWrite,
  sequence: number,
  upsert: boolean,
): AnyBulkWriteOperation<StoredDocument> {
  const filter = { _id: id, sequence: { $not: { $gte: sequence } } };
  const { json, fields } = stored ?? {};
  const content = json === undefined ? {} : { json, fields };
  return { replaceOne: { filter, replacement: { ...content, sequence }, upsert } };
}
