import Database from 'better-sqlite3';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const TURN_BYTES = 6 * 1024;

/** What the disk takes for one durable write of a turn's size at the end of a file. */
export class Floor {
  constructor(folder) {
    this.file = openSync(join(folder, 'floor'), 'a');
    this.bytes = Buffer.alloc(TURN_BYTES, 'x');
  }

  /** Milliseconds of one write with fdatasync. */
  once() {
    const startedAt = performance.now();
    writeSync(this.file, this.bytes);
    fdatasyncSync(this.file);
    return performance.now() - startedAt;
  }

  close() {
    closeSync(this.file);
  }
}

/** The least that SQLite can do for a turn: four rows, one commit, no index, no ids, no checks. */
export class RawSqlite {
  constructor(folder) {
    this.database = new Database(join(folder, 'raw.sqlite'));
    this.database.pragma('journal_mode = WAL');
    this.database.pragma('synchronous = FULL');
    this.database.exec('CREATE TABLE messages (id INTEGER PRIMARY KEY, data TEXT NOT NULL)');
    this.database.exec("INSERT INTO messages (data) VALUES ('first')");
    const insert = this.database.prepare('INSERT INTO messages (data) VALUES (?)');
    this.write = this.database.transaction((messages) => {
      for (const message of messages) insert.run(JSON.stringify(message));
    });
    if (this.database.pragma('synchronous', { simple: true }) !== 2) {
      throw new Error('raw SQLite does not run with synchronous=FULL: nothing to compare with');
    }
  }

  /** Milliseconds of one commit of a turn's messages. */
  once(messages) {
    const startedAt = performance.now();
    this.write.immediate(messages);
    return performance.now() - startedAt;
  }

  get messageCount() {
    return this.database.prepare('SELECT count(*) - 1 FROM messages').pluck().get();
  }

  close() {
    this.database.close();
  }
}
