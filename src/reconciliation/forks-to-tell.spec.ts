import { beforeEach, describe, expect, it } from '@jest/globals';
import { ProjectionWorld, TENANT } from '../../test/projections/projection-world.js';
import {
  forked,
  late,
  sessionStarted,
  toolRequested,
  toolStarted,
  toolUnknown,
} from '../../test/projections/session-events.js';
import type { SessionEvent } from '../domain/events.js';
import { toolCallsProjection } from '../projections/tool-calls/tool-calls-projection.js';
import { rebuild } from '../projections/rebuild.js';
import { FORKS_PER_PASS, ForksToTell } from './forks-to-tell.js';

let world: ProjectionWorld;
let forks: ForksToTell;
beforeEach(async () => {
  world = new ProjectionWorld();
  forks = restarted();
  await world.append('origin', [
    sessionStarted('origin'),
    ...['c1', 'c2'].flatMap((id) => [toolRequested(id), toolStarted(id), toolUnknown(id)]),
  ]);
});

/** What a process knows that has just been started. */
function restarted(): ForksToTell {
  return new ForksToTell(world.queries([toolCallsProjection]), world.readModels);
}

function forkWith(sessionId: string, parentId: string, callIds: readonly string[]): SessionEvent {
  const call = { opKey: 'k', tool: 'send_mail', argsHash: 'h', effect: 'opaqueWrite' as const };
  const inherited = callIds.map((callId) => ({
    ...call,
    callId,
    originSessionId: 'origin',
    stateAtCut: callId === 'c2' ? 'requested' : 'unknown',
  }));
  return forked(sessionId, parentId, { inherited });
}

const fork = (sessionId: string, parentId = 'origin', callIds: readonly string[] = ['c1']) =>
  world.append(sessionId, [forkWith(sessionId, parentId, callIds)]);

const changed = (callId: string, verdict: 'applied' | 'abandoned'): SessionEvent => ({
  type: 'ToolOutcomeResolved',
  data: { callId, verdict, basis: 'human' },
});

/** One pass. Those whose name `isFaulty` cannot be told in it. */
async function pass(isFaulty: (sessionId: string) => boolean = () => false): Promise<string[]> {
  await world.catchUp(toolCallsProjection);
  const named: string[] = [];
  for await (const one of forks.some()) {
    named.push(one.sessionId);
    if (isFaulty(one.sessionId)) forks.failed(one);
  }
  await forks.remember();
  return named;
}

describe('forks that are to learn an outcome', () => {
  it('are those of that call, forks of forks too, at each of its changes', async () => {
    await fork('fork');
    await fork('fork-of-fork', 'fork');
    await fork('without-the-call', 'origin', []);
    await fork('never-started-there', 'origin', ['c2']);
    await world.append('other', [forkWith('other', 'origin', ['c1'])], 'other-tenant');
    await pass();
    await world.append('origin', [changed('c1', 'abandoned')]);
    expect(await pass()).toEqual(['fork-of-fork', 'fork']);
    expect(await pass()).toEqual([]);
    await world.append('origin', [changed('c2', 'abandoned'), ...late('c1', 'sent')]);
    expect(await pass()).toEqual(['fork-of-fork', 'fork']);
    expect(await pass()).toEqual([]);
  });

  it('are new ones, too: what changed while one was made stands before it in the log', async () => {
    await world.append('origin', [changed('c1', 'abandoned')]);
    await pass();
    await fork('fork');
    expect(await pass()).toEqual(['fork']);
  });

  it('are named once for all processes, and again after a crash in the pass', async () => {
    await fork('fork');
    await world.append('origin', [changed('c1', 'abandoned')]);
    await world.catchUp(toolCallsProjection);
    for await (const one of forks.some())
      expect(one).toEqual({ tenantId: TENANT, sessionId: 'fork' });
    forks = restarted();
    expect(await pass()).toContain('fork');
    forks = restarted();
    expect(await pass()).toEqual([]);
  });

  it('of which one is faulty: it is named in each pass, also by the next process, the others once', async () => {
    await fork('faulty');
    await fork('sound');
    await pass();
    await world.append('origin', [changed('c1', 'abandoned')]);
    expect(await pass((id) => id === 'faulty')).toEqual(['faulty', 'sound']);
    expect(await pass((id) => id === 'faulty')).toEqual(['faulty']);
    await world.append('origin', [changed('c1', 'applied')]);
    expect((await pass((id) => id === 'faulty')).toSorted()).toEqual(['faulty', 'faulty', 'sound']);
    forks = restarted();
    expect((await pass()).toSorted()).toEqual(['faulty', 'sound']);
    expect(await pass()).toEqual([]);
  });

  it('are named a few hundred in a pass, however many a call has, and all in the end', async () => {
    const ids = Array.from({ length: 2 * FORKS_PER_PASS + 50 }, (_, index) => `fork-${index}`);
    for (const id of ids) await fork(id);
    for (let named = 0; named < ids.length;) named += (await pass()).length;
    await world.append('origin', [changed('c1', 'abandoned')]);
    const passes = [await pass()];
    while (forks.hasMore) passes.push(await pass());
    expect(passes.map(({ length }) => length)).toEqual([FORKS_PER_PASS, FORKS_PER_PASS, 50]);
    expect(passes.flat().toSorted()).toEqual(ids.toSorted());
  });

  it('are found after the read model was rebuilt between two passes', async () => {
    const ids = Array.from({ length: FORKS_PER_PASS + 50 }, (_, index) => `fork-${index}`);
    for (const id of ids) await fork(id);
    const named = await pass();
    const options = { batchEventsMax: 100, graceMs: 0, instanceId: 'me', leaseTtlMs: 1_000 };
    await rebuild(toolCallsProjection, world.ports, options);
    await expect(pass()).rejects.toThrow('does not exist');
    while (new Set(named).size < ids.length) named.push(...(await pass()));
    expect([...new Set(named)].toSorted()).toEqual(ids.toSorted());
  });
});
