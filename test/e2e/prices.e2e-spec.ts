import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Cost } from '../../src/domain/money.js';
import type { EventBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import type { Answer } from '../support/http-client.js';
import { ANTHROPIC_MODEL, anthropicAnswer, openAiChatAnswer } from '../support/provider-answers.js';
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

interface QuoteBody {
  readonly at: string;
  readonly calls: readonly {
    readonly usage: { readonly state: string; readonly buckets: Record<string, number> };
    readonly cost: Cost & { readonly amount: string | null };
    readonly card?: { readonly cardId: string; readonly version: number };
  }[];
  readonly total: { readonly complete: boolean; readonly unpricedCalls: number };
}

interface CardsBody {
  readonly cards: readonly {
    readonly cardId: string;
    readonly version: number;
    readonly status: string;
    readonly sources: readonly { readonly name: string; readonly enteredBy: string }[];
  }[];
  readonly total: number;
  readonly cursor?: string;
}

interface CostBody {
  readonly own: Readonly<Record<string, unknown>>;
}

const sources = [{ name: 'contract 2026-17', readOn: '2026-01-02' }];

function cardFor(model: string, changes: object = {}): object {
  return {
    cardId: `own/${model}`,
    version: 1,
    provider: 'anthropic',
    models: { id: model },
    rates: { inputFresh: '1000000000000', outputText: '5000000000000' },
    currency: 'USD',
    sources,
    ...changes,
  };
}

const add = (...cards: readonly object[]): Promise<Answer> =>
  app.http.post('/v1/prices/cards', { cards });

async function quote(body: object): Promise<QuoteBody> {
  const answer = await app.http.post<QuoteBody>('/v1/prices/quote', body);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** A session with one answered model call. */
async function recorded(response: object, started: object): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start();
  await worker.input('Go on.');
  await worker.claim();
  await worker.turn(response, started);
  await worker.complete();
  return worker;
}

async function settlements(worker: SessionWorker): Promise<readonly EventBody[]> {
  return (await worker.events()).filter(({ type }) => type === 'ModelCallSettled');
}

async function costOf(worker: SessionWorker): Promise<CostBody> {
  const atLeast = String(await app.ports.events.headPosition());
  return worker.ok('GET', worker.path(`/cost?atLeast=${atLeast}`));
}

const anthropic = (model: string) => ({ ...anthropicAnswer('Done.'), model });

describe('POST /v1/prices/quote', () => {
  it.each([
    ['an Anthropic answer', anthropicAnswer('Yes.'), { provider: 'anthropic', model: 'x' }],
    ['an OpenAI answer', openAiChatAnswer('Yes.'), { provider: 'openai', model: 'x' }],
    [
      'an answer with a batch price and cache writes',
      {
        ...anthropicAnswer('Yes.'),
        usage: {
          input_tokens: 7,
          cache_read_input_tokens: 250_000,
          cache_creation_input_tokens: 900,
          output_tokens: 31,
          service_tier: 'batch',
        },
      },
      { provider: 'anthropic', model: ANTHROPIC_MODEL },
    ],
    [
      'a tier that was asked for',
      anthropicAnswer('Yes.'),
      { provider: 'anthropic', tier: 'batch' },
    ],
    ['an unknown model', anthropic('claude-unheard-of'), { provider: 'anthropic' }],
  ])('says of %s what is recorded', async (_, response, asked) => {
    const [settled] = await settlements(await recorded(response, asked));
    const { usage, cost, startedAt } = settled!.data as Record<string, Record<string, unknown>>;
    const { calls } = await quote({ response, ...asked, at: startedAt });
    const { amount: _amount, ...quoted } = calls[0]!.cost;
    expect(quoted).toEqual(cost);
    expect(calls[0]!.usage).toMatchObject({ state: usage!['state'], buckets: usage!['buckets'] });
    expect(calls[0]!.card?.cardId).toBe(cost!['cardId']);
  });

  it('writes nothing', async () => {
    const before = await app.ports.events.headPosition();
    await quote({ response: anthropicAnswer('Yes.') });
    expect(await app.ports.events.headPosition()).toBe(before);
  });

  it('prices by the time of the call', async () => {
    const dated = { effectiveFrom: '2026-03-01T00:00:00Z' };
    await add(cardFor('claude-dated', dated));
    const response = anthropic('claude-dated');
    const early = await quote({ response, at: '2026-02-28T23:59:59.999Z' });
    expect(early.calls[0]!.cost).toMatchObject({ amount: null, reason: 'no_card_in_effect' });
    const late = await quote({ response, at: '2026-03-01T01:00:00+01:00' });
    expect(late).toMatchObject({ at: '2026-03-01T00:00:00.000Z', total: { complete: true } });
  });

  it('needs a key and a body that can be read', async () => {
    const body = { response: anthropicAnswer('Yes.') };
    const withoutKey = await app.http.send('POST', '/v1/prices/quote', { body, key: null });
    expectProblem(withoutKey, 401, 'unauthenticated');
    const odd = await app.http.post('/v1/prices/quote', { ...body, at: '2026-03-01T00:00' });
    expect(expectProblem(odd, 400, 'invalid_request').detail).toContain('with its zone');
    expectProblem(await app.http.post('/v1/prices/quote', {}), 400, 'invalid_request');
  });
});

describe('price cards of a tenant', () => {
  it('U26: change no past cost, and price what is called from then on', async () => {
    const before = await recorded(anthropic('claude-haiku-4-5'), { provider: 'anthropic' });
    const [eventBefore, costBefore] = [await before.events(), await costOf(before)];
    expect(costBefore.own.amounts).toMatchObject([{ amount: '0.0015' }]);

    expect((await add(cardFor('claude-haiku-4-5'))).status).toBe(200);
    const once = await recorded(anthropic('claude-haiku-4-5'), { provider: 'anthropic' });
    const rates = { inputFresh: '500000000000', outputText: '2000000000000' };
    await add(cardFor('claude-haiku-4-5', { version: 2, supersedes: 1, rates }));
    const twice = await recorded(anthropic('claude-haiku-4-5'), { provider: 'anthropic' });
    const costs = [...(await settlements(once)), ...(await settlements(twice))];
    expect(costs.map(({ data }) => (data as { cost: Cost }).cost)).toMatchObject([
      { cardId: 'own/claude-haiku-4-5', cardVersion: 1, amountPico: '1500000000' },
      { cardId: 'own/claude-haiku-4-5', cardVersion: 2, amountPico: '700000000' },
    ]);

    expect(await before.events()).toEqual(eventBefore);
    expect((await costOf(before)).own).toEqual(costBefore.own);
  });

  it('U27: an unknown price is null and counted; a price of 0 is a price', async () => {
    const unknown = await recorded(anthropic('claude-nobody-knows'), { provider: 'anthropic' });
    expect((await costOf(unknown)).own).toMatchObject({
      amounts: [],
      calls: 1,
      unpricedCalls: 1,
      unpricedTokens: '1100',
      complete: false,
    });
    const rates = { inputFresh: '0', outputText: '0' };
    await add(cardFor('claude-for-free', { rates }));
    const free = await recorded(anthropic('claude-for-free'), { provider: 'anthropic' });
    expect((await costOf(free)).own).toMatchObject({
      amounts: [{ amount: '0' }],
      unpricedCalls: 0,
      complete: true,
    });
  });

  it('are refused with every problem, and then none of the request is added', async () => {
    const wrong = cardFor('claude-wrong', { rates: { inputFresh: 3, tokens: '1' }, currency: '$' });
    const refused = await add(cardFor('claude-right'), wrong);
    const { errors } = expectProblem(refused, 400, 'invalid_request') as unknown as {
      errors: readonly { readonly at: string; readonly message: string }[];
    };
    expect(errors.map(({ message }) => message.split(':')[0])).toEqual([
      'rates.inputFresh',
      'rates.tokens',
      'currency',
    ]);
    expect(new Set(errors.map(({ at }) => at))).toEqual(new Set(['cards.1']));
    const { total } = await cards('?model=claude-right');
    expect(total).toBe(0);
  });

  it('are added once and never edited', async () => {
    expect((await add(cardFor('claude-once'))).body).toMatchObject({ cards: [{ added: true }] });
    expect((await add(cardFor('claude-once'))).body).toMatchObject({ cards: [{ added: false }] });
    const edited = await add(cardFor('claude-once', { currency: 'EUR' }));
    expectProblem(edited, 409, 'id_in_use');
    const builtIn = cardFor('x', { cardId: `anthropic/${ANTHROPIC_MODEL}` });
    expectProblem(await add(builtIn), 400, 'invalid_request');
  });

  const cards = async (query: string): Promise<CardsBody> =>
    (await app.http.get<CardsBody>(`/v1/prices/cards${query}`)).body;

  it('are listed before the built-in ones, each with its source', async () => {
    await add(cardFor(ANTHROPIC_MODEL));
    const list = await cards(`?provider=claude&model=${ANTHROPIC_MODEL}-20250929`);
    expect(list.cards).toMatchObject([{ cardId: `anthropic/${ANTHROPIC_MODEL}` }]);
    const both = await cards(`?provider=anthropic&model=${ANTHROPIC_MODEL}`);
    expect(both.cards).toMatchObject([
      { status: 'override', sources: [{ name: 'contract 2026-17', enteredBy: 'local' }] },
      { status: 'catalogue', sources: [{ name: 'pydantic/genai-prices' }, {}] },
    ]);
  });

  it('are listed page by page, each card once', async () => {
    const { total } = await cards('?provider=anthropic');
    const seen: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const rest: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const page = await cards(`?provider=anthropic&first=10${rest}`);
      seen.push(
        ...page.cards.map(({ status, cardId, version }) => `${status} ${cardId} ${version}`),
      );
      after = page.cursor;
    }
    expect(seen).toHaveLength(total);
    expect(new Set(seen).size).toBe(total);
    const lost = await app.http.get('/v1/prices/cards?after=nothing');
    expectProblem(lost, 400, 'invalid_request');
  });

  it('count at once in another process on the same data, and after a restart', async () => {
    const second = await startApp({ folder: app.folder });
    await second.http.post('/v1/prices/cards', { cards: [cardFor('claude-shared')] });
    await second.close();
    const { calls } = await quote({ response: anthropic('claude-shared') });
    expect(calls[0]!.card).toMatchObject({ cardId: 'own/claude-shared', version: 1 });
    app = await app.restarted();
    expect((await quote({ response: anthropic('claude-shared') })).total.complete).toBe(true);
  });

  it('do not disturb the read models of sessions', async () => {
    const worker = await recorded(anthropicAnswer('Yes.'), { provider: 'anthropic' });
    await add(cardFor('claude-between'));
    const atLeast = String(await app.ports.events.headPosition());
    const list = await app.http.get<{ sessions: readonly { sessionId: string }[]; asOf: object }>(
      `/v1/sessions?first=1&atLeast=${atLeast}`,
    );
    expect(list).toMatchObject({ status: 200, body: { asOf: { stale: false } } });
    expect(list.body.sessions).toMatchObject([{ sessionId: worker.sessionId }]);
  });
});
