import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
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

interface CostBody {
  readonly own: { readonly amounts: readonly { readonly amountPico: string }[] };
}

async function ownCost(worker: SessionWorker): Promise<CostBody['own']> {
  const atLeast = String(await app.ports.events.headPosition());
  return (await worker.ok<CostBody>('GET', worker.path(`/cost?atLeast=${atLeast}`))).own;
}

/** A worker that lost its session to another one in the middle of a model call. */
async function overtaken(): Promise<{ readonly late: SessionWorker; readonly path: string }> {
  const late = new SessionWorker(app.http);
  await late.start();
  await late.input('Go on.');
  await late.claim();
  await late.post('/model-calls', {
    modelCallId: 'm1',
    provider: 'anthropic',
    model: ANTHROPIC_MODEL,
  });
  const next = new SessionWorker(app.http, late.sessionId, 'worker-2');
  await next.claim({ force: true });
  return { late, path: late.path('/model-calls/m1/usage') };
}

const response = anthropicAnswer('Yes.');

describe('usage that comes late, over HTTP', () => {
  it('U33: is counted once, whoever reports it and however often', async () => {
    const { late, path } = await overtaken();
    expect(await ownCost(late)).toMatchObject({ calls: 1, unknownUsageCalls: 1, complete: false });
    const settle = await app.http.post(late.path('/model-calls/m1/settle'), {
      ...late.owner,
      response,
    });
    expectProblem(settle, 409, 'stale_epoch');
    const reported = await app.http.post(path, { response, reporter: 'worker-1' });
    expect(reported.body).toMatchObject({ counted: true, cost: '0.0045', currency: 'USD' });
    const again = await app.http.post(path, { response, reporter: 'bill-2026-01' });
    expect(again.body).toMatchObject({ counted: false, replayed: true });
    expect(await ownCost(late)).toMatchObject({
      calls: 1,
      unknownUsageCalls: 0,
      complete: true,
      amounts: [{ amountPico: '4500000000' }],
    });
  });

  it('refuses a second final usage, shows both, and says what does not fit', async () => {
    const { late, path } = await overtaken();
    expect((await app.http.post(path, { response })).status).toBe(200);
    const other = { ...response, usage: { input_tokens: 1, output_tokens: 1 } };
    const conflict = await app.http.post(path, { response: other });
    expect(expectProblem(conflict, 409, 'usage_conflict')).toMatchObject({
      recorded: { state: 'final', buckets: { inputFresh: 1_000, outputText: 100 } },
      reported: { state: 'final', buckets: { inputFresh: 1, outputText: 1 } },
    });
    const nothing = await app.http.post(path, { response: { text: 'Yes.' } });
    expectProblem(nothing, 400, 'invalid_request');
    const unheard = await app.http.post(late.path('/model-calls/m2/usage'), { response });
    expectProblem(unheard, 404, 'not_found');
  });

  it('takes partial counts and estimates until a final one comes', async () => {
    const { late, path } = await overtaken();
    const usage = (tokens: number) => ({ usage: { input_tokens: 1_000, output_tokens: tokens } });
    const report = (tokens: number, body: object) =>
      app.http.post(path, { response: usage(tokens), ...body });
    await report(900, { state: 'estimated', method: 'tokenizer' });
    expect(await ownCost(late)).toMatchObject({ estimatedCalls: 1, unknownUsageCalls: 0 });
    await report(40, { state: 'partial' });
    expect((await report(30, { state: 'partial' })).body).toMatchObject({ counted: false });
    expect(await ownCost(late)).toMatchObject({ partialCalls: 1, estimatedCalls: 0 });
    await report(100, {});
    expect(await ownCost(late)).toMatchObject({ partialCalls: 0, complete: true, calls: 1 });
    expect((await report(9_000, { state: 'estimated' })).body).toMatchObject({ counted: false });
  });
});

describe('a settlement', () => {
  it('U34: flags output tokens that cannot be those of the text', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Go on.');
    await worker.claim();
    const page = 'word '.repeat(200);
    const placeholder = { input_tokens: 1_000, output_tokens: 2 };
    await worker.turn({ ...anthropicAnswer(page), usage: placeholder }, { provider: 'anthropic' });
    await worker.turn(anthropicAnswer(page), { provider: 'anthropic' });
    const settled = (await worker.events()).filter(({ type }) => type === 'ModelCallSettled');
    expect(settled.map(({ data }) => (data['usage'] as { flags: string[] }).flags)).toEqual([
      ['implausible'],
      [],
    ]);
  });
});
