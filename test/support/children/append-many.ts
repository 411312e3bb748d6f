import { SqliteEventStore } from '../../../src/storage/sqlite/sqlite-event-store.js';
import { newBatch, newStream } from '../event-batches.js';

/** Appends one event after the other to a stream of its own, and prints what became of them; ends with 1 if any was not. */
const [file = '', count = '0', busyTimeoutMs = ''] = process.argv.slice(2);
const waits = busyTimeoutMs === '' ? {} : { busyTimeoutMs: Number(busyTimeoutMs) };
const store = await SqliteEventStore.open({ file, ...waits });
const stream = newStream();
const errors: string[] = [];
let written = 0;
for (let index = 0; index < Number(count); index += 1) {
  try {
    const expected = written === 0 ? 'noStream' : written - 1;
    const outcome = await store.append(stream, expected, newBatch(1, { keys: [`id:${index}`] }));
    if (outcome.outcome === 'written') written += 1;
    else errors.push(`refused at ${String(outcome.currentRevision)}`);
  } catch (error) {
    errors.push(String(error));
  }
}
const { commitCount } = store;
await store.close();
process.stdout.write(JSON.stringify({ stream, written, errors, commitCount }));
process.exitCode = errors.length === 0 ? 0 : 1;
