import { checkDefinition } from '../read-model-rules.js';
import {
  type CollectionDefinition,
  InvalidQueryError,
  UnknownCollectionError,
} from '../read-model-store.js';
import type { Connection } from './database-schema.js';

/** Which collections exist, with the fields that are indexed. Names are checked before use in SQL. */
export class CollectionCatalogue {
  private readonly known = new Map<string, CollectionDefinition>();

  constructor(private readonly connection: Connection) {}

  /** @throws UnknownCollectionError */
  definition(name: string): CollectionDefinition {
    const definition = this.known.get(name) ?? this.stored(name);
    if (definition?.name !== name) throw new UnknownCollectionError(name);
    this.known.set(name, definition);
    return definition;
  }

  /** Inside a write transaction. */
  ensure(wanted: CollectionDefinition): void {
    checkDefinition(wanted);
    const { name } = wanted;
    const stored = this.stored(name);
    if (stored !== undefined && stored.name !== name) {
      throw new InvalidQueryError(`collection ${name} differs from ${stored.name} by case only`);
    }
    const indexes = merged(stored?.indexes ?? [], wanted.indexes);
    if (stored !== undefined && indexes.length === stored.indexes.length) return;
    this.connection.exec(
      `CREATE TABLE IF NOT EXISTS ${tableOf(name)} (
         id TEXT NOT NULL PRIMARY KEY,
         document TEXT NOT NULL
       ) STRICT`,
    );
    for (const fields of indexes) this.connection.exec(indexSql(name, fields));
    this.connection
      .prepare('INSERT OR REPLACE INTO collections VALUES (?, ?)')
      .run(name, JSON.stringify(indexes));
    this.known.delete(name);
  }

  /** Inside a write transaction. */
  drop(name: string): void {
    if (this.stored(name)?.name === name) {
      this.connection.exec(`DROP TABLE ${tableOf(name)}`);
      this.connection.prepare('DELETE FROM collections WHERE name = ?').run(name);
    }
    this.known.delete(name);
  }

  /** Another process may have dropped or changed a collection. */
  forget(): void {
    this.known.clear();
  }

  private stored(name: string): CollectionDefinition | undefined {
    const row = this.connection
      .prepare<[string], { name: string; indexes: string }>(
        'SELECT name, indexes FROM collections WHERE name = ?',
      )
      .get(name);
    return row && { name: row.name, indexes: JSON.parse(row.indexes) as string[][] };
  }
}

export function tableOf(collection: string): string {
  return `"documents:${collection}"`;
}

/** The same text in index and query, or SQLite does not use the index. */
export function valueOf(field: string): string {
  return `json_extract(document, '$.${field}')`;
}

function indexSql(collection: string, fields: readonly string[]): string {
  const columns = [...fields.map(valueOf), 'id'].join(', ');
  const name = `"index:${collection}:${fields.join('.')}"`;
  return `CREATE INDEX IF NOT EXISTS ${name} ON ${tableOf(collection)} (${columns})`;
}

function merged(
  stored: readonly (readonly string[])[],
  wanted: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const names = new Set(stored.map((fields) => fields.join('.')));
  return [...stored, ...wanted.filter((fields) => !names.has(fields.join('.')))];
}
