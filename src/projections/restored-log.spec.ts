import { describe, expect, it } from '@jest/globals';
import { newBatch } from '../../test/support/event-batches.js';
import { ProjectionWorld, TENANT } from '../../test/projections/projection-world.js';
import { sessionStarted, spoken } from '../../test/projections/session-events.js';
import { tenantStream } from '../identity/derived-ids.js';
import { allProjections } from './all-projections.js';
import { Projectors } from './projectors.js';

/** Read models of all events on a log that holds only the first session, as after a restore. */
async function restored() {
  const before = new ProjectionWorld();
  await before.append('s1', [sessionStarted('s1')]);
  await before.append('s2', [sessionStarted('s2'), ...spoken('hello')]);
  for (const projection of allProjections) await before.catchUp(projection);
  const older = new ProjectionWorld({}, before.readModels);
  await older.append('s1', [sessionStarted('s1')]);
  const projectors = new Projectors(allProjections, older.ports, { instanceId: 'restored' });
  return { older, projectors };
}

describe('read models that show more than the log holds', () => {
  it('are refused at the start, with what to do', async () => {
    const { projectors } = await restored();
    await expect(projectors.prepare()).rejects.toMatchObject({
      problem: 'readModelsAhead',
      message: expect.stringMatching(/\(sessions, conversation, .*`holdfast rebuild --all`/),
    });
  });

  it('are refused as well when only the position is ahead: what comes next would be passed over', async () => {
    const before = new ProjectionWorld();
    await before.append('s1', [sessionStarted('s1')]);
    await before.events.append(tenantStream(TENANT), 'noStream', newBatch(2));
    for (const projection of allProjections) await before.catchUp(projection);
    const older = new ProjectionWorld({}, before.readModels);
    await older.append('s1', [sessionStarted('s1')]);
    const projectors = new Projectors(allProjections, older.ports, { instanceId: 'restored' });
    await expect(projectors.prepare()).rejects.toMatchObject({ problem: 'readModelsAhead' });
    for (const { name } of allProjections) await projectors.rebuild(name);
    await projectors.prepare();
    await older.append('s2', [sessionStarted('s2')]);
    await older.catchUp(allProjections[0]!);
    expect(await older.documents(allProjections[0]!)).toHaveLength(2);
  });

  it('are made anew by a rebuild, and show what is there', async () => {
    const { older, projectors } = await restored();
    for (const { name } of allProjections) await projectors.rebuild(name);
    await projectors.prepare();
    const [sessions] = allProjections;
    expect(await older.documents(sessions!)).toEqual([expect.stringContaining('"sessionId":"s1"')]);
    await older.append('s3', [sessionStarted('s3')]);
    await older.catchUp(sessions!);
    expect(await older.documents(sessions!)).toHaveLength(2);
  });
});
