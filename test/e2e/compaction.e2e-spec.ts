import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { CompactionBody, OmissionsBody, ReceiptBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';
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

const LONG = 'This sentence makes the conversation long enough to be worth a summary. '.repeat(8);
const CONSTRAINT = 'Never pay more than 120.00 EUR to ACME.';

/** Six questions and answers in one run, with a fact beside them. */
async function longConversation(first = ''): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: [{ name: 'read_log', effect: 'readOnly' }] });
  const facts = [{ factId: 'limit', kind: 'constraint', text: CONSTRAINT }];
  await app.http.post(worker.path('/facts'), { facts }, { 'Idempotency-Key': 'facts-1' });
  for (let turn = 0; turn < 6; turn += 1) {
    await worker.input(`Question ${turn}. ${turn === 0 ? first : ''} ${LONG}`);
    if (turn === 0) await worker.claim();
    await worker.turn(anthropicAnswer(`Answer ${turn}. ${LONG}`));
  }
  return worker;
}

function begin(worker: SessionWorker, body: object = {}): Promise<CompactionBody> {
  return worker.post('/compactions', { compactionId: 'compaction-1', keepGroups: 2, ...body });
}

async function textOf(worker: SessionWorker): Promise<string> {
  return JSON.stringify((await worker.context({ format: 'anthropic' })).messages);
}

describe('a compaction', () => {
  it('puts a given summary in place of the covered part, keeps facts and the whole log', async () => {
    const worker = await longConversation();
    const before = await worker.context();
    const started = await begin(worker);
    expect(started.text).toContain('Question 0.');
    expect(started.text).not.toContain('Question 5.');
    expect(started.rules.length).toBeGreaterThan(3);
    await worker.post('/compactions/compaction-1/commit', { summary: 'They talked about ACME.' });

    const text = await textOf(worker);
    expect(text).toContain('They talked about ACME.');
    expect(text).toContain(CONSTRAINT);
    expect(text).not.toContain('Question 0.');
    expect(text).toContain('Question 5.');
    const after = await worker.context();
    expect(after.estimatedTokens).toBeLessThan(before.estimatedTokens / 2);
    expect(JSON.stringify(await worker.events())).toContain('Question 0.');
    expect((await worker.read()).counters.compactions).toBe(1);
  });

  it('without a summary writes a digest that no model made', async () => {
    const worker = await longConversation();
    const asked = [{ id: 'toolu_1', name: 'read_log', input: {} }];
    const [call] = await worker.turn(anthropicAnswer('I read the log.', asked));
    await worker.permit(call!.callId);
    await worker.result(call!.callId, LONG.repeat(40));
    await worker.turn(anthropicAnswer('Nothing unusual.'));
    await worker.input('And now?');
    await worker.turn(anthropicAnswer('Now this.'));
    await begin(worker, { keepGroups: 1 });
    await worker.post('/compactions/compaction-1/commit', {});
    const text = await textOf(worker);
    expect(text).not.toContain(LONG.repeat(40));
    expect(text).toContain('Summary of the earlier conversation');
    expect(text).toContain(CONSTRAINT);
  });

  it('that fails changes nothing', async () => {
    const worker = await longConversation();
    const before = await textOf(worker);
    await begin(worker);
    await worker.post('/compactions/compaction-1/fail', { detail: 'The model was away.' });
    expect(await textOf(worker)).toBe(before);
    await begin(worker, { compactionId: 'compaction-2' });
    await worker.post('/compactions/compaction-2/commit', { summary: 'Short.' });
    expect(await textOf(worker)).toContain('Short.');
  });

  it('that frees too little is refused and changes nothing', async () => {
    const worker = await longConversation();
    const before = await textOf(worker);
    await begin(worker);
    const commit = { ...worker.owner, summary: LONG.repeat(20) };
    const route = worker.path('/compactions/compaction-1/commit');
    expect(await app.http.post(route, commit)).toMatchObject({
      status: 409,
      body: { code: 'nothing_to_compact', reason: 'freedTooLittle' },
    });
    expect(await textOf(worker)).toBe(before);
  });

  it('goes on accepting inputs, and delivers each once afterwards', async () => {
    const worker = await longConversation();
    await begin(worker);
    for (const name of ['a', 'b']) await worker.input(`Meanwhile ${name}.`, { inputId: name });
    await worker.post('/compactions/compaction-1/commit', { summary: 'Short.' });
    const { delivers } = await worker.context();
    expect(delivers).toEqual(['a', 'b']);
    await worker.turn(anthropicAnswer('Yes.'));
    const text = await textOf(worker);
    for (const name of ['a', 'b']) expect(text.split(`Meanwhile ${name}.`)).toHaveLength(2);
  });

  it('is one at a time, and not directly after another', async () => {
    const worker = await longConversation();
    await begin(worker);
    const second = { ...worker.owner, compactionId: 'compaction-2', keepGroups: 2 };
    const open = await app.http.post(worker.path('/compactions'), second);
    expect(open).toMatchObject({ status: 409, body: { code: 'compaction_open' } });
    await worker.post('/compactions/compaction-1/commit', { summary: 'Short.' });
    const again = await app.http.post(worker.path('/compactions'), { ...second, keepGroups: 1 });
    expect(again).toMatchObject({ status: 409, body: { code: 'nothing_to_compact' } });
  });

  it('whose answer was lost can be asked for again, also after it was committed', async () => {
    const worker = await longConversation();
    const started = await begin(worker);
    const repeated = await begin(worker);
    expect(repeated).toEqual({ ...started, replayed: true });
    const commit = { summary: 'Short.' };
    const route = '/compactions/compaction-1/commit';
    const committed = await worker.post<ReceiptBody>(route, commit);
    expect(await worker.post(route, commit)).toEqual({ ...committed, replayed: true });
    const { revision } = started;
    expect(await begin(worker)).toMatchObject({ revision, replayed: true });
  });

  it('can be had by a session at rest, in a run of its own', async () => {
    const worker = await longConversation();
    await worker.complete();
    worker.owner = { epoch: 0, claimToken: 'another-claim-token' };
    await worker.claim({ kind: 'compaction' });
    await begin(worker);
    await worker.post('/compactions/compaction-1/commit', { summary: 'Short.' });
    await worker.complete();
    expect((await worker.read()).status).toBe('idle');
  });

  it('tells what a summary would lose, before the commit, with it, and in the log', async () => {
    const worker = await longConversation(
      'Refund order 4711 by 2026-11-30; do not call the customer.',
    );
    await begin(worker);
    const route = worker.path('/compactions/compaction-1/check');
    const check = async (summary?: string) =>
      (await app.http.post<OmissionsBody>(route, { summary })).body.omissions;
    const lost = await check('They talked about ACME.');
    expect(lost.map(({ kind }) => kind)).toEqual(['negatedConstraint', 'date', 'identifier']);
    expect(lost[1]).toMatchObject({ text: '2026-11-30', by: 'user', count: 1 });
    // The built-in digest keeps the users' words, and what the fact says is not lost.
    expect(await check()).toEqual([]);
    const repaired = 'Refund order 4711 until 30 November 2026.';
    const left = [{ kind: 'negatedConstraint', text: expect.stringContaining('do not call') }];
    expect(await check(repaired)).toMatchObject(left);

    const committed = await worker.post('/compactions/compaction-1/commit', { summary: repaired });
    expect(committed).toMatchObject({ omissions: left, omissionsCut: 0 });
    const log = await worker.events();
    expect(log.find(({ type }) => type === 'Compacted')?.data).toMatchObject({ omissions: left });
    const late = await app.http.post(route, {});
    expect(late).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('needs a conversation to cover', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Hello.');
    await worker.claim();
    const answer = await app.http.post(worker.path('/compactions'), worker.owner);
    expect(answer).toMatchObject({ status: 409, body: { code: 'nothing_to_compact' } });
  });
});
