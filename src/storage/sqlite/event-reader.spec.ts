import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { idsOf, newBatch, newEvent } from '../../../test/support/event-batches.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { RecordedEvent } from '../event-store.js';
import { SqliteEventStore } from './sqlite-event-store.js';

const LOG_EVENTS = 6_000;

describe('a long log, of which few streams are wanted', () => {
  const folder = temporaryFolder();
  let store: SqliteEventStore;
  let whole: readonly RecordedEvent[];

  beforeAll(async () => {
    store = await SqliteEventStore.open({ file: `${folder.path}/events.sqlite` });
    await store.append('tenant-a', 'noStream', newBatch(2));
    for (let head = -1; head + 1 < LOG_EVENTS; head += 100) {
      await store.append('session-long', head < 0 ? 'noStream' : head, newBatch(100));
      if (head % 1_000 === 499) await store.append(`tenant-b${head}`, 'noStream', newBatch(1));
    }
    for (let one = 0; one < 40; one += 1) {
      await store.append(`many-${one}`, 'noStream', [newEvent()]);
    }
    await store.append('tenant-a', 1, newBatch(1));
    await store.append('tenant', 'noStream', newBatch(1));
    whole = (await store.readAll(0n, 10_000)).events;
  });
  afterAll(async () => {
    await store.close();
    folder.remove();
  });

  it('gives their events in one page, however far apart they lie', async () => {
    const wanted = whole.filter(({ stream }) => stream.startsWith('tenant-'));
    const page = await store.readAll(0n, 20, { streamPrefix: 'tenant-' });
    expect(wanted.length).toBeGreaterThan(5);
    expect(idsOf(page.events)).toEqual(idsOf(wanted));
    expect(page).toMatchObject({ next: whole.at(-1)!.position, caughtUp: true });
  });

  it('gives the events that a reading of all would have let through, from any place in any pages', async () => {
    const prefixes = [
      '',
      'tenant-',
      'tenant-a',
      'tenant',
      'session-',
      'many-',
      'many-3',
      'nothing',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...prefixes),
        fc.integer({ min: 0, max: whole.length + 5 }),
        fc.integer({ min: 100, max: 2_000 }),
        async (streamPrefix, after, maxCount) => {
          const found: RecordedEvent[] = [];
          let next = BigInt(after);
          for (let caughtUp = false; !caughtUp;) {
            const page = await store.readAll(next, maxCount, { streamPrefix });
            expect(page.events.length).toBeLessThanOrEqual(maxCount);
            expect(page.next).toBeGreaterThanOrEqual(page.events.at(-1)?.position ?? next);
            found.push(...page.events);
            ({ next, caughtUp } = page);
          }
          const wanted = whole.filter(
            ({ stream, position }) => position > after && stream.startsWith(streamPrefix),
          );
          expect(idsOf(found)).toEqual(idsOf(wanted));
        },
      ),
      { numRuns: 50 },
    );
  });
});
