import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import type { Answer } from '../support/http-client.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

interface BudgetBody {
  readonly spent: string;
  readonly reserved: string;
  readonly left: string;
  readonly calls: number;
  readonly runningCalls: number;
  readonly exceeded: readonly { readonly threshold: string }[];
}

let names = 0;
const newName = () => `budget-${(names += 1)}`;

async function set(budgetId: string, body: object): Promise<BudgetBody> {
  const answer = await app.http.send<BudgetBody>('PUT', `/v1/budgets/${budgetId}`, { body });
  expect(answer.status).toBe(200);
  return answer.body;
}

const standing = async (budgetId: string) =>
  (await app.http.get<BudgetBody>(`/v1/budgets/${budgetId}`)).body;

async function claimed(start: object = {}): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start(start);
  await worker.input('Go on.');
  await worker.claim();
  return worker;
}

/** 1,000 in at 3 USD, 100 out at 15 USD a million: 0.0045 USD, as the answer below costs. */
const CALL = {
  provider: 'anthropic',
  model: ANTHROPIC_MODEL,
  inputTokens: 1_000,
  maxOutputTokens: 100,
};

const start = (worker: SessionWorker, modelCallId: string, more: object = {}): Promise<Answer> =>
  app.http.post(worker.path('/model-calls'), { ...worker.owner, modelCallId, ...CALL, ...more });

const settle = (worker: SessionWorker, modelCallId: string, more: object = {}) =>
  worker.settle(modelCallId, { response: anthropicAnswer('Yes.'), ...more });

describe('a budget on a session tree', () => {
  it('holds before a call, charges after it, and refuses what does not fit', async () => {
    const root = await claimed();
    const name = newName();
    await set(name, { scope: { kind: 'tree', sessionId: root.sessionId }, amount: '0.01' });
    const child = await claimed({ parent: { sessionId: root.sessionId, edge: 'subagent' } });

    expect((await start(root, 'm1')).status).toBe(201);
    expect(await standing(name)).toMatchObject({
      spent: '0',
      reserved: '0.0045',
      left: '0.0055',
      runningCalls: 1,
    });
    expect((await start(child, 'm1')).status).toBe(201);
    const refused = expectProblem(await settleAndStart(root, 'm2'), 409, 'budget_exhausted');
    expect(refused).toMatchObject({
      budgetId: name,
      scope: { kind: 'tree', sessionId: root.sessionId },
      currency: 'USD',
      limit: '0.01',
      recorded: '0.0045',
      reserved: '0.0045',
      left: '0.001',
      requested: '0.0045',
      fitsLater: true,
    });
    expect(refused.detail).toContain('Set a larger amount, ask for less (maxOutputTokens)');
    await settle(child, 'm1');
    expect(await standing(name)).toMatchObject({
      spent: '0.009',
      reserved: '0',
      calls: 2,
      exceeded: [{ threshold: 'stop', refused: '0.0045' }],
    });
    const elsewhere = await claimed();
    expect((await start(elsewhere, 'm1')).status).toBe(201);
    expect((await start(root, 'm2', { inputTokens: 100, maxOutputTokens: 10 })).status).toBe(201);
  });

  async function settleAndStart(worker: SessionWorker, next: string): Promise<Answer> {
    await settle(worker, 'm1');
    return start(worker, next);
  }

  it('warns once, lets a call cost more than its estimate, and then stops', async () => {
    const worker = await claimed();
    const name = newName();
    const scope = { kind: 'session', sessionId: worker.sessionId };
    await set(name, { scope, amount: '0.005', warnAt: '0.004' });
    await start(worker, 'm1', { inputTokens: 10, maxOutputTokens: 10 });
    const usage = { input_tokens: 1_000, output_tokens: 200 };
    await settle(worker, 'm1', { response: { ...anthropicAnswer('Yes.'), usage } });
    expect(await standing(name)).toMatchObject({
      spent: '0.006',
      left: '0',
      exceeded: [{ threshold: 'warn', limit: '0.004' }, { threshold: 'stop' }],
    });
    expectProblem(await start(worker, 'm2', { inputTokens: 1 }), 409, 'budget_exhausted');
    expect((await start(worker, 'm1')).body).toMatchObject({ replayed: true, modelCallId: 'm1' });
  });
});

it('a budget of one run ends with the run', async () => {
  const worker = await claimed();
  const scope = { kind: 'run', sessionId: worker.sessionId, runId: worker.runId };
  await set(newName(), { scope, amount: '0.0045' });
  await start(worker, 'm1');
  await settle(worker, 'm1');
  expectProblem(await start(worker, 'm2'), 409, 'budget_exhausted');
  await worker.complete();
  await worker.input('And now?');
  worker.owner.claimToken = 'the token of the second run';
  await worker.claim();
  expect((await start(worker, 'm2')).status).toBe(201);
});

describe('a session without anything left', () => {
  it('is quarantined when it is claimed, and goes on with a larger amount and a resume', async () => {
    const worker = await claimed();
    const name = newName();
    const scope = { kind: 'session', sessionId: worker.sessionId };
    await set(name, { scope, amount: '0.0045' });
    await start(worker, 'm1');
    await settle(worker, 'm1');
    await worker.post(`/runs/${worker.runId}/release`, { reason: 'handover' });
    const claim = { workerId: 'worker-2', claimToken: 'the token of the second claim' };
    const again = { ...claim, claimToken: `${claim.claimToken}-2` };
    expectProblem(await app.http.post(worker.path('/runs'), claim), 409, 'budget_exhausted');
    expect((await worker.events()).at(-1)).toMatchObject({
      type: 'SessionQuarantined',
      data: { budget: 'cost' },
    });
    await set(name, { scope, amount: '1' });
    expectProblem(await app.http.post(worker.path('/runs'), again), 409, 'session_quarantined');
    await app.http.send('POST', worker.path('/resume'), {
      body: {},
      headers: { 'Idempotency-Key': 'resume-1' },
    });
    const next = new SessionWorker(app.http, worker.sessionId, 'worker-2');
    await next.claim();
    expect((await start(next, 'm2')).status).toBe(201);
  });

  it('keeps its inputs while no run can begin', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Go on.');
    const name = newName();
    await set(name, { scope: { kind: 'session', sessionId: worker.sessionId }, amount: '0' });
    const { claimToken } = worker.owner;
    const claim = { workerId: 'worker-1', claimToken };
    expectProblem(await app.http.post(worker.path('/runs'), claim), 409, 'budget_exhausted');
    expect((await app.http.send('DELETE', `/v1/budgets/${name}`)).status).toBe(204);
    await worker.claim();
  });
});

describe('what a budget counts', () => {
  it('gives back what was held when the call is refused or provably never left', async () => {
    const worker = await claimed();
    const name = newName();
    await set(name, { scope: { kind: 'session', sessionId: worker.sessionId }, amount: '1' });
    const stale = { ...worker.owner, epoch: 99 };
    const path = worker.path('/model-calls');
    expectProblem(
      await app.http.post(path, { ...stale, modelCallId: 'm0', ...CALL }),
      409,
      'stale_epoch',
    );
    expect(await standing(name)).toMatchObject({ reserved: '0', runningCalls: 0 });
    await start(worker, 'm1');
    await settle(worker, 'm1', { response: undefined, outcome: 'notSent' });
    expect(await standing(name)).toMatchObject({ spent: '0', reserved: '0', calls: 1 });
  });

  it('charges what is certain of a lost call, and its usage when it comes late', async () => {
    const lost = await claimed();
    const name = newName();
    await set(name, { scope: { kind: 'session', sessionId: lost.sessionId }, amount: '1' });
    await start(lost, 'm1');
    const next = new SessionWorker(app.http, lost.sessionId, 'worker-2');
    await next.claim({ force: true });
    expect(await standing(name)).toMatchObject({ spent: '0.003', reserved: '0', runningCalls: 0 });
    const response = anthropicAnswer('Yes.');
    await app.http.post(lost.path('/model-calls/m1/usage'), { response });
    await app.http.post(lost.path('/model-calls/m1/usage'), { response });
    expect(await standing(name)).toMatchObject({ spent: '0.0045', calls: 1 });
  });

  it('refuses a call whose price is not known, or lets it through and shows it', async () => {
    const worker = await claimed();
    const name = newName();
    const scope = { kind: 'session', sessionId: worker.sessionId };
    await set(name, { scope, amount: '1' });
    const unheard = { model: 'claude-unheard-of' };
    const refused = expectProblem(await start(worker, 'm1', unheard), 409, 'budget_unpriced');
    expect(refused).toMatchObject({ budgetId: name, reason: 'no_card' });
    await set(name, { scope, amount: '1', onUnpriced: 'allow' });
    expect((await start(worker, 'm1', unheard)).status).toBe(201);
    await settle(worker, 'm1', { response: { ...anthropicAnswer('Yes.'), ...unheard } });
    expect(await standing(name)).toMatchObject({ spent: '0', calls: 1, unpricedCalls: 1 });
  });

  it('U32: never adds another currency', async () => {
    const worker = await claimed();
    const [euros, dollars] = [newName(), newName()];
    const scope = { kind: 'session', sessionId: worker.sessionId };
    await set(euros, { scope, amount: '1', currency: 'EUR' });
    const refused = expectProblem(await start(worker, 'm1'), 409, 'budget_unpriced');
    expect(refused.detail).toContain('its price is in USD');
    await set(euros, { scope, amount: '1', currency: 'EUR', onUnpriced: 'allow' });
    await set(dollars, { scope, amount: '1' });
    expect((await start(worker, 'm1')).status).toBe(201);
    await settle(worker, 'm1');
    expect(await standing(euros)).toMatchObject({ spent: '0', unpricedCalls: 1 });
    expect(await standing(dollars)).toMatchObject({ spent: '0.0045', unpricedCalls: 0 });
  });

  it('is every call of a tenant, a user or a label, also in a batch of steps', async () => {
    const label = { kind: 'label', name: 'team', value: 'red' };
    const [byLabel, byUser, byTenant] = [newName(), newName(), newName()];
    await set(byLabel, { scope: label, amount: '1', period: 'month', zone: 'Europe/Berlin' });
    await set(byUser, { scope: { kind: 'user', user: 'local' }, amount: '1', period: 'day' });
    await set(byTenant, { scope: { kind: 'tenant' }, amount: '1' });
    const red = await claimed({ labels: { team: 'red' } });
    const steps = [
      { type: 'startModelCall', modelCallId: 'm1', ...CALL },
      { type: 'settleModelCall', modelCallId: 'm1', response: anthropicAnswer('Yes.') },
    ];
    await red.post('/record', { steps });
    const blue = await claimed({ labels: { team: 'blue' } });
    await start(blue, 'm1');
    expect(await standing(byLabel)).toMatchObject({
      spent: '0.0045',
      reserved: '0',
      current: expect.stringMatching(/^\d{4}-\d{2}$/),
    });
    for (const name of [byUser, byTenant]) {
      expect(await standing(name)).toMatchObject({ spent: '0.0045', reserved: '0.0045' });
      await app.http.send('DELETE', `/v1/budgets/${name}`);
    }
  });
});

describe('setting budgets', () => {
  it('is repeatable, changes amounts, and keeps what a budget is about', async () => {
    const name = newName();
    const scope = { kind: 'user', user: 'ada' };
    expect(await set(name, { scope, amount: '25.00', warnAt: '20' })).toMatchObject({
      budgetId: name,
      amount: '25',
      warnAt: '20',
      left: '25',
      period: 'none',
      onUnpriced: 'deny',
    });
    const position = await app.ports.events.headPosition();
    await set(name, { scope, amount: '25.00', warnAt: '20' });
    expect(await app.ports.events.headPosition()).toBe(position);
    const put = (body: object) => app.http.send('PUT', `/v1/budgets/${name}`, { body });
    const other = { scope: { kind: 'user', user: 'bob' }, amount: '1' };
    expectProblem(await put(other), 409, 'id_in_use');
    expectProblem(await put({ scope, amount: 25 }), 400, 'invalid_request');
    expectProblem(await put({ scope, amount: '-1' }), 400, 'invalid_request');
    expectProblem(await put({ scope, amount: '1', warnAt: '2' }), 400, 'invalid_request');
    expectProblem(await put({ scope: { kind: 'tree' }, amount: '1' }), 400, 'invalid_request');
    expectProblem(await put({ scope, amount: '1', zone: 'Berlin' }), 400, 'invalid_request');
    expectProblem(await app.http.get('/v1/budgets/nothing'), 404, 'not_found');
    const { budgets } = (await app.http.get<{ budgets: { budgetId: string }[] }>('/v1/budgets'))
      .body;
    expect(budgets.map(({ budgetId }) => budgetId)).toContain(name);
  });
});
