import type { SessionEventRecord } from '../domain/events.js';

const NONE: readonly SessionEventRecord[] = [];

/** Events by the keys that they are found under; a key may be known to have none. */
export class RecordsByKey {
  private readonly records = new Map<string, SessionEventRecord[]>();

  has(key: string): boolean {
    return this.records.has(key);
  }

  /** Notes that the key was looked up, whether or not events are added for it. */
  note(key: string): void {
    if (!this.records.has(key)) this.records.set(key, []);
  }

  add(keys: readonly string[], record: SessionEventRecord): void {
    for (const key of keys) {
      const known = this.records.get(key);
      if (known === undefined) this.records.set(key, [record]);
      else known.push(record);
    }
  }

  /** Each event once, in order of revision. */
  withAny(keys: readonly string[]): readonly SessionEventRecord[] {
    const found = keys.flatMap((key) => this.records.get(key) ?? NONE);
    if (found.length < 2) return found;
    return [...new Set(found)].sort((one, other) => one.revision - other.revision);
  }
}
