import assert from 'node:assert/strict';
import type { EventStore, ReadOptions } from '../../src/storage/event-store.js';
import { idsOf, newBatch, newEvent, newStream, wholeStream } from '../support/event-batches.js';
import { same } from '../support/same.js';
import type { Scenario } from '../support/scenarios.js';

export const readScenarios: readonly Scenario<EventStore>[] = [
  {
    name: 'what was written comes back unchanged, in any script and with large numbers',
    async run(store) {
      const stream = newStream();
      const data = JSON.stringify({
        text: 'Grüße, 世界 👩‍🚀 \u0000 \u2028 \ud800 "quoted" \\',
        pico: '123456789012345678901234567890',
        large: 9007199254740991,
      });
      const event = newEvent({
        type: 'ToolResultRecorded.v2',
        data,
        metadata: JSON.stringify({ actor: 'ünïcode' }),
        recordedAtMs: 1_790_000_000_001,
      });
      const outcome = await store.append(stream, 'noStream', [event]);
      assert.ok(outcome.outcome === 'written');
      const { keys: _keys, ...written } = event;
      same(await wholeStream(store, stream), [
        { ...written, stream, revision: 0, position: outcome.position },
      ]);
      assert.equal(typeof outcome.position, 'bigint');
    },
  },
  {
    name: 'a missing stream reads as empty',
    async run(store) {
      const stream = newStream();
      assert.equal(await store.head(stream), 'noStream');
      same(await wholeStream(store, stream), []);
      same(await store.findByKeys(stream, ['call:1']), []);
      await store.append(stream, 'noStream', newBatch(1));
      assert.equal(await store.head(stream), 0);
    },
  },
  {
    name: 'ranges, counts, directions and types select as they say',
    async run(store) {
      const stream = newStream();
      const types = ['A', 'B', 'A', 'C', 'A', 'B'];
      await store.append(
        stream,
        'noStream',
        types.map((type) => newEvent({ type })),
      );
      const revisions = async (options: ReadOptions) =>
        (await store.read(stream, options)).map(({ revision }) => revision);
      same(await revisions({ from: 2, maxCount: 2 }), [2, 3]);
      same(await revisions({ from: 1, to: 3, maxCount: 10 }), [1, 2, 3]);
      same(await revisions({ from: 6, maxCount: 10 }), []);
      same(await revisions({ from: 4, to: 2, maxCount: 10 }), []);
      const backwards = { direction: 'backwards' } as const;
      same(await revisions({ from: 3, maxCount: 2, ...backwards }), [3, 2]);
      same(await revisions({ from: 3, to: 1, maxCount: 10, ...backwards }), [3, 2, 1]);
      same(await revisions({ from: 99, maxCount: 1, ...backwards }), [5]);
      same(await revisions({ from: 0, maxCount: 10, types: ['A'] }), [0, 2, 4]);
      same(await revisions({ from: 0, maxCount: 2, types: ['B', 'C'] }), [1, 3]);
      same(await revisions({ from: 0, maxCount: 9, types: ['Unheard'] }), []);
      same(await revisions({ from: 5, maxCount: 1, types: ['A'], ...backwards }), [4]);
    },
  },
  {
    name: 'a count that is no count is refused',
    async run(store) {
      const stream = newStream();
      for (const maxCount of [0, -1, 1.5, Number.NaN]) {
        await assert.rejects(store.read(stream, { from: 0, maxCount }), RangeError);
        await assert.rejects(store.readAll(0n, maxCount), RangeError);
      }
    },
  },
  {
    name: 'events are found by any of their keys, in order, within their stream only',
    async run(store) {
      const [stream, other] = [newStream(), newStream()];
      const batch = [
        newEvent({ keys: ['id:1', 'call:a'] }),
        newEvent({ keys: ['id:2'] }),
        newEvent({ keys: ['id:3', 'call:a'] }),
        newEvent(),
      ];
      await store.append(stream, 'noStream', batch);
      await store.append(other, 'noStream', [newEvent({ keys: ['call:a'] })]);
      const revisions = async (...keys: string[]) =>
        (await store.findByKeys(stream, keys)).map(({ revision }) => revision);
      same(await revisions('call:a'), [0, 2]);
      same(await revisions('id:3', 'id:2', 'call:a'), [0, 1, 2]);
      same(await revisions('call:b', 'id:1 '), []);
      same(await revisions(), []);
      assert.equal((await store.findByKeys(other, ['call:a'])).length, 1);
    },
  },
  {
    name: 'keys are found in a long stream, old and new, and after later appends',
    async run(store) {
      const stream = newStream();
      for (let count = 0; count < 700; count += 70) {
        const batch = Array.from({ length: 70 }, (_, index) =>
          newEvent({ keys: [`id:${count + index}`, `page:${count}`] }),
        );
        await store.append(stream, count === 0 ? 'noStream' : count - 1, batch);
        const [found] = await store.findByKeys(stream, [`id:${count}`]);
        assert.equal(found?.revision, count);
      }
      const wanted = [0, 69, 255, 256, 257, 511, 512, 699];
      const found = await store.findByKeys(
        stream,
        wanted.map((at) => `id:${at}`),
      );
      same(
        found.map(({ revision }) => revision),
        wanted,
      );
      assert.equal((await store.findByKeys(stream, ['page:70'])).length, 70);
      same(await store.findByKeys(stream, ['id:700']), []);
    },
  },
  {
    name: 'keys of a refused batch are not found',
    async run(store) {
      const stream = newStream();
      const batch = newBatch(1, { keys: ['call:kept'] });
      await store.append(stream, 'noStream', batch);
      await store.append(stream, 'noStream', newBatch(1, { keys: ['call:refused'] }));
      same(await store.findByKeys(stream, ['call:refused']), []);
      same(idsOf(await store.findByKeys(stream, ['call:kept'])), idsOf(batch));
    },
  },
];
