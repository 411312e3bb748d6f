/** Somebody who can write the event store's own files changes the log behind Holdfast's back. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isOwnStream } from '../../src/storage/eventstoredb/own-streams.js';
import type { EsdbRecord } from './eventstoredb/esdb-log.js';
import { eventStoreDoubleOf } from './stores-under-test.js';

export type LogChange = 'data' | 'a time' | 'an actor' | 'a missing event' | 'a name';

export interface ChangeableLog {
  change(what: LogChange): void;
  /** As it was when this was made. */
  restore(): void;
}

/** Moves one event of a session in time, in place; nothing may have the log open. */
export async function moveInTime(folder: string, sessionId: string, byMs: number): Promise<void> {
  const log = (await eventStoreDoubleOf(folder))?.log;
  if (log === undefined)
    return moveEmbedded(join(folder, 'data', 'events.sqlite'), sessionId, byMs);
  const isOne = ({ stream, revision }: EsdbRecord): boolean =>
    isOwnStream(stream) && stream.endsWith(`.${sessionId}`) && revision === 1n;
  log.replaceAll(log.records.map((one) => (isOne(one) ? laterBy(one, byMs) : one)));
}

function moveEmbedded(file: string, sessionId: string, byMs: number): void {
  const database = new Database(file);
  database
    .prepare(
      `UPDATE events SET recorded_at_ms = recorded_at_ms + ?
       WHERE revision = 1 AND stream = (SELECT id FROM streams WHERE name LIKE ?)`,
    )
    .run(byMs, `%.${sessionId}`);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

/** Nothing may have the log open in this moment, nor while it is changed. */
export async function changeableLog(folder: string): Promise<ChangeableLog> {
  const log = (await eventStoreDoubleOf(folder))?.log;
  if (log === undefined) return embeddedLog(join(folder, 'data', 'events.sqlite'));
  const sound = [...log.records];
  return {
    change: (what) => log.replaceAll(RECORDS[what](log.records)),
    restore: () => log.replaceAll(sound),
  };
}

const SQL: Readonly<Record<LogChange, string>> = {
  data: 'UPDATE events SET data = replace(data, \'"runId"\', \'"runIb"\') WHERE revision = 3',
  'a time': 'UPDATE events SET recorded_at_ms = recorded_at_ms + 1 WHERE revision = 1',
  'an actor': 'UPDATE events SET metadata = replace(metadata, \'"actor"\', \'"Actor"\')',
  'a missing event': 'DELETE FROM events WHERE position = (SELECT max(position) FROM events)',
  'a name': "UPDATE streams SET name = 'session-default.session-2' WHERE name LIKE '%-two'",
};

function embeddedLog(file: string): ChangeableLog {
  const sound = `${file}.sound`;
  copyFileSync(file, sound);
  return {
    change(what) {
      const database = new Database(file);
      database.prepare(SQL[what]).run();
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
    },
    restore: () => copyFileSync(sound, file),
  };
}

type Records = readonly EsdbRecord[];

const RECORDS: Readonly<Record<LogChange, (records: Records) => Records>> = {
  data: (records) =>
    eachOwn(records, (one) =>
      one.revision === 3n ? { ...one, data: replaced(one.data, '"runId"', '"runIb"') } : one,
    ),
  'a time': (records) => eachOwn(records, (one) => (one.revision === 1n ? laterBy(one, 1) : one)),
  'an actor': (records) =>
    eachOwn(records, (one) => ({
      ...one,
      metadata: replaced(one.metadata, '"actor"', '"Actor"'),
    })),
  'a missing event': (records) => {
    const last = records.findLast(({ stream }) => isOwnStream(stream));
    return records.filter((one) => one !== last);
  },
  'a name': (records) =>
    records.map((one) =>
      one.stream.endsWith('-two') ? { ...one, stream: 'session-default.session-2' } : one,
    ),
};

function laterBy(record: EsdbRecord, byMs: number): EsdbRecord {
  const envelope = JSON.parse(record.metadata.toString('utf8')) as { recordedAtMs: number };
  const later = { ...envelope, recordedAtMs: envelope.recordedAtMs + byMs };
  return { ...record, metadata: Buffer.from(JSON.stringify(later)) };
}

function eachOwn(records: Records, change: (record: EsdbRecord) => EsdbRecord): Records {
  return records.map((one) => (isOwnStream(one.stream) ? change(one) : one));
}

function replaced(bytes: Buffer, old: string, other: string): Buffer {
  return Buffer.from(bytes.toString('utf8').replaceAll(old, other));
}
