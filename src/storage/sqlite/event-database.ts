import type Database from 'better-sqlite3';
import type { Connection } from './database-schema.js';
import { EventReader } from './event-reader.js';
import { EventWriter } from './event-writer.js';
import { KeyIndex } from './key-index.js';
import { SnapshotTable } from './snapshot-table.js';
import { TypeDictionary } from './type-dictionary.js';

/** One open connection with its prepared statements; replaced as a whole after an I/O error. */
export class EventDatabase {
  readonly reader: EventReader;
  readonly writer: EventWriter;
  readonly keys: KeyIndex;
  readonly snapshots: SnapshotTable;
  private readonly types: TypeDictionary;
  private readonly statements: Readonly<
    Record<'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'undo', Database.Statement>
  >;
  private readonly dataVersionOf: Database.Statement<[], number>;
  private readonly storeIdOf: Database.Statement<[], string>;

  constructor(readonly connection: Connection) {
    this.types = new TypeDictionary(connection);
    this.keys = new KeyIndex(connection);
    this.reader = new EventReader(connection, this.types, this.keys);
    this.writer = new EventWriter(connection, this.types, this.keys);
    this.snapshots = new SnapshotTable(connection);
    this.statements = {
      begin: connection.prepare('BEGIN IMMEDIATE'),
      commit: connection.prepare('COMMIT'),
      rollback: connection.prepare('ROLLBACK'),
      savepoint: connection.prepare('SAVEPOINT one_of_group'),
      release: connection.prepare('RELEASE one_of_group'),
      undo: connection.prepare('ROLLBACK TO one_of_group'),
    };
    this.dataVersionOf = connection.prepare<[], number>('PRAGMA data_version').pluck();
    this.storeIdOf = connection.prepare<[], string>('SELECT store_id FROM store_identity').pluck();
  }

  begin(): void {
    this.statements.begin.run();
  }

  commit(): void {
    this.statements.commit.run();
  }

  /** SQLite rolls back by itself after some errors. */
  rollback(): void {
    this.types.forget();
    this.keys.forget();
    if (this.connection.inTransaction) this.statements.rollback.run();
  }

  /** Runs one part of a group: what it wrote is undone when it throws, the rest stays. */
  inSavepoint<Result>(work: () => Result): Result {
    this.statements.savepoint.run();
    try {
      const result = work();
      this.statements.release.run();
      return result;
    } catch (error) {
      if (this.connection.inTransaction) {
        this.types.forget();
        this.statements.undo.run();
        this.statements.release.run();
      }
      throw error;
    }
  }

  storeId(): string {
    return this.storeIdOf.get() ?? '';
  }

  /** Changes when another connection has committed. */
  dataVersion(): number {
    return this.dataVersionOf.get() ?? 0;
  }
}
