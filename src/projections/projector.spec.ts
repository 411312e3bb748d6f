import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inputAccepted, sessionStarted } from '../../test/projections/session-events.js';
import { ProjectionWorld, TENANT } from '../../test/projections/projection-world.js';
import { derivedId } from '../identity/derived-ids.js';
import { PositionMismatchError, type BatchWrite } from '../storage/read-model-store.js';
import { BatchFold } from './batch-fold.js';
import { openLiveGeneration } from './generation.js';
import { type DocumentProjection, sessionDocumentId } from './projection.js';
import type { ProjectorOptions } from './projector.js';
import { Projectors, UnknownProjectionError } from './projectors.js';

/** Counts a session's events, and cannot take an input that says "poison". */
const counting: DocumentProjection = {
  name: 'counting',
  version: 1,
  collections: [{ name: 'counts', indexes: [] }],
  idsOf: ({ metadata, sessionId }) => [
    { collection: 'counts', id: sessionDocumentId(metadata.tenantId, sessionId) },
  ],
  evolve: (_collection, _id, document, { event, revision }) => {
    const before = document as { count: number; revision: number } | undefined;
    if (before !== undefined && before.revision >= revision) return document;
    if (event.type === 'InputAccepted' && JSON.stringify(event.data.content).includes('poison')) {
      throw new Error('this input cannot be taken');
    }
    return { count: (before?.count ?? 0) + 1, revision };
  },
};

const quick: Omit<ProjectorOptions, 'instanceId'> = {
  leaseTtlMs: 500,
  batchEventsMax: 10,
  gatherMs: 1,
  failureBudgetMs: 120,
  retryMaxMs: 20,
};

let world: ProjectionWorld;
let running: Projectors[];

beforeEach(() => {
  world = new ProjectionWorld();
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
});

function process(instanceId: string, options: Partial<ProjectorOptions> = {}): Projectors {
  const projectors = new Projectors([counting], world.ports, { ...quick, ...options, instanceId });
  running.push(projectors);
  return projectors;
}

async function started(instanceId: string, options: Partial<ProjectorOptions> = {}) {
  const projectors = process(instanceId, options);
  await projectors.prepare();
  projectors.start();
  return projectors;
}

async function count(sessionId: string): Promise<unknown> {
  const live = await openLiveGeneration(world.readModels, counting);
  const id = sessionDocumentId(TENANT, sessionId);
  return (await world.readModels.get(live.collection('counts'), id))?.['count'];
}

async function statusOf(projectors: Projectors) {
  const [status] = await projectors.status();
  return status!;
}

async function until(what: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error('it did not happen within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('following the log', () => {
  it('takes what was there and what comes, and says how far it is', async () => {
    await world.append('s1', [sessionStarted('s1'), inputAccepted('i1', 'hello')]);
    const projectors = await started('p1');
    const position = await world.append('s1', [inputAccepted('i2', 'again')]);
    expect(await projectors.waitFor('counting', position, 5_000)).toBe('reached');
    expect(await count('s1')).toBe(3);
    expect(await statusOf(projectors)).toMatchObject({
      name: 'counting',
      version: 1,
      generation: 1,
      position: '3',
      head: '3',
      lag: '0',
      owner: 'p1',
      failure: undefined,
      quarantined: [],
    });
  });

  it('gives readers in another process their writes, or says that they are not there', async () => {
    await started('writer');
    const reader = process('reader');
    const position = await world.append('s1', [sessionStarted('s1')]);
    expect(await reader.waitFor('counting', position, 5_000)).toBe('reached');
    expect(await reader.waitFor('counting', position + 1n, 30)).toBe('stale');
    expect(() => reader.waitFor('nothing', 1n, 1)).toThrow(UnknownProjectionError);
  });

  it('takes an event once when it comes twice', async () => {
    await world.append('s1', [sessionStarted('s1'), inputAccepted('i1', 'hello')]);
    await world.catchUp(counting);
    const before = await world.documents(counting);
    const live = await openLiveGeneration(world.readModels, counting);
    const fold = new BatchFold(world.readModels, world.codec, counting, live);
    await fold.open();
    const { events } = await world.events.readAll(0n, 10);
    await fold.apply(events, fold.position + 1n);
    expect(await world.documents(counting)).toEqual(before);
  });

  it('finishes the batch in flight when it is stopped', async () => {
    await world.append('s1', [sessionStarted('s1')]);
    let release = (): void => undefined;
    const entered = new Promise<void>((resolve) => {
      const write = world.readModels.write.bind(world.readModels);
      world.readModels.write = async (batch: BatchWrite) => {
        resolve();
        await new Promise<void>((go) => (release = go));
        await write(batch);
      };
    });
    const projectors = await started('p1');
    await entered;
    const stopped = projectors.stop();
    release();
    await stopped;
    expect(await count('s1')).toBe(1);
  });
});

describe('several processes', () => {
  it('have one owner, and another one takes over when it goes', async () => {
    const first = await started('p1');
    await until(async () => (await statusOf(first)).owner === 'p1');
    const second = await started('p2');
    await world.append('s1', [sessionStarted('s1')]);
    expect(await second.waitFor('counting', 1n, 5_000)).toBe('reached');
    expect((await statusOf(second)).owner).toBe('p1');
    await first.stop();
    await until(async () => (await statusOf(second)).owner === 'p2');
    await world.append('s1', [inputAccepted('i1', 'hello')]);
    expect(await second.waitFor('counting', 2n, 5_000)).toBe('reached');
    expect(await count('s1')).toBe(2);
  });

  it('do not count twice when an owner lost its lease without noticing', async () => {
    await world.append('s1', [sessionStarted('s1')]);
    await openLiveGeneration(world.readModels, counting);
    const live = await openLiveGeneration(world.readModels, counting);
    const late = new BatchFold(world.readModels, world.codec, counting, live);
    await late.open();
    await world.catchUp(counting);
    const { events, next } = await world.events.readAll(0n, 10);
    await expect(late.apply(events, next)).rejects.toThrow(PositionMismatchError);
    expect(await count('s1')).toBe(1);
    await late.open();
    expect(late.position).toBe(1n);
  });

  it('go on after somebody else moved the position', async () => {
    const projectors = await started('p1');
    await world.append('s1', [sessionStarted('s1')]);
    await projectors.waitFor('counting', 1n, 5_000);
    const live = await openLiveGeneration(world.readModels, counting);
    const other = new BatchFold(world.readModels, world.codec, counting, live);
    await other.open();
    await other.apply([], 7n);
    for (let index = 0; index < 8; index += 1) {
      await world.append('s2', [
        index === 0 ? sessionStarted('s2') : inputAccepted(`${index}`, ''),
      ]);
    }
    expect(await projectors.waitFor('counting', 9n, 5_000)).toBe('reached');
    expect((await statusOf(projectors)).failure).toBeUndefined();
  });
});

describe('a failure', () => {
  it('stops the line, then sets that session aside while the others go on', async () => {
    await world.append('bad', [sessionStarted('bad'), inputAccepted('i1', 'poison')]);
    await world.append('good', [sessionStarted('good')]);
    await world.append('bad', [inputAccepted('i2', 'later')]);
    const projectors = await started('p1');
    await until(async () => (await statusOf(projectors)).failure !== undefined);
    expect(await statusOf(projectors)).toMatchObject({
      position: '1',
      failure: { stream: 'session-acme.bad', position: '2' },
    });
    expect(await count('good')).toBeUndefined();
    expect(await projectors.waitFor('counting', 4n, 5_000)).toBe('reached');
    expect(await count('good')).toBe(1);
    expect(await count('bad')).toBe(1);
    expect(await statusOf(projectors)).toMatchObject({
      failure: undefined,
      quarantined: [
        {
          stream: 'session-acme.bad',
          revision: 1,
          position: '2',
          error: expect.stringContaining('this input cannot be taken'),
        },
      ],
    });
    expect(world.problems.length).toBe(2);
  });

  it('keeps the session set aside in the next process, too', async () => {
    await world.append('bad', [sessionStarted('bad'), inputAccepted('i1', 'poison')]);
    const first = await started('p1', { failureBudgetMs: 0 });
    await first.waitFor('counting', 2n, 5_000);
    await first.stop();
    await world.append('bad', [inputAccepted('i2', 'poison')]);
    const second = await started('p2', { failureBudgetMs: 60_000 });
    expect(await second.waitFor('counting', 3n, 5_000)).toBe('reached');
    expect((await statusOf(second)).quarantined).toHaveLength(1);
  });

  it('of stored bytes is a failure of their session', async () => {
    await world.append('bad', [sessionStarted('bad')]);
    await world.events.append('session-acme.bad', 0, [
      {
        eventId: derivedId('e'),
        type: 'InputAccepted',
        data: '{',
        metadata: '{}',
        recordedAtMs: 0,
        keys: [],
      },
    ]);
    const projectors = await started('p1', { failureBudgetMs: 0 });
    expect(await projectors.waitFor('counting', 2n, 5_000)).toBe('reached');
    expect((await statusOf(projectors)).quarantined).toMatchObject([{ revision: 1 }]);
  });

  it('of the store is waited out and sets nothing aside', async () => {
    const write = world.readModels.write.bind(world.readModels);
    let failing = true;
    world.readModels.write = async (batch: BatchWrite) => {
      if (failing) throw new Error('the disk is full');
      await write(batch);
    };
    await world.append('s1', [sessionStarted('s1')]);
    const projectors = await started('p1', { failureBudgetMs: 0 });
    await until(async () => ((await statusOf(projectors)).failure?.attempts ?? 0) > 1);
    expect((await statusOf(projectors)).failure?.message).toBe('the disk is full');
    failing = false;
    expect(await projectors.waitFor('counting', 1n, 5_000)).toBe('reached');
    expect(await statusOf(projectors)).toMatchObject({ failure: undefined, quarantined: [] });
  });

  it('is not what an unknown event type is', async () => {
    await world.append('s1', [sessionStarted('s1')]);
    const metadata = JSON.stringify({ tenantId: TENANT });
    await world.events.append('session-acme.s1', 0, [
      {
        eventId: derivedId('e'),
        type: 'FromTomorrow',
        data: '{}',
        metadata,
        recordedAtMs: 0,
        keys: [],
      },
    ]);
    await world.catchUp(counting);
    expect(await count('s1')).toBe(2);
  });
});
