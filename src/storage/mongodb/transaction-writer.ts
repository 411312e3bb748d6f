import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb';
import type { MongoCatalogue } from './mongo-catalogue.js';
import { inTransaction } from './mongo-transaction.js';
import type { MongoConnection } from './mongo-connection.js';
import {
  type BatchWriter,
  type ReadyBatch,
  type ReadyWrite,
  type StoredPosition,
  byPlace,
} from './ready-batch.js';
import type { StoredDocument } from './stored-document.js';

/** Position and documents in one transaction. */
export class TransactionWriter implements BatchWriter {
  constructor(
    private readonly connection: MongoConnection,
    private readonly catalogue: MongoCatalogue,
    private readonly positions: Collection<StoredPosition>,
  ) {}

  async position(projection: string): Promise<string | undefined> {
    return (await this.positions.findOne({ _id: projection }))?.position;
  }

  async write(batch: ReadyBatch): Promise<boolean> {
    return inTransaction(this.connection.client, async (session) => {
      const moved = await this.positions.updateOne(
        { _id: batch.projection, position: batch.from },
        { $set: { position: batch.to } },
        { session },
      );
      if (moved.matchedCount === 0) return false;
      await this.writeDocuments(batch.writes, session);
      return true;
    });
  }

  private async writeDocuments(
    writes: readonly ReadyWrite[],
    session: ClientSession,
  ): Promise<void> {
    for (const [place, group] of byPlace(writes)) {
      const operations = group.map(operationOf);
      await this.catalogue.documentsAt(place).bulkWrite(operations, { session });
    }
  }
}

function operationOf({ id, stored }: ReadyWrite): AnyBulkWriteOperation<StoredDocument> {
  const filter = { _id: id };
  return stored === undefined
    ? { deleteOne: { filter } }
    : { replaceOne: { filter, replacement: stored, upsert: true } };
}
