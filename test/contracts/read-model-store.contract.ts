import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  DOCUMENT_BYTES_MAX,
  InvalidQueryError,
  PositionMismatchError,
  type ReadModelStore,
  UnknownCollectionError,
} from '../../src/storage/read-model-store.js';
import { documentsIn, newCollection, writeAll } from '../support/read-model-documents.js';
import { same } from '../support/same.js';
import type { Scenario } from '../support/scenarios.js';
import { findScenarios } from './read-model-find.contract.js';

const documentScenarios: readonly Scenario<ReadModelStore>[] = [
  {
    name: 'a document comes back as it was written, is replaced and deleted',
    async run(store) {
      const { name, write } = await newCollection(store);
      const document = {
        title: 'Grüße, 世界 👩‍🚀 "quoted"',
        large: 9007199254740991,
        money: '123456789012345678901234567890',
        nested: { list: [1, 'two', null, { three: true }] },
      };
      await write([{ collection: name, id: 'a.b:1 ü', document }]);
      same(await store.get(name, 'a.b:1 ü'), document);
      await write([{ collection: name, id: 'a.b:1 ü', document: { other: 1 } }]);
      same(await store.get(name, 'a.b:1 ü'), { other: 1 });
      await write([{ collection: name, id: 'a.b:1 ü', document: undefined }]);
      assert.equal(await store.get(name, 'a.b:1 ü'), undefined);
      await write([{ collection: name, id: 'never there', document: undefined }]);
    },
  },
  {
    name: 'what a caller changes later does not change the stored document',
    async run(store) {
      const { name, write } = await newCollection(store);
      const document = { list: [1] };
      await write([{ collection: name, id: '1', document }]);
      document.list.push(2);
      same(await store.get(name, '1'), { list: [1] });
    },
  },
  {
    name: 'many documents are read at once, in the order asked for, missing ones left out',
    async run(store) {
      const { name, write } = await newCollection(store);
      await write(['1', '2', '3'].map((id) => ({ collection: name, id, document: { id } })));
      const found = await store.getMany(name, ['3', 'none', '1']);
      same(
        [...found],
        [
          ['3', { id: '3' }],
          ['1', { id: '1' }],
        ],
      );
      assert.equal((await store.getMany(name, [])).size, 0);
    },
  },
  {
    name: 'a collection that nobody declared is an error, and declaring it again changes nothing',
    async run(store) {
      const missing = `missing-${randomUUID()}`;
      await assert.rejects(store.get(missing, '1'), UnknownCollectionError);
      await assert.rejects(store.getMany(missing, ['1']), UnknownCollectionError);
      const { name, write } = await newCollection(store);
      await write([{ collection: name, id: '1', document: { kind: 'a' } }]);
      await store.ensureCollections([{ name, indexes: [['kind']] }]);
      same(await store.get(name, '1'), { kind: 'a' });
    },
  },
  {
    name: 'an index declared later also finds the documents from before',
    async run(store) {
      const { name, write } = await newCollection(store, [['kind']]);
      await write([{ collection: name, id: '1', document: { kind: 'a', rank: 1 } }]);
      const sort = { field: 'rank', direction: 'ascending' } as const;
      const query = { filters: [], sort, limit: 10 };
      await assert.rejects(store.find(name, query), InvalidQueryError);
      await store.ensureCollections([{ name, indexes: [['rank']] }]);
      same(await documentsIn(store, name, query), ['1']);
      same(await documentsIn(store, name, { ...query, sort: { ...sort, field: 'kind' } }), ['1']);
    },
  },
  {
    name: 'names that could mean something else to a store are refused',
    async run(store) {
      for (const name of ['', 'a"b', "a'; DROP TABLE x; --", '$cmd', 'a.b', '9a', 'a'.repeat(64)]) {
        await assert.rejects(store.ensureCollections([{ name, indexes: [] }]), InvalidQueryError);
      }
      const { name } = await newCollection(store);
      for (const fields of [[], ['a.b'], ["x')"], ['$where'], ['a', 'a']]) {
        const definition = { name, indexes: [fields] };
        await assert.rejects(store.ensureCollections([definition]), InvalidQueryError);
      }
      const upper = name.toUpperCase();
      await assert.rejects(
        store.ensureCollections([{ name: upper, indexes: [] }]),
        InvalidQueryError,
      );
    },
  },
  {
    name: 'a dropped collection is gone and can be declared anew, empty',
    async run(store) {
      const { name, write } = await newCollection(store);
      await write([{ collection: name, id: '1', document: { kind: 'a' } }]);
      await store.dropCollection(name);
      await assert.rejects(store.get(name, '1'), UnknownCollectionError);
      await store.dropCollection(name);
      await store.ensureCollections([{ name, indexes: [['kind']] }]);
      assert.equal(await store.get(name, '1'), undefined);
    },
  },
];

const positionScenarios: readonly Scenario<ReadModelStore>[] = [
  {
    name: 'documents and position move together',
    async run(store) {
      const { name } = await newCollection(store);
      const projection = randomUUID();
      assert.equal(await store.position(projection), 0n);
      const batch = { projection, writes: [{ collection: name, id: '1', document: { at: 1 } }] };
      const large = 9_007_199_254_740_993n;
      await store.write({ ...batch, expectedPosition: 0n, nextPosition: large });
      assert.equal(await store.position(projection), large);
      same(await store.get(name, '1'), { at: 1 });
      assert.equal(await store.position(randomUUID()), 0n);
    },
  },
  {
    name: 'a batch from another position writes nothing and tells the actual one',
    async run(store) {
      const { name } = await newCollection(store);
      const projection = randomUUID();
      const writes = [{ collection: name, id: '1', document: { at: 1 } }];
      await store.write({ projection, expectedPosition: 0n, nextPosition: 5n, writes });
      for (const expectedPosition of [0n, 4n, 6n]) {
        const late = [{ collection: name, id: '1', document: { at: 2 } }];
        const batch = { projection, expectedPosition, nextPosition: 9n, writes: late };
        await assert.rejects(store.write(batch), (error: unknown) => {
          assert.ok(error instanceof PositionMismatchError);
          return error.actual === 5n && error.expected === expectedPosition;
        });
      }
      assert.equal(await store.position(projection), 5n);
      same(await store.get(name, '1'), { at: 1 });
    },
  },
  {
    name: 'of two consumers at one position exactly one writes',
    async run(store) {
      const { name } = await newCollection(store);
      const projection = randomUUID();
      const outcomes = await Promise.allSettled(
        [1, 2, 3, 4].map((at) =>
          store.write({
            projection,
            expectedPosition: 0n,
            nextPosition: 1n,
            writes: [{ collection: name, id: '1', document: { at } }],
          }),
        ),
      );
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      same(await store.get(name, '1'), { at: winner + 1 });
    },
  },
  {
    name: 'a batch with a document that cannot be stored writes nothing',
    async run(store) {
      const { name } = await newCollection(store);
      const projection = randomUUID();
      const good = { collection: name, id: '1', document: { at: 1 } };
      const huge = { text: 'x'.repeat(DOCUMENT_BYTES_MAX) };
      for (const bad of [
        { collection: name, id: '2', document: { n: 1n } },
        { collection: name, id: '2', document: huge },
        { collection: name, id: '', document: {} },
      ]) {
        const batch = { projection, expectedPosition: 0n, nextPosition: 1n, writes: [good, bad] };
        await assert.rejects(store.write(batch), InvalidQueryError);
      }
      const lost = { collection: `missing-${randomUUID()}`, id: '1', document: {} };
      const batch = { projection, expectedPosition: 0n, nextPosition: 1n, writes: [good, lost] };
      await assert.rejects(store.write(batch), UnknownCollectionError);
      assert.equal(await store.get(name, '1'), undefined);
      assert.equal(await store.position(projection), 0n);
    },
  },
  {
    name: 'a position does not go back, but can be forgotten',
    async run(store) {
      const projection = randomUUID();
      await store.write({ projection, expectedPosition: 0n, nextPosition: 7n, writes: [] });
      const back = { projection, expectedPosition: 7n, nextPosition: 6n, writes: [] };
      await assert.rejects(store.write(back), InvalidQueryError);
      await store.dropPosition(projection);
      assert.equal(await store.position(projection), 0n);
      await store.dropPosition(projection);
    },
  },
  {
    name: 'several writes to one document in a batch: the last one counts',
    async run(store) {
      const { name } = await newCollection(store);
      await writeAll(store, [
        { collection: name, id: '1', document: { at: 1 } },
        { collection: name, id: '1', document: undefined },
        { collection: name, id: '1', document: { at: 2 } },
        { collection: name, id: '2', document: { at: 3 } },
        { collection: name, id: '2', document: undefined },
      ]);
      same(await store.get(name, '1'), { at: 2 });
      assert.equal(await store.get(name, '2'), undefined);
    },
  },
];

/** For every adapter. Collections and projections of other tests may be there. */
export const readModelStoreScenarios: readonly Scenario<ReadModelStore>[] = [
  ...documentScenarios,
  ...positionScenarios,
  ...findScenarios,
];
