import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CommandApplication } from '../../test/support/command-application.js';
import { memoryPorts } from '../app/memory-ports.js';
import type { Ports } from '../app/ports.js';
import { CompleteRun } from '../commands/end-run/end-run.handler.js';
import { SessionRepository } from '../commands/session-repository.js';
import { SettleCalls } from '../commands/settle-calls.js';
import { sessionStream } from '../identity/derived-ids.js';
import { openLiveGeneration } from '../projections/generation.js';
import { sessionDocumentId } from '../projections/projection.js';
import { SESSIONS, sessionsProjection } from '../projections/sessions/sessions-projection.js';
import { Reconciler } from './reconciler.js';
import { Sweep } from './sweep.js';

let ports: Ports;
let app: CommandApplication;
beforeEach(async () => {
  ports = memoryPorts();
  app = await CommandApplication.whole(ports);
});
afterEach(async () => {
  await app.close();
});

const sweep = () => app.get(Sweep).all();

/** A session as its stream says it is, and as the list says it is, falsified. */
async function listedAs(sessionId: string, status: string): Promise<void> {
  await sweep();
  const { tenantId } = app.scope(sessionId);
  const generation = await openLiveGeneration(ports.readModels, sessionsProjection);
  const id = sessionDocumentId(tenantId, sessionId);
  const collection = generation.collection(SESSIONS);
  const document = (await ports.readModels.getMany(collection, [id])).get(id)!;
  const position = await ports.readModels.position(generation.positionName);
  await ports.readModels.write({
    projection: generation.positionName,
    expectedPosition: position,
    nextPosition: position,
    writes: [{ collection, id, document: { ...document, status } }],
  });
}

describe('the full pass over the streams themselves', () => {
  it('puts every session into a class', async () => {
    await app.claimed();
    const done = await app.claimed();
    const { runId } = await runOf(done);
    await app.commands.execute(new CompleteRun(done.scope, { runId, body: done.owner }));
    const report = await sweep();
    expect(report).toMatchObject({ sessions: 2, findings: [] });
    expect(report.byClass).toMatchObject({ owned: 1, resting: 1, unaccounted: 0 });
  });

  it('forgets leases that ended a week ago, so that those of old sessions do not pile up', async () => {
    const forget = jest.spyOn(ports.leases, 'forget');
    await app.get(Reconciler).sweepAll(new AbortController().signal);
    expect(forget.mock.calls).toEqual([[7 * 86_400_000]]);
    jest.restoreAllMocks();
  });

  it('finds a session that its list shows otherwise, and has it reconciled', async () => {
    const { sessionId } = await app.claimed();
    await listedAs(sessionId, 'idle');
    const { findings } = await app.get(Reconciler).sweepAll(new AbortController().signal);
    expect(findings).toMatchObject([{ sessionId, what: 'indexDiffers' }]);
    expect(findings[0]!.detail).toContain('listed as idle');
  });

  it('names a session whose steps fail again and again, and the others go on', async () => {
    const { sessionId } = await app.claimed();
    const { sessionId: sound } = await app.claimed();
    await sweep();
    const settle = app.get(SettleCalls);
    const all = settle.all.bind(settle);
    const settled: string[] = [];
    jest.spyOn(settle, 'all').mockImplementation((scope, state) => {
      settled.push(scope.sessionId);
      if (scope.sessionId === sessionId) throw new Error('a defect');
      return all(scope, state);
    });
    const { signal } = new AbortController();
    for (let pass = 0; pass < 6; pass += 1) await app.get(Reconciler).reconcileAll(signal);
    const { findings } = await app.get(Reconciler).sweepAll(signal);
    expect(findings).toMatchObject([
      { sessionId, what: 'failing', detail: expect.stringContaining('in a row: Error: a defect') },
    ]);
    expect(settled.filter((one) => one === sound).length).toBeGreaterThanOrEqual(6);
    jest.restoreAllMocks();
  });
});

async function runOf({ sessionId }: { readonly sessionId: string }) {
  const { tenantId } = app.scope(sessionId);
  const state = await app.get(SessionRepository).loadCurrent(sessionStream(tenantId, sessionId));
  return state.run!;
}
