import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { CallBody, ClaimBody, ProblemBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const TOOLS = [
  { name: 'look_up', effect: 'readOnly' },
  {
    name: 'pay',
    effect: 'keyedWrite',
    keyWindowMs: 86_400_000,
    keyField: { header: 'Idempotency-Key' },
  },
  { name: 'order', effect: 'queryableWrite' },
  { name: 'mail', effect: 'opaqueWrite' },
];

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function started(): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: TOOLS });
  await worker.input('Begin.', { inputId: 'begin' });
  return worker;
}

/** A session whose owner is in the middle of these tools' calls. */
async function inTheMiddleOf(...tools: readonly string[]): Promise<[SessionWorker, CallBody[]]> {
  const worker = await started();
  await worker.claim();
  const asked = tools.map((name, index) => ({ id: `toolu_${index}`, name, input: { index } }));
  const calls = await worker.turn(anthropicAnswer('', asked));
  for (const { callId } of calls) await worker.permit(callId);
  return [worker, [...calls]];
}

async function takeover(worker: SessionWorker): Promise<[SessionWorker, ClaimBody]> {
  const next = new SessionWorker(app.http, worker.sessionId, 'worker-2');
  return [next, await next.claim({ force: true })];
}

describe('two workers that claim one session at the same time', () => {
  it('find one winner, and the other is told who holds it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { sessionId } = await started();
      const racers = ['red', 'blue', 'green'].map(
        (name) => new SessionWorker(app.http, sessionId, name),
      );
      const answers = await Promise.all(
        racers.map((racer) =>
          app.http.post<ClaimBody & ProblemBody>(racer.path('/runs'), {
            workerId: racer.workerId,
            claimToken: racer.owner.claimToken,
          }),
        ),
      );
      const winner = answers.findIndex(({ status }) => status === 201);
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409']);
      const losers = answers.filter((_, index) => index !== winner);
      for (const { body } of losers) {
        expect(body).toMatchObject({
          code: 'owned',
          retryable: true,
          heldBy: racers[winner]!.workerId,
          epoch: 1,
          leaseExpiresAt: expect.any(String),
          detail: expect.stringContaining(
            String((body as { leaseExpiresAt?: string }).leaseExpiresAt),
          ),
        });
      }
      const types = (await racers[0]!.events()).map(({ type }) => type);
      expect(types.filter((type) => type === 'RunClaimed')).toHaveLength(1);
    }
  });
});

describe('a worker that lost the session', () => {
  it('is refused on every route of an owner, and appends nothing', async () => {
    const [old, [call]] = await inTheMiddleOf('mail');
    await takeover(old);
    const before = await old.events();
    const run = `/runs/${old.runId}`;
    const routes: readonly (readonly [string, object])[] = [
      ['/model-calls', {}],
      [`/tool-calls/${call!.callId}/start`, { attempt: 2 }],
      [`/tool-calls/${call!.callId}/start`, { attempt: 1 }],
      [`/tool-calls/${call!.callId}/progress`, { note: 'half' }],
      [`/tool-calls/${call!.callId}/result`, { content: 'sent' }],
      [`/tool-calls/${call!.callId}/unknown`, {}],
      [`/tool-calls/${call!.callId}/skip`, { reason: 'requested' }],
      [`${run}/heartbeat`, {}],
      [`${run}/complete`, {}],
      [`${run}/fail`, { errorClass: 'x', message: 'y' }],
      [`${run}/interrupt`, {}],
      [`${run}/release`, { reason: 'handover' }],
      [`${run}/stopped`, {}],
      ['/compactions', {}],
      ['/record', { steps: [{ type: 'startModelCall' }] }],
    ];
    for (const [route, body] of routes) {
      const answer = await app.http.post(old.path(route), { ...old.owner, ...body });
      expect([route, answer.status, answer.body]).toMatchObject([
        route,
        409,
        { code: 'stale_epoch' },
      ]);
    }
    expect(await old.events()).toEqual(before);
  });

  it('does not pass with the new epoch and its old token', async () => {
    const [old] = await inTheMiddleOf('mail');
    await takeover(old);
    const body = { ...old.owner, epoch: 2 };
    expect(await app.http.post(old.path(`/runs/${old.runId}/complete`), body)).toMatchObject({
      status: 409,
      body: { code: 'stale_epoch', currentEpoch: 2 },
    });
  });

  it('leaves writes of unknown outcome, each treated as its tool allows', async () => {
    const [old, calls] = await inTheMiddleOf('look_up', 'pay', 'order', 'mail');
    const [next, claim] = await takeover(old);
    const states = Object.fromEntries(claim.unresolved.map((call) => [call.tool, call.state]));
    expect(states).toEqual({
      look_up: 'retryAuthorized',
      pay: 'unknown',
      order: 'unknown',
      mail: 'awaitingHuman',
    });
    const pay = claim.unresolved.find(({ tool }) => tool === 'pay')!;
    expect((await next.permitAgain(pay.callId, 2)).opKey).toBe(calls[1]!.opKey);
    for (const call of [calls[2]!, calls[3]!]) {
      const start = { ...next.owner, attempt: 2 };
      expect(
        await app.http.post(next.path(`/tool-calls/${call.callId}/start`), start),
      ).toMatchObject({ status: 409, body: { code: 'outcome_unknown', opKey: call.opKey } });
    }
  });

  it('can still report its answer, and it is kept', async () => {
    const [old, [call]] = await inTheMiddleOf('mail');
    const [next] = await takeover(old);
    const late = { claimedEpoch: 1, content: 'The mail was sent.' };
    const route = old.path(`/tool-calls/${call!.callId}/late-result`);
    const kept = await app.http.post(route, late);
    expect(kept).toMatchObject({ status: 202, body: { call: { state: 'completed' } } });
    expect(await app.http.post(route, late)).toMatchObject({ body: { replayed: true } });
    const context = JSON.stringify(await next.context());
    expect(context).toContain('The mail was sent.');

    const other = { ...late, content: 'The mail was refused.' };
    expect(await app.http.post(route, other)).toMatchObject({
      status: 409,
      body: { code: 'result_conflict' },
    });
    const types = (await next.events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'ToolConflictDetected')).toHaveLength(1);
    expect(JSON.stringify(await next.context())).not.toContain('The mail was refused.');
  });

  it('has its open model call booked as interrupted, with a usage nobody knows', async () => {
    const old = await started();
    await old.claim();
    await old.post('/model-calls', { modelCallId: 'call-1', provider: 'anthropic' });
    const [next] = await takeover(old);
    const settled = (await next.events()).find(({ type }) => type === 'ModelCallSettled');
    expect(settled!.data).toMatchObject({
      outcome: 'interrupted',
      usage: { state: 'unknown' },
      cost: { amountPico: null },
    });
    await next.turn(anthropicAnswer('Here I am.'));
    await next.complete();
  });
});

describe('a write of unknown outcome', () => {
  it('is settled by what the target says, with evidence', async () => {
    const [old, [call]] = await inTheMiddleOf('order');
    const [next] = await takeover(old);
    const probe = (answer: string) => {
      const at = new Date().toISOString();
      const evidence = { method: 'GET', target: '/orders', statusCode: 200, observedAt: at };
      return app.http.post<{ call: CallBody }>(next.path(`/tool-calls/${call!.callId}/probes`), {
        answer,
        requestedAt: at,
        evidence,
      });
    };
    // Not found proves nothing as long as the tool's author has not said from when on it does.
    expect((await probe('notFound')).body.call.state).toBe('unknown');
    expect((await probe('found')).body.call.state).toBe('applied');
    expect(await probe('found')).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    const { body } = await app.http.get<{ events: { type: string }[] }>(
      next.path(`/tool-calls/${call!.callId}`),
    );
    expect(body.events.map(({ type }) => type)).toEqual([
      'ToolCallRequested',
      'ToolCallStarted',
      'ToolOutcomeUnknown',
      'ToolProbeRecorded',
      'ToolProbeRecorded',
      'ToolOutcomeResolved',
    ]);
  });

  it.each([
    ['applied', 'applied'],
    ['notApplied', 'notApplied'],
    ['abandon', 'abandoned'],
    ['retry', 'retryAuthorized'],
  ])('is settled by a person who decides %s', async (decision, state) => {
    const [old, [call]] = await inTheMiddleOf('mail');
    const [next] = await takeover(old);
    const route = next.path(`/tool-calls/${call!.callId}/decision`);
    const headers = { 'Idempotency-Key': 'decision-1' };
    const decided = await app.http.post<{ call: CallBody }>(route, { decision }, headers);
    expect(decided.body.call.state).toBe(state);
    const again = await app.http.post(route, { decision }, { 'Idempotency-Key': 'decision-2' });
    expect(again).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    if (decision === 'retry') {
      expect((await next.permit(call!.callId, 2)).opKey).toBe(call!.opKey);
    } else {
      await next.turn(anthropicAnswer('I see.'));
    }
  });

  it('holds the run back, or lets the model be told, as the tool says', async () => {
    const [told] = await takeover((await inTheMiddleOf('mail'))[0]);
    await told.turn(anthropicAnswer('I cannot know whether it was sent.'));
    expect(JSON.stringify(await told.context())).toContain('may or may not have run');
    const [held] = await takeover((await inTheMiddleOf('order'))[0]);
    expect(await app.http.post(held.path('/model-calls'), held.owner)).toMatchObject({
      status: 409,
      body: { code: 'open_calls' },
    });
  });

  it('keeps an equal call of a later message from being sent', async () => {
    const [worker, [call]] = await inTheMiddleOf('mail');
    await worker.post(`/tool-calls/${call!.callId}/unknown`, { reason: 'transport' });
    const same = [{ id: 'toolu_again', name: 'mail', input: { index: 0 } }];
    const [twin] = await worker.turn(anthropicAnswer('', same));
    expect(twin).toMatchObject({ state: 'skipped' });
    const start = { ...worker.owner, attempt: 1 };
    expect(
      await app.http.post(worker.path(`/tool-calls/${twin!.callId}/start`), start),
    ).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });
});

describe('an owner', () => {
  it('keeps its lease by heartbeats and is told of a stop', async () => {
    const worker = await started();
    await worker.claim();
    const beat = () =>
      worker.post<{ leaseExpiresAt: string; stopRequested: boolean }>(
        `/runs/${worker.runId}/heartbeat`,
        {},
      );
    expect(await beat()).toMatchObject({ stopRequested: false });
    await app.http.post(worker.path(`/runs/${worker.runId}/stop`), { note: 'Enough.' });
    expect(await beat()).toMatchObject({ stopRequested: true });
  });

  it('cannot complete a run with open calls, nor go on without their outcome', async () => {
    const [worker, [call]] = await inTheMiddleOf('pay');
    for (const route of ['/model-calls', `/runs/${worker.runId}/complete`]) {
      expect(await app.http.post(worker.path(route), worker.owner)).toMatchObject({
        status: 409,
        body: { code: 'open_calls', calls: [{ callId: call!.callId }] },
      });
    }
  });

  it('cannot report a result of a call that it never started', async () => {
    const worker = await started();
    await worker.claim();
    const [call] = await worker.turn(anthropicAnswer('', [{ id: 't', name: 'mail', input: {} }]));
    const result = { ...worker.owner, content: 'sent' };
    expect(
      await app.http.post(worker.path(`/tool-calls/${call!.callId}/result`), result),
    ).toMatchObject({ status: 409, body: { code: 'not_started' } });
  });
});
