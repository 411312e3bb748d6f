import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BatchFold } from '../../src/projections/batch-fold.js';
import {
  createGeneration,
  dropGeneration,
  generationOf,
  liveGeneration,
} from '../../src/projections/generation.js';
import type { Split } from '../../src/projections/cost-tree/cost-groups.js';
import type { SessionCost } from '../../src/projections/cost-tree/cost-tree.query.js';
import { costTreeProjection } from '../../src/projections/cost-tree/cost-tree-projection.js';
import { rebuild } from '../../src/projections/rebuild.js';
import type { ReadModelStore } from '../../src/storage/read-model-store.js';
import { CostWorld, picoOf } from '../projections/cost-world.js';
import { CountedAgain } from '../projections/counted-again.js';
import { type Tree, randomTree, twoOrders } from '../projections/random-trees.js';
import { same } from '../support/same.js';
import type { Scenario } from '../support/scenarios.js';

const GENERATIONS = [1, 2, 99];
const runs = (share = 1): { readonly numRuns: number } => ({
  numRuns: Math.ceil(Number(process.env['PROPERTY_RUNS'] ?? 6) * share),
});

/** Cost trees of any shape, on the read-model store that is given: exact to the pico. */
export const costTreeScenarios: readonly Scenario<ReadModelStore>[] = [
  {
    name: 'U12, U13: count each provider request once, at its owner and at all above it',
    run: (store) =>
      checked(randomTree, runs(), async (tree) => {
        const world = await written(store, tree);
        await world.catchUp(costTreeProjection, 3);
        await agrees(world, tree, new CountedAgain(tree));
      }),
  },
  {
    name: 'agree with the events at any moment, not only now',
    run: (store) =>
      checked(fc.tuple(randomTree, fc.nat()), runs(), async ([tree, choice]) => {
        const world = await written(store, tree);
        await world.catchUp(costTreeProjection);
        const until = choice % (tree.events.length + 1);
        const asOf = `position:${world.positions[until - 1] ?? 0n}`;
        await agrees(world, tree, new CountedAgain(tree, until), asOf);
      }),
  },
  {
    name: 'add up to the same, split by anything',
    run: (store) =>
      checked(randomTree, runs(0.5), async (tree) => {
        const world = await written(store, tree);
        await world.catchUp(costTreeProjection);
        for (const by of ['model', 'purpose', 'kind', 'run', 'user', 'label', 'day'] as Split[]) {
          const cost = await world.cost('s0', { by, label: 'team' });
          for (const figure of ['own', 'descendants', 'inclusive'] as const) {
            const parts = cost!.groups!.map((group) => pico(group[figure]));
            assert.equal(
              parts.reduce((sum, part) => sum + part, 0n),
              pico(cost![figure]),
            );
          }
        }
        const all = new CountedAgain(tree);
        const owns = tree.sessions.map((session) => all.own(session).pico);
        const total = owns.reduce((sum, own) => sum + own, 0n);
        for (const groupBy of ['day', 'user', 'model', 'session', 'day,label'] as const) {
          const series = await world.series({ groupBy, label: labelFor(groupBy) });
          assert.equal(pico(series.total), total);
        }
      }),
  },
  {
    name: 'U15: are not lowered by a compaction, a revert or anything that costs nothing',
    run: (store) =>
      checked(randomTree, runs(0.3), async (tree) => {
        const world = await emptied(store);
        let before = -1n;
        for (const { sessionId, event } of tree.events) {
          await world.append(sessionId, [event]);
          const cost = await world.cost('s0');
          const now = cost === undefined ? 0n : pico(cost.inclusive);
          if (['Compacted', 'Reverted', 'SessionLabelled', 'RunClaimed'].includes(event.type)) {
            assert.equal(now, before < 0n ? 0n : before);
          }
          before = now;
        }
      }),
  },
  {
    name: 'do not depend on the order in which sessions are seen',
    run: (store) =>
      checked(twoOrders, runs(), async ([one, other]) => {
        const first = await currentFigures(await written(store, one), 1_000);
        const second = await currentFigures(await written(store, other), 1);
        same(second, first);
      }),
  },
  {
    name: 'are the same bytes after a rebuild, and when every event is applied twice',
    run: (store) =>
      checked(randomTree, runs(0.5), async (tree) => {
        const world = await written(store, tree);
        await world.catchUp(costTreeProjection, 3);
        const live = await liveGeneration(world.readModels, costTreeProjection);
        const before = await world.documents(costTreeProjection, live);
        const twice = generationOf(costTreeProjection, 99);
        await createGeneration(world.readModels, costTreeProjection, twice);
        const fold = new BatchFold(world.readModels, world.codec, costTreeProjection, twice);
        const { events } = await world.events.readAll(0n, 1_000);
        let moved = 0n;
        for (const event of events) {
          for (let time = 0; time < 2; time += 1) await fold.apply([event], (moved += 1n));
        }
        same(await world.documents(costTreeProjection, twice), before);
        await rebuild(costTreeProjection, world.ports, {
          instanceId: 'me',
          leaseTtlMs: 10_000,
          batchEventsMax: 7,
          graceMs: 0,
        });
        assert.equal((await liveGeneration(world.readModels, costTreeProjection)).number, 2);
        same(await world.documents(costTreeProjection), before);
        await agrees(world, tree, new CountedAgain(tree));
      }),
  },
];

function checked<Value>(
  arbitrary: fc.Arbitrary<Value>,
  parameters: { readonly numRuns: number },
  holds: (value: Value) => Promise<void>,
): Promise<void> {
  return fc.assert(fc.asyncProperty(arbitrary, holds), parameters);
}

/** A world on a store in which no other one has left anything. */
async function emptied(store: ReadModelStore): Promise<TreeWorld> {
  for (const number of GENERATIONS) {
    await dropGeneration(store, costTreeProjection, generationOf(costTreeProjection, number));
  }
  const { name, version } = costTreeProjection;
  await store.dropCollection('projection_pointers');
  await store.dropPosition(`pointer:${name}@${version}`);
  return new TreeWorld({}, store);
}

class TreeWorld extends CostWorld {
  readonly positions: bigint[] = [];
}

async function written(store: ReadModelStore, tree: Tree): Promise<TreeWorld> {
  const world = await emptied(store);
  for (const { sessionId, event } of tree.events) {
    world.positions.push(await world.append(sessionId, [event]));
  }
  return world;
}

async function agrees(
  world: CostWorld,
  tree: Tree,
  counted: CountedAgain,
  asOf?: string,
): Promise<void> {
  for (const session of tree.sessions) {
    if (!counted.hasBegun(session)) continue;
    const cost = await world.cost(session.id, { asOf });
    same(shown(cost!.own), counted.own(session));
    same(shown(cost!.inclusive), counted.inclusive(session));
  }
}

function shown(figures: SessionCost['own']): { readonly calls: number; readonly pico: bigint } {
  return { calls: figures.calls, pico: pico(figures) };
}

function pico(figures: Parameters<typeof picoOf>[0]): bigint {
  return BigInt(picoOf(figures) || 0);
}

/** What there is now: the ledger and the moments tell how it came to be. */
async function currentFigures(world: CostWorld, batchEventsMax: number): Promise<string[]> {
  await world.catchUp(costTreeProjection, batchEventsMax);
  const lines = await world.documents(costTreeProjection);
  return lines
    .filter((line) => /^(nodes|claims|lineages) /.test(line))
    .map((line) => line.replace(/"begun":\{[^}]*\},/, '').replace(/"user":"[^"]*",?/g, ''));
}

function labelFor(groupBy: string): string | undefined {
  return groupBy.endsWith('label') ? 'team' : undefined;
}
