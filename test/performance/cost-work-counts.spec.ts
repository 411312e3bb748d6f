import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  GetChildCosts,
  GetChildCostsHandler,
} from '../../src/projections/cost-tree/cost-tree.query.js';
import { COST_NODES } from '../../src/projections/cost-tree/cost-chain.js';
import { costTreeProjection } from '../../src/projections/cost-tree/cost-tree-projection.js';
import { liveGeneration } from '../../src/projections/generation.js';
import type { ReadModelStore } from '../../src/storage/read-model-store.js';
import { findStatements } from '../../src/storage/sqlite/find-sql.js';
import { SqliteReadModelStore } from '../../src/storage/sqlite/sqlite-read-model-store.js';
import { CostWorld } from '../projections/cost-world.js';
import { childStarted, sessionStarted } from '../projections/session-events.js';
import { TENANT } from '../projections/projection-world.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

const CHILDREN_EACH = 60;

/** What is read of the tree's own collection; where it stands is asked for beside. */
interface Reads {
  readonly documents: string[];
  readonly pages: string[];
}

describe('the work that is done for costs', () => {
  let folder: TemporaryFolder;
  let store: ReadModelStore;
  let reads: Reads;
  let world: CostWorld;

  beforeEach(async () => {
    folder = temporaryFolder();
    store = await SqliteReadModelStore.open({ file: `${folder.path}/read-models.sqlite` });
    reads = { documents: [], pages: [] };
    world = new CostWorld({}, counted(store, reads));
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  /** Every session has the same number of children, until there are enough sessions. */
  async function grow(from: number, to: number): Promise<void> {
    for (let index = from; index < to; index += 1) {
      const id = `s${index}`;
      const parent = `s${Math.floor((index - 1) / CHILDREN_EACH)}`;
      const first = index === 0 ? sessionStarted(id) : childStarted(id, parent);
      await world.append(id, [first, world.call(3)]);
    }
    await world.catchUp(costTreeProjection);
  }

  async function collection(name: string): Promise<string> {
    return (await liveGeneration(store, costTreeProjection)).collection(name);
  }

  it('to read what a tree has cost is one document, however large the tree is', async () => {
    let grown = 0;
    for (const sessions of [100, 1_000]) {
      await grow(grown, sessions);
      grown = sessions;
      reads.documents.length = reads.pages.length = 0;
      const cost = await world.cost('s0', { by: 'model' });
      expect(cost?.inclusive.calls).toBe(sessions);
      const nodes = await collection(COST_NODES);
      expect(reads.documents.filter((name) => name === nodes)).toHaveLength(1);
      // The first page of its children comes with it.
      expect(reads.pages.filter((name) => name === nodes)).toHaveLength(1);
    }
  });

  it('to read a page of children with their inclusive costs is one stretch of an index', async () => {
    await grow(0, 400);
    const nodes = await collection(COST_NODES);
    reads.documents.length = reads.pages.length = 0;
    const handler = new GetChildCostsHandler(world.queries([costTreeProjection]));
    const query = new GetChildCosts(TENANT, 's0', {}, { limit: 50 });
    const page = await handler.execute(query);
    expect(page.children).toHaveLength(50);
    expect(page.children[0]?.inclusive.calls).toBe(61);
    expect(reads.pages).toEqual([nodes]);
    expect(reads.documents).not.toContain(nodes);
    expect(planOf(nodes)).toEqual([expect.stringMatching(/^SEARCH .* USING INDEX .*parentNode/)]);
  });

  it('to keep a call is a write of the session and of each session above it, and no more', async () => {
    await grow(0, 200);
    await world.append('s199', [world.call(5), world.call(5)]);
    const writes: number[] = [];
    const write = store.write.bind(store);
    store.write = (batch) => {
      writes.push(batch.writes.filter(({ collection: name }) => name.includes('_nodes_')).length);
      return write(batch);
    };
    await world.catchUp(costTreeProjection);
    expect(writes).toEqual([3]);
  });

  /** How SQLite reads the page: without a sort of its own. */
  function planOf(nodes: string): readonly string[] {
    const [statement] = findStatements(
      nodes,
      {
        filters: [{ field: 'parentNode', equals: `${TENANT}.s0` }],
        sort: { field: 'startedAt', direction: 'ascending' },
        limit: 50,
      },
      undefined,
    );
    const database = new Database(`${folder.path}/read-models.sqlite`, { readonly: true });
    const plan = database
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${statement!.sql}`)
      .all(...statement!.values, 50);
    database.close();
    return plan.map(({ detail }) => detail);
  }
});

function counted(store: ReadModelStore, reads: Reads): ReadModelStore {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) => {
        if (name === 'get') reads.documents.push(String(parameters[0]));
        if (name === 'find') reads.pages.push(String(parameters[0]));
        return Reflect.apply(member, target, parameters) as unknown;
      };
    },
  });
}
