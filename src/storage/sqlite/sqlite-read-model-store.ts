import type Database from 'better-sqlite3';
import { type SortValue, decodeCursor, encodeCursor } from '../find-cursor.js';
import { checkBatch, checkQuery, documentText } from '../read-model-rules.js';
import {
  type BatchWrite,
  type CollectionDefinition,
  type DocumentWrite,
  type FindPage,
  type FindQuery,
  PositionMismatchError,
  type ReadModelDocument,
  type ReadModelStore,
  UnknownCollectionError,
} from '../read-model-store.js';
import { CollectionCatalogue, tableOf } from './collection-catalogue.js';
import { type Connect, openConnection } from './connection.js';
import type { Connection } from './database-schema.js';
import { type FindStatement, findStatements } from './find-sql.js';
import { readModelSchema } from './read-model-schema.js';
import { retryBusy } from './retry-busy.js';

const STATEMENTS_KEPT_MAX = 500;

type FoundRow = [id: string, document: string, sortValue: SortValue];

type Statement = Database.Statement<unknown[], unknown>;

/** The statements that write into one collection. */
interface Putting {
  readonly collection: string;
  readonly put: Statement;
  readonly remove: Statement;
}

export interface SqliteReadModelStoreOptions {
  readonly file: string;
  readonly connect?: Connect;
}

/**
 * A table of JSON documents per collection, and each projection's position beside them: both move
 * in one transaction. The file is not synced at each commit, because all of it can be rebuilt; after
 * a power cut documents and position are older together.
 */
export class SqliteReadModelStore implements ReadModelStore {
  private readonly catalogue: CollectionCatalogue;
  private readonly statements = new Map<string, Statement>();

  private constructor(
    private readonly file: string,
    private readonly connection: Connection,
  ) {
    this.catalogue = new CollectionCatalogue(connection);
  }

  /** @throws StorageOpenError */
  static async open({ file, connect }: SqliteReadModelStoreOptions): Promise<SqliteReadModelStore> {
    const connection = await openConnection({
      file,
      connect,
      schema: readModelSchema,
      synchronous: 'normal',
    });
    return new SqliteReadModelStore(file, connection);
  }

  async ensureCollections(collections: readonly CollectionDefinition[]): Promise<void> {
    await this.writing(() => collections.forEach((one) => this.catalogue.ensure(one)));
  }

  async get(collection: string, id: string): Promise<ReadModelDocument | undefined> {
    const text = await this.in(collection, () =>
      this.prepared(`SELECT document FROM ${tableOf(collection)} WHERE id = ?`)
        .pluck()
        .get(id),
    );
    return text === undefined ? undefined : parsed(text as string);
  }

  async getMany(
    collection: string,
    ids: readonly string[],
  ): Promise<Map<string, ReadModelDocument>> {
    const sql = `SELECT id, document FROM ${tableOf(collection)}
                 WHERE id IN (SELECT value FROM json_each(?))`;
    const rows = await this.in(collection, () => this.prepared(sql).raw().all(JSON.stringify(ids)));
    const found = new Map(rows as [string, string][]);
    return new Map(
      ids.flatMap((id) => {
        const text = found.get(id);
        return text === undefined ? [] : [[id, parsed(text)] as const];
      }),
    );
  }

  async find(collection: string, query: FindQuery): Promise<FindPage> {
    const rows = await this.in(collection, () => {
      checkQuery(this.catalogue.definition(collection), query);
      const place = decodeCursor(collection, query);
      return this.rowsOf(findStatements(collection, query, place), query.limit + 1);
    });
    const page = rows.slice(0, query.limit);
    const documents = page.map(([id, text]) => ({ id, document: parsed(text) }));
    const last = page.at(-1);
    if (rows.length <= query.limit || last === undefined) return { documents };
    const [id, , value] = last;
    return { documents, cursor: encodeCursor(collection, query, { id, value }) };
  }

  async position(projection: string): Promise<bigint> {
    return retryBusy(this.file, () => this.positionNow(projection));
  }

  async write(batch: BatchWrite): Promise<void> {
    checkBatch(batch);
    const texts = batch.writes.map(
      ({ collection, id, document }) => document && documentText(collection, id, document),
    );
    await this.writing(() => {
      const actual = this.positionNow(batch.projection);
      if (actual !== batch.expectedPosition) {
        throw new PositionMismatchError(batch.projection, batch.expectedPosition, actual);
      }
      this.putAll(batch.writes, texts);
      this.prepared('INSERT OR REPLACE INTO positions VALUES (?, ?)').run(
        batch.projection,
        batch.nextPosition,
      );
    });
  }

  async dropCollection(collection: string): Promise<void> {
    await this.writing(() => this.catalogue.drop(collection));
  }

  async dropPosition(projection: string): Promise<void> {
    await this.writing(() => {
      this.prepared('DELETE FROM positions WHERE projection = ?').run(projection);
    });
  }

  async close(): Promise<void> {
    this.statements.clear();
    this.connection.close();
  }

  /** Documents of one collection stand together in a batch. */
  private putAll(writes: readonly DocumentWrite[], texts: readonly (string | undefined)[]): void {
    let putting: Putting | undefined;
    writes.forEach(({ collection, id }, index) => {
      if (putting?.collection !== collection) putting = this.putInto(collection);
      const text = texts[index];
      if (text === undefined) putting.remove.run(id);
      else putting.put.run(id, text);
    });
  }

  private putInto(collection: string): Putting {
    this.catalogue.definition(collection);
    const table = tableOf(collection);
    const put = this.prepared(
      `INSERT INTO ${table} VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET document = excluded.document`,
    );
    return { collection, put, remove: this.prepared(`DELETE FROM ${table} WHERE id = ?`) };
  }

  private rowsOf(statements: readonly FindStatement[], count: number): readonly FoundRow[] {
    const rows: FoundRow[] = [];
    for (const { sql, values } of statements) {
      const missing = count - rows.length;
      if (missing > 0) {
        rows.push(
          ...(this.prepared(sql)
            .raw()
            .all(...values, BigInt(missing)) as FoundRow[]),
        );
      }
    }
    return rows;
  }

  private positionNow(projection: string): bigint {
    const position = this.prepared('SELECT position FROM positions WHERE projection = ?')
      .pluck()
      .safeIntegers()
      .get(projection);
    return typeof position === 'bigint' ? position : 0n;
  }

  private writing(work: () => void): Promise<void> {
    return this.noticingDrops(() => this.connection.transaction(work).immediate());
  }

  private in<Result>(collection: string, read: () => Result): Promise<Result> {
    return this.noticingDrops(() => {
      this.catalogue.definition(collection);
      return read();
    });
  }

  /** Another process may drop a collection that this one still has in its catalogue. */
  private noticingDrops<Result>(work: () => Result): Promise<Result> {
    return retryBusy(this.file, () => {
      try {
        return work();
      } catch (error) {
        this.catalogue.forget();
        const gone = /^no such table: documents:(.+)$/.exec(String((error as Error).message));
        throw gone?.[1] === undefined ? error : new UnknownCollectionError(gone[1]);
      }
    });
  }

  private prepared(sql: string): Statement {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    if (this.statements.size >= STATEMENTS_KEPT_MAX) this.statements.clear();
    const statement = this.connection.prepare<unknown[], unknown>(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}

function parsed(text: string): ReadModelDocument {
  return JSON.parse(text) as ReadModelDocument;
}
