import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { idsOf, newBatch, newStream, wholeStream } from '../../../test/support/event-batches.js';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/temporary-folder.js';
import { StoreUnavailableError } from '../event-store.js';
import { connectToFile } from './connection.js';
import { SqliteEventStore } from './sqlite-event-store.js';

jest.setTimeout(60_000);

describe('appends that wait together', () => {
  let folder: TemporaryFolder;
  let store: SqliteEventStore;

  beforeEach(async () => {
    folder = temporaryFolder();
    store = await SqliteEventStore.open({ file: `${folder.path}/events.sqlite` });
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  /** As another connection sees it. */
  function rowsOf(sql: string): readonly unknown[] {
    const connection = connectToFile(`${folder.path}/events.sqlite`, 100);
    const rows = connection.prepare(sql).all();
    connection.close();
    return rows;
  }

  it('share a commit, at most 100 of them', async () => {
    const appends = Array.from({ length: 250 }, () =>
      store.append(newStream(), 'noStream', newBatch(1)),
    );
    expect((await Promise.all(appends)).every(({ outcome }) => outcome === 'written')).toBe(true);
    expect(store.commitCount).toBe(3);
  });

  it('each pay their own commit when they come one after the other', async () => {
    const stream = newStream();
    for (let head = -1; head < 9; head += 1) {
      await store.append(stream, head < 0 ? 'noStream' : head, newBatch(1));
    }
    expect(store.commitCount).toBe(10);
  });

  it('see those before them, and one that is refused takes none with it', async () => {
    const stream = newStream();
    const refused = newStream();
    const [first, second, known] = [newBatch(2), newBatch(2), newBatch(1)];
    await store.append(newStream(), 'noStream', known);
    const before = store.commitCount;
    const outcomes = await Promise.all([
      store.append(stream, 'noStream', first),
      store.append(stream, 'noStream', newBatch(1)),
      store.append(
        refused,
        'noStream',
        known.map((one) => ({ ...one, type: 'NeverSeenBefore' })),
      ),
      store.append(stream, 1, second),
      store.append(stream, 3, newBatch(1, { type: 'NeverSeenBefore' })),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'written',
      'refused',
      'refused',
      'written',
      'written',
    ]);
    expect(store.commitCount).toBe(before + 1);
    expect(rowsOf(`SELECT name FROM streams WHERE name = '${refused}'`)).toEqual([]);
    const events = await wholeStream(store, stream);
    expect(idsOf(events).slice(0, 4)).toEqual(idsOf([...first, ...second]));
    expect(rowsOf("SELECT name FROM event_types WHERE name = 'NeverSeenBefore'")).toHaveLength(1);
    expect(events[4]?.type).toBe('NeverSeenBefore');
    expect(events.map(({ position }) => position)).toEqual([2n, 3n, 4n, 5n, 6n]);
  });

  it('are written when the store is closed, and none after', async () => {
    const stream = newStream();
    const waiting = store.append(stream, 'noStream', newBatch(1));
    await store.close();
    expect((await waiting).outcome).toBe('written');
    await expect(store.append(stream, 0, newBatch(1))).rejects.toThrow(StoreUnavailableError);
    await expect(store.head(stream)).rejects.toThrow(/closed/);
  });
});
