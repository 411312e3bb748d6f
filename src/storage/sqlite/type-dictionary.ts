import type { Connection } from './database-schema.js';

/** Names of event types and their numbers; a few dozen, kept in memory. */
export class TypeDictionary {
  private readonly numbers = new Map<string, bigint>();
  private readonly names = new Map<bigint, string>();

  constructor(private readonly connection: Connection) {}

  /** Inside a write transaction. */
  numberOf(name: string): bigint {
    const known = this.numbers.get(name) ?? this.load(name);
    if (known !== undefined) return known;
    const added = this.connection.prepare('INSERT INTO event_types (name) VALUES (?)').run(name);
    return this.remember(BigInt(added.lastInsertRowid), name);
  }

  /** Numbers of those names that any event has. */
  knownNumbers(names: readonly string[]): readonly bigint[] {
    return names
      .map((name) => this.numbers.get(name) ?? this.load(name))
      .filter((number) => number !== undefined);
  }

  nameOf(number: bigint): string {
    const known = this.names.get(number);
    if (known !== undefined) return known;
    const name = this.connection
      .prepare('SELECT name FROM event_types WHERE id = ?')
      .pluck()
      .get(number);
    if (typeof name !== 'string') throw new Error(`event type number ${number} has no name`);
    this.remember(number, name);
    return name;
  }

  /** After a rollback a number may belong to no name. */
  forget(): void {
    this.numbers.clear();
    this.names.clear();
  }

  private load(name: string): bigint | undefined {
    const number = this.connection
      .prepare('SELECT id FROM event_types WHERE name = ?')
      .pluck()
      .safeIntegers()
      .get(name);
    return typeof number === 'bigint' ? this.remember(number, name) : undefined;
  }

  private remember(number: bigint, name: string): bigint {
    this.numbers.set(name, number);
    this.names.set(number, name);
    return number;
  }
}
