import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inputAccepted, sessionStarted } from '../../test/projections/session-events.js';
import { ProjectionWorld } from '../../test/projections/projection-world.js';
import { UnknownCollectionError } from '../storage/read-model-store.js';
import { generationOf, liveGeneration } from './generation.js';
import type { Projection } from './projection.js';
import { Projectors } from './projectors.js';
import { type RebuildProgress, RebuildRefusedError, rebuild } from './rebuild.js';
import { GetSession, GetSessionHandler } from './sessions/sessions.query.js';
import { sessionsProjection } from './sessions/sessions-projection.js';

const options = { instanceId: 'me', leaseTtlMs: 1_000, batchEventsMax: 3, graceMs: 0 };

let world: ProjectionWorld;
let projectors: Projectors | undefined;

beforeEach(async () => {
  world = new ProjectionWorld();
  for (const id of ['s1', 's2', 's3']) {
    await world.append(id, [sessionStarted(id, { labels: { team: id } })]);
    await world.append(id, [inputAccepted('i1', `do ${id}`), inputAccepted('i2', 'and more')]);
  }
});

afterEach(async () => {
  await projectors?.stop();
  projectors = undefined;
});

describe('a rebuild', () => {
  it('gives the same bytes as following did', async () => {
    await world.catchUp(sessionsProjection, 2);
    const live = await world.documents(sessionsProjection);
    const report = await rebuild(sessionsProjection, world.ports, options);
    expect(report).toMatchObject({ events: 9, generation: 2, position: '9', quarantined: [] });
    expect(await world.documents(sessionsProjection)).toEqual(live);
    expect(live).toHaveLength(9);
  });

  it('is not seen before it is complete, and leaves nothing of the old documents', async () => {
    await world.catchUp(sessionsProjection);
    const handler = new GetSessionHandler(
      world.queries([sessionsProjection]),
      world.invalidStreams(),
    );
    const seen: unknown[] = [];
    const asking: Promise<void>[] = [];
    await rebuild(sessionsProjection, world.ports, {
      ...options,
      onProgress: () => {
        const asked = handler.execute(new GetSession('acme', 's3'));
        asking.push(asked.then(({ session }) => void seen.push(session?.title)));
      },
    });
    await Promise.all(asking);
    expect(seen).toEqual(['do s3', 'do s3', 'do s3']);
    const old = generationOf(sessionsProjection, 1);
    await expect(world.readModels.get(old.collection('all'), 'acme.s1')).rejects.toThrow(
      UnknownCollectionError,
    );
    expect(await world.readModels.position(old.positionName)).toBe(0n);
  });

  it('tells how far it is and how long it will take', async () => {
    const heard: RebuildProgress[] = [];
    await rebuild(sessionsProjection, world.ports, {
      ...options,
      onProgress: (progress) => heard.push(progress),
    });
    expect(heard.map(({ events, fraction }) => [events, fraction])).toEqual([
      [3, 3 / 9],
      [6, 6 / 9],
      [9, 1],
    ]);
    expect(heard.at(-1)).toMatchObject({ position: '9', head: '9', remainingMs: 0 });
  });

  it('hands over to the process that follows the log', async () => {
    projectors = new Projectors([sessionsProjection], world.ports, {
      instanceId: 'server',
      gatherMs: 1,
    });
    await projectors.prepare();
    projectors.start();
    await projectors.waitFor('sessions', 9n, 5_000);
    const report = await rebuild(sessionsProjection, world.ports, options);
    expect(report.generation).toBe(2);
    const position = await world.append('s1', [inputAccepted('i3', 'more')]);
    expect(await projectors.waitFor('sessions', position, 5_000)).toBe('reached');
    const handler = new GetSessionHandler(
      world.queries([sessionsProjection]),
      world.invalidStreams(),
    );
    const { session } = await handler.execute(new GetSession('acme', 's1'));
    expect(session?.pendingInputs).toBe(3);
    expect((await projectors.status())[0]).toMatchObject({ generation: 2, failure: undefined });
  });

  it('does not put documents in use that would leave a session out', async () => {
    await world.catchUp(sessionsProjection);
    const broken: Projection = {
      ...sessionsProjection,
      fold: ({ sessionId }) => {
        if (sessionId === 's2') throw new Error('broken code');
      },
    };
    const refused = rebuild(broken, world.ports, options);
    await expect(refused).rejects.toThrow(RebuildRefusedError);
    await expect(refused).rejects.toThrow(/session-acme\.s2.*broken code/);
    expect((await liveGeneration(world.readModels, sessionsProjection)).number).toBe(1);
  });

  it('runs once at a time', async () => {
    await world.leases.acquire(
      `rebuild:sessions@${sessionsProjection.version}`,
      'somebody',
      60_000,
    );
    await expect(rebuild(sessionsProjection, world.ports, options)).rejects.toThrow(
      /somebody is rebuilding it already/,
    );
  });

  it('begins again after one that did not finish', async () => {
    await world.catchUp(sessionsProjection);
    const live = await world.documents(sessionsProjection);
    const stop = new AbortController();
    const stopped = rebuild(sessionsProjection, world.ports, {
      ...options,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(stopped).rejects.toThrow(/the rebuild was stopped/);
    await rebuild(sessionsProjection, world.ports, options);
    expect(await world.documents(sessionsProjection)).toEqual(live);
  });
});
