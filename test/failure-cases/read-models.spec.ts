import { beforeEach, describe, expect, it } from '@jest/globals';
import { allProjections } from '../../src/projections/all-projections.js';
import { liveGeneration, openLiveGeneration } from '../../src/projections/generation.js';
import { rebuild } from '../../src/projections/rebuild.js';
import { GetSession, GetSessionHandler } from '../../src/projections/sessions/sessions.query.js';
import { sessionsProjection } from '../../src/projections/sessions/sessions-projection.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConversationQueries } from '../projections/conversation-queries.js';
import { CostWorld, picoOf } from '../projections/cost-world.js';
import {
  childStarted,
  forked,
  priced,
  sessionStarted,
  settled,
  spoken,
  usage,
} from '../projections/session-events.js';

const OPTIONS = { instanceId: 'rebuild', leaseTtlMs: 60_000, batchEventsMax: 100, graceMs: 0 };

let world: CostWorld;
beforeEach(() => {
  world = new CostWorld();
});

/** Every document of every read model. */
async function everything(): Promise<readonly string[]> {
  const documents = [];
  for (const projection of allProjections) {
    await world.catchUp(projection);
    documents.push(...(await world.documents(projection)));
  }
  return documents;
}

async function rebuildAll(): Promise<readonly string[]> {
  for (const projection of allProjections) {
    await openLiveGeneration(world.readModels, projection);
    await rebuild(projection, world.ports, OPTIONS);
  }
  return everything();
}

it('fc-21.3: a row without a session is gone after a rebuild, and no session stands behind it', async () => {
  await world.append('s1', [sessionStarted('s1'), ...spoken('one')]);
  await everything();
  const generation = await liveGeneration(world.readModels, sessionsProjection);
  const [collection] = sessionsProjection.collections.map(({ name }) =>
    generation.collection(name),
  );
  const position = await world.readModels.position(generation.positionName);
  await world.readModels.write({
    projection: generation.positionName,
    expectedPosition: position,
    nextPosition: position,
    writes: [{ collection: collection!, id: 'acme.s-ghost', document: { sessionId: 's-ghost' } }],
  });
  expect(JSON.stringify(await everything())).toContain('s-ghost');
  expect(JSON.stringify(await rebuildAll())).not.toContain('s-ghost');
  const handler = new GetSessionHandler(
    world.queries([sessionsProjection]),
    world.invalidStreams(),
  );
  expect((await handler.execute(new GetSession('acme', 's-ghost'))).session).toBeUndefined();
});

describe('a fork', () => {
  beforeEach(async () => {
    await world.append('s1', [sessionStarted('s1'), ...spoken('one'), ...spoken('two')]);
    const cut = { sessionId: 's1', revision: 4 };
    const segments = [{ sessionId: 's1', from: 0, to: 4 }];
    await world.append('s1', spoken('three'));
    await world.append('f1', [forked('f1', 's1', { cut, segments })]);
  });

  it('fc-26.1: is the same document by document after each rebuild', async () => {
    const first = await rebuildAll();
    expect(await rebuildAll()).toEqual(first);
    expect(JSON.stringify(first)).toContain('f1');
  });

  it('fc-26.2: shows what is before its cut and not what is behind it, and changes nothing above', async () => {
    const asked = new ConversationQueries(world);
    await rebuildAll();
    expect(await asked.previews('f1')).toEqual(['one', 'two']);
    expect(await asked.previews('s1')).toEqual(['one', 'two', 'three']);
  });
});

describe('the usage of a fork', () => {
  /** 100 tokens above and 50 below; the provider counts on and says 150. */
  const above = settled('r1', { usage: usage({ inputFresh: 100 }), cost: priced(100n) });
  const below = settled('r2', { usage: usage({ inputFresh: 50 }), cost: priced(50n) });
  const told = async () => {
    const [root, fork] = [await world.cost('s1'), await world.cost('f1')];
    return {
      own: [root, fork].map((cost) => [picoOf(cost?.own), cost?.own.usage.inputFresh]),
      family: [picoOf(root?.inclusive), root?.inclusive.usage.inputFresh],
    };
  };
  const ONCE = {
    own: [
      ['100', '100'],
      ['50', '50'],
    ],
    family: ['150', '150'],
  };

  it('fc-28.1, fc-28.2: counts once, each call by what it says of itself', async () => {
    await world.append('s1', [sessionStarted('s1'), above]);
    await world.append('f1', [forked('f1', 's1'), below]);
    expect(await told()).toEqual(ONCE);
  });

  it('fc-28.3: also after a rebuild, and when the fork is heard of first', async () => {
    await world.append('f1', [forked('f1', 's1'), below]);
    await world.append('s1', [sessionStarted('s1'), above]);
    expect(await told()).toEqual(ONCE);
    await rebuildAll();
    expect(await told()).toEqual(ONCE);
  });
});

it('fc-16.3: the call of a compaction that failed counts once', async () => {
  const place = { sessionId: 's1', revision: 0 };
  const range = { coveredFrom: place, coveredTo: place, keptFrom: place, trigger: 'auto' } as const;
  await world.append('s1', [
    sessionStarted('s1'),
    ...spoken('one'),
    { type: 'CompactionStarted', data: { compactionId: 'k1', epoch: 1, ...range } },
    settled('r1', { purpose: 'compaction', usage: usage({ inputFresh: 1 }), cost: priced(123n) }),
    { type: 'CompactionFailed', data: { compactionId: 'k1', reason: 'workerError' } },
  ]);
  expect(picoOf((await world.cost('s1'))?.own)).toBe('123');
  expect((await world.cost('s1'))?.own.calls).toBe(1);
});

describe('the cost of subagents', () => {
  const file = join(process.cwd(), 'test/failure-cases/cases/fc-29-subagent-roll-up.json');
  const { given, values } = JSON.parse(readFileSync(file, 'utf8')) as {
    given: { facts: { ownUsd: Record<string, string>; parents: Record<string, string> } };
    values: { own: string; descendants: string; inclusive: string };
  };
  const { ownUsd, parents } = given.facts;
  const pico = (usd: string) => String(BigInt(usd.replace('.', '')) * 1_000_000n);

  async function sumsIn(order: readonly string[]) {
    world = new CostWorld();
    for (const id of order) {
      const parent = parents[id];
      const start = parent === undefined ? sessionStarted(id) : childStarted(id, parent);
      await world.append(id, [start, world.call(BigInt(pico(ownUsd[id]!)))]);
    }
    const cost = await world.cost('p');
    return [picoOf(cost?.own), picoOf(cost?.descendants), picoOf(cost?.inclusive)];
  }
  const expected = [values.own, values.descendants, values.inclusive].map(pico);

  it('fc-29.1: rolls up exactly', async () => {
    expect(await sumsIn(Object.keys(ownUsd))).toEqual(expected);
  });

  it('fc-29.2: in whatever order the sessions are heard of', async () => {
    const ids = Object.keys(ownUsd);
    for (let turn = 1; turn < ids.length; turn += 1) {
      expect(await sumsIn([...ids.slice(turn), ...ids.slice(0, turn)])).toEqual(expected);
    }
    expect(await sumsIn(ids.toReversed())).toEqual(expected);
  });
});
