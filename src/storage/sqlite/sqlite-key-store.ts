import type Database from 'better-sqlite3';
import type { ArtifactOwner } from '../artifact-store.js';
import { ERASED_PAGE, type ErasedKey, type KeptKey, type KeyStore } from '../key-store.js';
import { type Connect, openConnection } from './connection.js';
import type { Connection, DatabaseSchema } from './database-schema.js';
import { retryBusy } from './retry-busy.js';

export const keySchema: DatabaseSchema = {
  applicationId: 0x48_46_6b_31,
  migrations: [
    `CREATE TABLE session_keys (
       tenant TEXT NOT NULL,
       session TEXT NOT NULL,
       key_id TEXT NOT NULL,
       wrapped TEXT,
       erased_at_ms INTEGER,
       erased_number INTEGER UNIQUE,
       CHECK ((wrapped IS NULL) = (erased_number IS NOT NULL)),
       PRIMARY KEY (tenant, session)
     ) STRICT, WITHOUT ROWID`,
  ],
};

interface KeyRow {
  readonly keyId: string;
  readonly wrapped: string | null;
  readonly erasedAtMs: number;
}

/** A file of its own in the keys folder: a copy of the data folder opens nothing. */
export class SqliteKeyStore implements KeyStore {
  private readonly one: Database.Statement<[string, string], KeyRow>;
  private readonly add: Database.Statement<[string, string, string, string]>;
  private readonly forget: Database.Statement<[bigint, string, string]>;
  private readonly erased: Database.Statement<[bigint], ErasedKey>;

  private constructor(
    private readonly file: string,
    private readonly connection: Connection,
  ) {
    this.one = connection.prepare(
      `SELECT key_id AS keyId, wrapped, erased_at_ms AS erasedAtMs FROM session_keys
       WHERE tenant = ? AND session = ?`,
    );
    this.add = connection.prepare(
      `INSERT INTO session_keys (tenant, session, key_id, wrapped) VALUES (?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    this.forget = connection.prepare(
      `UPDATE session_keys SET wrapped = NULL, erased_at_ms = ?,
         erased_number = (SELECT coalesce(max(erased_number), 0) + 1 FROM session_keys)
       WHERE tenant = ? AND session = ? AND wrapped IS NOT NULL`,
    );
    this.erased = connection.prepare(
      `SELECT tenant AS tenantId, session AS sessionId, erased_number AS number
       FROM session_keys WHERE erased_number > ? ORDER BY erased_number LIMIT ${ERASED_PAGE}`,
    );
  }

  /** @throws StorageOpenError */
  static async open(options: {
    readonly file: string;
    readonly connect?: Connect;
  }): Promise<SqliteKeyStore> {
    const { file, connect } = options;
    const connection = await openConnection({
      file,
      connect,
      schema: keySchema,
      synchronous: 'full',
    });
    connection.pragma('secure_delete = ON');
    return new SqliteKeyStore(file, connection);
  }

  find({ tenantId, sessionId }: ArtifactOwner): Promise<KeptKey | undefined> {
    return retryBusy(this.file, () => keptIn(this.one.get(tenantId, sessionId)));
  }

  keep({ tenantId, sessionId }: ArtifactOwner, keyId: string, wrapped: string): Promise<KeptKey> {
    return retryBusy(this.file, () => {
      this.add.run(tenantId, sessionId, keyId, wrapped);
      const kept = keptIn(this.one.get(tenantId, sessionId));
      if (kept === undefined) throw new Error(`the key of session ${sessionId} vanished`);
      return kept;
    });
  }

  /** The row is overwritten in place, and the log that still holds the old page is emptied. */
  async erase({ tenantId, sessionId }: ArtifactOwner, atMs: number): Promise<void> {
    await retryBusy(this.file, () => this.forget.run(BigInt(atMs), tenantId, sessionId));
    await retryBusy(this.file, () => this.connection.exec('VACUUM'));
    await retryBusy(this.file, () => this.emptyLog());
  }

  erasedAfter(number: number): Promise<readonly ErasedKey[]> {
    return retryBusy(this.file, () => this.erased.all(BigInt(number)));
  }

  async close(): Promise<void> {
    this.connection.close();
  }

  private emptyLog(): void {
    const [answer] = this.connection.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    if (answer.busy === 0) return;
    throw Object.assign(new Error('the log of the keys is being read'), { code: 'SQLITE_BUSY' });
  }
}

function keptIn(row: KeyRow | undefined): KeptKey | undefined {
  if (row === undefined) return undefined;
  const { keyId, wrapped, erasedAtMs } = row;
  return wrapped === null ? { keyId, erasedAtMs } : { keyId, wrapped };
}
