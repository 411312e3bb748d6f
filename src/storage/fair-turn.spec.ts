import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { fairTurn } from './fair-turn.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';
import { SqliteLeaseStore } from './sqlite/sqlite-lease-store.js';
import { SqliteReadModelStore } from './sqlite/sqlite-read-model-store.js';

const LONG_MS = 300;

type Scanned = Partial<Pick<SqliteEventStore, 'read' | 'readAll'>> &
  Partial<Pick<SqliteReadModelStore, 'position'>> &
  Partial<Pick<SqliteLeaseStore, 'current'>> & { close(): Promise<void> };

interface Openable {
  open(options: { readonly file: string }): Promise<Scanned>;
}

/** Does the same step again and again, as a scan does; counts how often others had a turn. */
async function othersDuring(step: () => Promise<unknown>): Promise<number> {
  let others = 0;
  const timer = setInterval(() => (others += 1), 1);
  const endMs = performance.now() + LONG_MS;
  while (performance.now() < endMs) await step();
  clearInterval(timer);
  return others;
}

/** Takes the processor, as folding a page does. */
function work(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}

it('lets others in between pieces of work that never wait', async () => {
  expect(await othersDuring(async () => undefined)).toBe(0);
  expect(await othersDuring(async () => fairTurn())).toBeGreaterThan(2);
});

it('lets all who wait go on, round after round', async () => {
  const done: string[] = [];
  const scan = async (name: string): Promise<void> => {
    for (let piece = 1; piece <= 3; piece += 1) {
      await fairTurn();
      work(15);
      done.push(`${name}${piece}`);
    }
  };
  work(15);
  await Promise.all(['a', 'b', 'c'].map(scan));
  const rounds = [0, 3, 6].map((first) => done.slice(first, first + 3).toSorted());
  expect(rounds).toEqual([1, 2, 3].map((round) => ['a', 'b', 'c'].map((name) => name + round)));
});

it('does not make a request wait for the scans that wait', async () => {
  const done: string[] = [];
  const scan = async (): Promise<void> => {
    for (let piece = 0; piece < 5; piece += 1) {
      await fairTurn();
      work(15);
      done.push('scan');
    }
  };
  const request = async (): Promise<void> => {
    await pause(1);
    for (let read = 0; read < 3; read += 1) await fairTurn();
    done.push('request');
  };
  work(15);
  await Promise.all([scan(), scan(), scan(), request()]);
  expect(done.indexOf('request')).toBeLessThan(4);
});

async function opened(Store: Openable, file: string): Promise<Scanned> {
  return Store.open({ file });
}

it.each([
  ['the log', SqliteEventStore, (store: Scanned) => store.readAll!(0n, 10)],
  ['a stream', SqliteEventStore, (store: Scanned) => store.read!('s', { from: 0, maxCount: 10 })],
  ['read models', SqliteReadModelStore, (store: Scanned) => store.position!('sessions')],
  ['leases', SqliteLeaseStore, (store: Scanned) => store.current!('session')],
])('is what SQLite gives who reads %s again and again', async (_, Store, read) => {
  const folder = temporaryFolder();
  const store = await opened(Store, `${folder.path}/store.sqlite`);
  expect(await othersDuring(() => read(store))).toBeGreaterThan(2);
  await store.close();
  folder.remove();
});
