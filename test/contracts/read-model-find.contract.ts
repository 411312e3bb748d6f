import assert from 'node:assert/strict';
import {
  type FieldFilter,
  InvalidCursorError,
  InvalidQueryError,
  type ReadModelStore,
} from '../../src/storage/read-model-store.js';
import { documentsIn, newCollection, writeDocuments } from '../support/read-model-documents.js';
import { same } from '../support/same.js';
import type { Scenario } from '../support/scenarios.js';

const byRank = { field: 'rank', direction: 'ascending' } as const;
const byRankDown = { field: 'rank', direction: 'descending' } as const;

export const findScenarios: readonly Scenario<ReadModelStore>[] = [
  {
    name: 'filters select by equality, membership and range, all of them together',
    async run(store) {
      const { name } = await newCollection(store, [['kind', 'open', 'rank'], ['rank']]);
      await writeDocuments(store, name, {
        a: { kind: 'run', open: true, rank: 1 },
        b: { kind: 'run', open: false, rank: 2 },
        c: { kind: 'call', open: true, rank: 3 },
        d: { kind: 'call', open: true, rank: 10 },
        e: { kind: "o'clock", rank: 4 },
        f: {},
      });
      const ids = (...filters: FieldFilter[]) =>
        documentsIn(store, name, { filters, sort: byRank, limit: 2 });
      same(await ids({ field: 'kind', equals: 'run' }), ['a', 'b']);
      same(await ids({ field: 'open', equals: true }), ['a', 'c', 'd']);
      same(await ids({ field: 'open', equals: false }), ['b']);
      same(await ids({ field: 'kind', equals: "o'clock" }), ['e']);
      same(await ids({ field: 'rank', equals: 10 }), ['d']);
      same(await ids({ field: 'kind', in: ['run', "o'clock", 'none'] }), ['a', 'b', 'e']);
      same(await ids({ field: 'rank', in: [1, 10] }), ['a', 'd']);
      same(await ids({ field: 'rank', in: [] }), []);
      same(await ids({ field: 'rank', atLeast: 2 }, { field: 'rank', below: 10 }), ['b', 'c', 'e']);
      same(await ids({ field: 'kind', atLeast: 'o' }, { field: 'open', equals: true }), ['a']);
      same(await ids({ field: 'kind', below: 'd' }), ['c', 'd']);
      same(await ids({ field: 'rank', atLeast: 'a' }), []);
      same(await ids({ field: 'kind', below: 5 }), []);
      same(await ids(), ['f', 'a', 'b', 'c', 'e', 'd']);
    },
  },
  {
    name: 'pages are complete in both directions: equal values, missing values, any page size',
    async run(store) {
      const { name } = await newCollection(store, [['rank']]);
      const ranks = { a: 2, b: 1, c: 2, d: undefined, e: 2, f: undefined, g: 3 };
      const documents = Object.entries(ranks).map(([id, rank]) => [id, { rank }] as const);
      await writeDocuments(store, name, Object.fromEntries(documents));
      const ascending = ['d', 'f', 'b', 'a', 'c', 'e', 'g'];
      for (const limit of [1, 2, 3, 7, 200]) {
        const query = { filters: [], limit };
        same(await documentsIn(store, name, { ...query, sort: byRank }), ascending);
        same(
          await documentsIn(store, name, { ...query, sort: byRankDown }),
          [...ascending].reverse(),
        );
      }
    },
  },
  {
    name: 'the last page has no cursor, also when it is full',
    async run(store) {
      const { name } = await newCollection(store, [['rank']]);
      await writeDocuments(store, name, { a: { rank: 1 }, b: { rank: 2 } });
      const page = await store.find(name, { filters: [], sort: byRank, limit: 2 });
      same(page, {
        documents: [
          { id: 'a', document: { rank: 1 } },
          { id: 'b', document: { rank: 2 } },
        ],
      });
      assert.equal('cursor' in page, false);
    },
  },
  {
    name: 'a cursor goes on behind its document, whatever was inserted or removed meanwhile',
    async run(store) {
      const { name, write } = await newCollection(store, [['rank']]);
      await writeDocuments(store, name, { a: { rank: 1 }, b: { rank: 2 }, d: { rank: 4 } });
      const query = { filters: [], sort: byRank, limit: 2 };
      const { cursor } = await store.find(name, query);
      assert.ok(cursor !== undefined);
      await writeDocuments(store, name, { aa: { rank: 0 }, bb: { rank: 2 }, c: { rank: 3 } });
      await write([{ collection: name, id: 'b', document: undefined }]);
      same(await documentsIn(store, name, { ...query, cursor }), ['bb', 'c', 'd']);
    },
  },
  {
    name: 'text is ordered by its UTF-8 bytes',
    async run(store) {
      const { name } = await newCollection(store, [['title']]);
      const titles = ['', 'B', 'a', 'a ', 'ab', 'ä', '\uffff', '😀'];
      const documents = titles.map((title, index) => [`${9 - index}`, { title }] as const);
      await writeDocuments(store, name, Object.fromEntries(documents));
      const sort = { field: 'title', direction: 'ascending' } as const;
      const ids = await documentsIn(store, name, { filters: [], sort, limit: 3 });
      same(
        ids,
        titles.map((_title, index) => `${9 - index}`),
      );
    },
  },
  {
    name: 'a field that no index names cannot be asked for, nor a page of a wrong size',
    async run(store) {
      const { name } = await newCollection(store, [['kind', 'rank']]);
      const query = { filters: [], sort: byRank, limit: 10 };
      same(await documentsIn(store, name, query), []);
      for (const field of ['title', "rank')", 'constructor', '']) {
        const sort = { ...byRank, field };
        await assert.rejects(store.find(name, { ...query, sort }), InvalidQueryError);
        const filters = [{ field, equals: 1 }];
        await assert.rejects(store.find(name, { ...query, filters }), InvalidQueryError);
      }
      for (const limit of [0, 201, 1.5, Number.NaN]) {
        await assert.rejects(store.find(name, { ...query, limit }), InvalidQueryError);
      }
      const filters = [{ field: 'rank', atLeast: 1.5 }];
      await assert.rejects(store.find(name, { ...query, filters }), InvalidQueryError);
    },
  },
  {
    name: 'a cursor of another query, or one that was made up, is refused',
    async run(store) {
      const { name } = await newCollection(store, [['kind', 'rank']]);
      await writeDocuments(store, name, { a: { rank: 1 }, b: { rank: 2 } });
      const query = { filters: [], sort: byRank, limit: 1 };
      const { cursor } = await store.find(name, query);
      assert.ok(cursor !== undefined);
      const filters = [{ field: 'kind', equals: 'run' }];
      for (const other of [
        { ...query, cursor, sort: byRankDown },
        { ...query, cursor, filters },
        { ...query, cursor: 'made up' },
        { ...query, cursor: '' },
        { ...query, cursor: Buffer.from('[1,2,3]').toString('base64url') },
      ]) {
        await assert.rejects(store.find(name, other), InvalidCursorError);
      }
      assert.equal((await store.find(name, { ...query, cursor, limit: 5 })).documents.length, 1);
    },
  },
];
