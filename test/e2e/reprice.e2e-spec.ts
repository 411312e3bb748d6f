import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { anthropicAnswer, openAiChatAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const MODEL = 'claude-unheard-of';
let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function worked(more: object = {}): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start(more);
  await worker.input('Go on.');
  await worker.claim();
  for (let turn = 0; turn < 3; turn += 1) {
    const answer = { ...anthropicAnswer('Done.'), model: MODEL };
    await worker.turn(answer, { provider: 'anthropic', model: MODEL });
  }
  await worker.complete();
  return worker;
}

async function inclusiveOf(worker: SessionWorker): Promise<unknown> {
  const atLeast = String(await app.ports.events.headPosition());
  const cost = await worker.ok<{ inclusive: unknown }>(
    'GET',
    worker.path(`/cost?atLeast=${atLeast}`),
  );
  return cost.inclusive;
}

const reprice = async (body: object) => {
  const request = { repricingId: 'r1', reason: 'The price list of May.', ...body };
  return app.http.post<Record<string, unknown>>('/v1/prices/reprice', request);
};

describe('POST /v1/prices/reprice', () => {
  it('U26: shows first, then changes once, and keeps what was recorded', async () => {
    const root = await worked();
    const parent = { sessionId: root.sessionId, edge: 'subagent' };
    const child = await worked({ parent });
    expect(await inclusiveOf(root)).toMatchObject({ calls: 6, unpricedCalls: 6, amounts: [] });
    const card = {
      cardId: 'own/unheard-of',
      version: 1,
      provider: 'anthropic',
      models: { id: MODEL },
      rates: { inputFresh: '1000000000000', outputText: '5000000000000' },
      currency: 'USD',
      sources: [{ name: 'price list of May' }],
    };
    expect((await app.http.post('/v1/prices/cards', { cards: [card] })).status).toBe(200);
    expect(await inclusiveOf(root)).toMatchObject({ unpricedCalls: 6, amounts: [] });

    const position = await app.ports.events.headPosition();
    const planned = await reprice({ dryRun: true });
    expect(planned.body).toMatchObject({
      dryRun: true,
      calls: 6,
      sessions: 2,
      before: [],
      unpricedBefore: 6,
      after: [{ currency: 'USD', amountPico: '9000000000', amount: '0.009' }],
    });
    expect(await app.ports.events.headPosition()).toBe(position);

    const own = await reprice({ sessionId: child.sessionId });
    expect(own.body).toMatchObject({ calls: 3, sessions: 1 });
    const tree = await reprice({ sessionId: root.sessionId, tree: true });
    expect(tree.body).toMatchObject({ calls: 3, sessions: 1 });
    expect((await reprice({})).body).toMatchObject({ calls: 0, sessions: 0, changes: [] });

    expect(await inclusiveOf(root)).toMatchObject({
      amounts: [{ amountPico: '9000000000' }],
      unpricedCalls: 0,
      complete: true,
      repricedCalls: 6,
      asRecorded: { amounts: [{ amountPico: '0' }], unpricedCalls: 6 },
    });
    const repriced = (await root.events()).filter(({ type }) => type === 'CallsRepriced');
    expect(repriced).toHaveLength(1);
    expect(repriced[0]!.data).toMatchObject({
      repricingId: 'r1',
      reason: 'The price list of May.',
      actor: expect.stringMatching(/\S/),
      calls: [
        {
          before: { amountPico: null },
          cost: { amountPico: '1500000000', cardId: 'own/unheard-of', cardVersion: 1 },
        },
        {},
        {},
      ],
    });
  });

  it('changes nothing while the cards are the same: tier, speed and region are recorded', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Go on.');
    await worker.claim();
    const usage = { input_tokens: 7, cache_creation_input_tokens: 900, output_tokens: 31 };
    const served = { ...anthropicAnswer('Yes.'), usage: { ...usage, service_tier: 'batch' } };
    const elsewhere = {
      ...anthropicAnswer('Yes.'),
      usage: { ...usage, inference_geo: 'us', speed: 'fast' },
    };
    const openai = openAiChatAnswer('Yes.');
    await worker.turn(served, { provider: 'anthropic', model: 'x' });
    await worker.turn(elsewhere, { provider: 'anthropic', model: 'x' });
    await worker.turn(openai, { provider: 'openai', tier: 'batch' });
    await worker.turn(anthropicAnswer('Yes.'), { provider: 'anthropic', tier: 'batch' });
    const again = await reprice({ sessionId: worker.sessionId, repricingId: 'r2' });
    // No card has a fast price of this model.
    expect(again.body).toMatchObject({ calls: 0, leftUnpriced: 1 });
  });

  it('says what does not fit', async () => {
    expectProblem(await reprice({ sessionId: 'nowhere' }), 404, 'not_found');
    expectProblem(await reprice({ reason: '' }), 400, 'invalid_request');
    expectProblem(await reprice({ from: 'yesterday' }), 400, 'invalid_request');
    expectProblem(await reprice({ after: 'x' }), 400, 'invalid_request');
  });
});
