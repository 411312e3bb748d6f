import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CallBody, ClaimBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

const TOOLS = [
  { name: 'charge', effect: 'opaqueWrite', compensate: 'void_charge', onUnknown: 'hold' },
  {
    name: 'void_charge',
    effect: 'keyedWrite',
    keyWindowMs: 86_400_000,
    keyField: { header: 'Idempotency-Key' },
  },
  { name: 'mail', effect: 'opaqueWrite' },
  {
    name: 'reserve',
    effect: 'opaqueWrite',
    compensate: 'void_charge',
    compensateWhenRunFails: true,
  },
];

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** A call of the tool whose answer was lost. */
async function lost(tool: string, profile = tool) {
  const session = new SessionWorker(app.http);
  await session.start({ tools: TOOLS, profile: { name: profile, version: '1' } });
  await session.input('Do it.');
  const { runId } = await session.claim();
  const [call] = await session.turn(
    anthropicAnswer('', [{ id: 'toolu_1', name: tool, input: {} }]),
  );
  const { opKey } = await session.permit(call!.callId);
  await session.post(`/tool-calls/${call!.callId}/unknown`, {});
  return { session, runId, callId: call!.callId, opKey };
}

const decide = (session: SessionWorker, callId: string, decision: string) =>
  app.http.post(
    session.path(`/tool-calls/${callId}/decision`),
    { decision },
    {
      'Idempotency-Key': `${decision}-${callId}`,
    },
  );

interface History {
  readonly call: CallBody & { readonly compensates?: string };
  readonly events: readonly { readonly data: { readonly args?: unknown } }[];
}

it('a person orders to undo a call in a stopped session; whoever comes first makes it, once', async () => {
  const { session, runId, callId, opKey } = await lost('charge', 'undoer');
  await session.ok('POST', session.path(`/runs/${runId}/stop`), {});
  await session.post(`/runs/${runId}/stopped`, {});
  expect((await decide(session, callId, 'compensate')).status).toBe(200);
  const claimToken = randomBytes(16).toString('hex');
  const wish = { workerId: 'w', claimToken, profiles: ['undoer'] };
  const { body: claim } = await app.http.post<ClaimBody & { kind: string }>('/v1/work/claim', wish);
  expect([claim.sessionId, claim.kind]).toEqual([session.sessionId, 'compensation']);
  session.owner = { claimToken, epoch: claim.epoch };
  session.runId = claim.runId;
  const undoing = claim.unresolved.find(({ tool }) => tool === 'void_charge')!;
  const path = session.path(`/tool-calls/${undoing.callId}`);
  const { call, events } = await session.ok<History>('GET', path);
  expect(call.compensates).toBe(callId);
  expect(events[0]!.data.args).toEqual({ callId, tool: 'charge', operationKey: opKey });
  const permit = await session.permit(undoing.callId);
  expect(permit.opKey).not.toBe(opKey);
  await session.result(undoing.callId, 'voided');
  await session.complete();
  const { text } = await app.http.send('POST', session.path('/context'), { body: {} });
  expect(text).toContain('A later action undid the operation, or found nothing to undo.');
  expect(text).not.toContain('voided');
  expect(await session.read()).toMatchObject({ status: 'stopped', unresolved: [] });
}, 60_000);

it('is refused for a tool that nothing undoes', async () => {
  const { session, callId } = await lost('mail');
  expectProblem(await decide(session, callId, 'compensate'), 422, 'no_compensation');
});

it('what a failed run has done is undone by itself, the last first, and may turn out to be nothing', async () => {
  const session = new SessionWorker(app.http);
  await session.start({ tools: TOOLS, profile: { name: 'saga', version: '1' } });
  await session.input('Reserve.');
  await session.claim();
  const asked = ['a', 'b'].map((id) => ({ id, name: 'reserve', input: { id } }));
  const calls = await session.turn(anthropicAnswer('', asked));
  for (const { callId } of calls) {
    await session.permit(callId);
    await session.result(callId, 'reserved');
  }
  await session.post(`/runs/${session.runId}/fail`, { errorClass: 'agent', message: 'no seats' });
  const undone: string[] = [];
  for (const call of [...calls].reverse()) {
    const claimToken = randomBytes(16).toString('hex');
    const wish = { workerId: 'w', claimToken, profiles: ['saga'], waitMs: 20_000 };
    const { body: claim } = await app.http.post<ClaimBody & { kind: string }>(
      '/v1/work/claim',
      wish,
    );
    expect(claim.kind).toBe('compensation');
    session.owner = { claimToken, epoch: claim.epoch };
    session.runId = claim.runId;
    const undoing = claim.unresolved.find(({ nextAttempt }) => nextAttempt === 1)!;
    const path = session.path(`/tool-calls/${undoing.callId}`);
    const { call: made } = await session.ok<History>('GET', path);
    undone.push(made.compensates!);
    expect(made.compensates).toBe(call.callId);
    await session.permit(undoing.callId);
    await session.result(undoing.callId, 'no such thing', { nothingToUndo: true });
    await session.complete();
  }
  expect(undone).toHaveLength(2);
  const verdicts = (await session.events())
    .filter(({ type }) => type === 'ToolCompensationRecorded')
    .map(({ data }) => data['verdict']);
  expect(verdicts).toEqual(['nothingToUndo', 'nothingToUndo']);
  expect(await session.read()).toMatchObject({ status: 'idle', unresolved: [] });
}, 60_000);
