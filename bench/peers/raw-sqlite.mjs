import Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { plainMessages } from '../turn.mjs';
import { checkTexts, textsOfPlain } from './texts.mjs';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages
    (session TEXT, at INTEGER, data TEXT NOT NULL, PRIMARY KEY (session, at)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS forks (session TEXT PRIMARY KEY, parent TEXT, upto INTEGER);
  CREATE TABLE IF NOT EXISTS nodes (id TEXT PRIMARY KEY, parent TEXT, picos INTEGER)`;

/** The least that SQLite can do with sessions, forks by reference and rolled-up costs. */
export const rawSqlite = {
  name: 'raw SQLite',
  durability: 'WAL, synchronous=FULL; 1 fsync a turn, or for 64 sessions at once',
  open: async (folder) => new RawSessions(folder),
};

class RawSessions {
  constructor(folder) {
    this.database = new Database(join(folder, 'sessions.sqlite'));
    this.database.pragma('journal_mode = WAL');
    this.database.pragma('synchronous = FULL');
    this.database.exec(SCHEMA);
    const insert = this.database.prepare('INSERT INTO messages VALUES (?, ?, ?)');
    this.insertTurns = this.database.transaction((session, from, to) => {
      for (let turn = from; turn < to; turn += 1) {
        for (const [index, message] of plainMessages(turn).entries()) {
          insert.run(session, 4 * turn + index, JSON.stringify(message));
        }
      }
    });
    this.own = this.database
      .prepare('SELECT data FROM messages WHERE session = ? AND at < ? ORDER BY at')
      .pluck();
    this.forkOf = this.database.prepare('SELECT parent, upto FROM forks WHERE session = ?');
    this.insertFork = this.database.prepare('INSERT INTO forks VALUES (?, ?, ?)');
    this.newestOf = this.database.prepare('SELECT max(at) FROM messages WHERE session = ?').pluck();
  }

  async seed(session, from, to) {
    this.insertTurns.immediate(session, from, to);
  }

  async appendTurn(session, number) {
    this.insertTurns.immediate(session, number, number + 1);
  }

  /** As many turns as sessions in one commit: what a group commit comes to. */
  async appendTurns(sessions, number) {
    this.database
      .transaction(() => {
        for (const session of sessions) this.insertTurns(session, number, number + 1);
      })
      .immediate();
  }

  async readBack(session) {
    const fork = this.forkOf.get(session);
    const before = fork === undefined ? [] : this.own.all(fork.parent, fork.upto);
    return [...before, ...this.own.all(session, Number.MAX_SAFE_INTEGER)].map((row) =>
      JSON.parse(row),
    );
  }

  check(messages, turns) {
    checkTexts(rawSqlite.name, textsOfPlain(messages), turns);
  }

  async place(session) {
    return this.newestOf.get(session) + 1;
  }

  async fork(session, place) {
    const forkId = randomUUID();
    this.insertFork.run(forkId, session, place);
    return forkId;
  }

  async seedTree(nodes) {
    const insert = this.database.prepare('INSERT INTO nodes VALUES (?, ?, 0)');
    const add = this.database.prepare('UPDATE nodes SET picos = picos + ? WHERE id = ?');
    const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
    this.database.transaction(() => {
      for (const { id, parent, picos } of nodes) {
        insert.run(id, parent ?? null);
        for (let at = id; at !== undefined; at = parents.get(at)) add.run(picos, at);
      }
    })();
    this.costOf = this.database.prepare('SELECT picos FROM nodes WHERE id = ?').pluck();
  }

  async rootCost(root) {
    return this.costOf.get(root);
  }

  async close() {
    this.database.close();
  }
}
