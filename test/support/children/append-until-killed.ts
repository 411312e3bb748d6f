import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { SqliteEventStore } from '../../../src/storage/sqlite/sqlite-event-store.js';
import { newEvent, newStream } from '../event-batches.js';

/**
 * Four writers append batches of 1 to 13 events for ever, each to a stream of its own. A line is
 * printed for each acknowledged batch: stream, last revision, batch id. Each event says which batch
 * it belongs to, and how large that is.
 */
const [file = ''] = process.argv.slice(2);
const store = await SqliteEventStore.open({ file });

async function writeForEver(): Promise<never> {
  const stream = newStream();
  for (let head = -1; ;) {
    const batch = randomUUID();
    const size = 1 + Math.floor(Math.random() * 13);
    const events = Array.from({ length: size }, (_, index) =>
      newEvent({
        data: JSON.stringify({ batch, index, size, filling: 'x'.repeat(300) }),
        keys: [`id:${batch}:${index}`, `batch:${batch}`],
      }),
    );
    const outcome = await store.append(stream, head < 0 ? 'noStream' : head, events);
    if (outcome.outcome !== 'written') throw new Error(`refused: ${JSON.stringify(outcome)}`);
    head = outcome.revision;
    writeSync(1, `${stream} ${head} ${batch}\n`);
  }
}

await Promise.all([writeForEver(), writeForEver(), writeForEver(), writeForEver()]);
