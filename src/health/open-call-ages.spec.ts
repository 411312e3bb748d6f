import { expect, it } from '@jest/globals';
import { memoryPorts } from '../app/memory-ports.js';
import type { ReadModels } from '../projections/read-models.js';
import { OpenCallAges } from './open-call-ages.js';

const NOW_MS = Date.parse('2026-01-05T12:00:00.000Z');
const COLLECTION = { name: 'calls', indexes: [['since']] } as const;

it('counts by effect and by how long nothing was recorded, and what is past half of its time', async () => {
  const { readModels: store } = memoryPorts();
  await store.ensureCollections([COLLECTION]);
  const minutesAgo = (minutes: number) => new Date(NOW_MS - minutes * 60_000).toISOString();
  const asked = (since: number, question: string, minutesLeft: number) => ({
    since: minutesAgo(since),
    question,
    decisionDueAt: minutesAgo(-minutesLeft),
  });
  const calls = [
    { state: 'unknown', effect: 'keyedWrite', since: minutesAgo(1) },
    { state: 'unknown', effect: 'keyedWrite', since: minutesAgo(59) },
    { state: 'unknown', effect: 'keyedWrite', since: minutesAgo(61) },
    { state: 'awaitingHuman', effect: 'opaqueWrite', ...asked(1_441, 'outcome', 1_440) },
    { state: 'requested', effect: 'opaqueWrite', ...asked(5, 'approval', 6) },
    { state: 'running', effect: 'readOnly', since: minutesAgo(5) },
  ];
  const writes = calls.map((document, index) => ({
    collection: COLLECTION.name,
    id: String(index),
    document,
  }));
  const at = { projection: 'test', expectedPosition: 0n, nextPosition: 1n };
  await store.write({ ...at, writes });
  const reader = { find: (_: string, query: never) => store.find(COLLECTION.name, query) };
  const readModels = { of: () => Promise.resolve(reader) } as unknown as ReadModels;
  const { unknown, questions, late } = await new OpenCallAges(readModels, () => NOW_MS).count();
  const counted = [...unknown].map(([effect, ages]) => [effect, Object.fromEntries(ages)]);
  expect(Object.fromEntries(counted)).toEqual({
    keyedWrite: { hour: 2, day: 1 },
    opaqueWrite: { older: 1 },
  });
  expect(Object.fromEntries(questions)).toEqual({ older: 1 });
  expect(late).toBe(1);
});
