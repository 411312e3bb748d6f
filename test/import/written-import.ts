import type { EventOf, SessionEventRecord, SessionEventType } from '../../src/domain/events.js';
import { ImportedStore } from './imported-store.js';
import type { LogFolder, WrittenLog } from './written-log.js';

/** Imports a written log into a store of its own. */
export async function importWritten(folder: LogFolder, log: WrittenLog) {
  const store = new ImportedStore();
  const { logs } = await store.import(folder.write(`${log.sessionId}.jsonl`, log.content()));
  const report = logs[0]!;
  const records = await store.records(report.sessionId);
  return { store, report, records };
}

export function typesOf(records: readonly SessionEventRecord[]): readonly string[] {
  return records.map(({ event }) => event.type);
}

export function dataOf<T extends SessionEventType>(
  records: readonly SessionEventRecord[],
  type: T,
): readonly EventOf<T>['data'][] {
  return records.flatMap(({ event }) =>
    event.type === type ? [event.data as EventOf<T>['data']] : [],
  );
}

export function shown(text: string) {
  return { type: 'text', text };
}
