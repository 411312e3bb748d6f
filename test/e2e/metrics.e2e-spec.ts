import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { HttpClient } from '../support/http-client.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

const MODEL = { provider: 'anthropic', model: ANTHROPIC_MODEL };

/** A write of unknown outcome, after one model call. */
async function unknownCall(worker: SessionWorker, question: string): Promise<string> {
  await worker.start();
  await worker.input(question);
  await worker.claim();
  const asked = [{ id: 'toolu_1', name: 'mail', input: {} }];
  const [call] = await worker.turn(anthropicAnswer('I ask.', asked), MODEL);
  await worker.permit(call!.callId);
  await worker.post(`/tool-calls/${call!.callId}/unknown`, {});
  return call!.callId;
}

describe('the metrics', () => {
  let app: AppInProcess;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(async () => {
    await app.close();
    app.folder.remove();
  });

  /** The value of each sample, by name and labels. */
  async function samples(): Promise<ReadonlyMap<string, number>> {
    const { status, text, headers } = await app.http.get('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
    );
  }

  /** What the server does by itself may follow, and views are a moment behind. */
  async function whenCaughtUp(): Promise<ReadonlyMap<string, number>> {
    const isBehind = (found: ReadonlyMap<string, number>) =>
      found.get('holdfast_open_escalations{age="hour"}') !== 1 ||
      found.get('holdfast_open_reconciliations') !== 1 ||
      found.get('holdfast_projection_lag_seconds{projection="sessions"}') !== 0;
    let found = await samples();
    for (let tries = 0; isBehind(found) && tries < 600; tries += 1) {
      await pause(100);
      found = await samples();
    }
    return found;
  }

  it('count what was refused, over REST and over GraphQL, and say that the keys answer', async () => {
    const of = async (code: string) =>
      (await samples()).get(`holdfast_problems_total{code="${code}"}`)!;
    const before = { denied: await of('unauthenticated'), stale: await of('stale_epoch') };
    await app.http.get('/v1/sessions', { key: null });
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Go on.');
    await worker.claim();
    const { runId } = worker;
    const late = { epoch: 7, claimToken: 'a token of somebody else' };
    expectProblem(
      await app.http.post(worker.path(`/runs/${runId}/complete`), late),
      409,
      'stale_epoch',
    );
    const query = `mutation { completeRun(sessionId: "${worker.sessionId}", runId: "${runId}",
      input: {epoch: 7, claimToken: "a token of somebody else"}) { __typename } }`;
    expect((await app.http.post('/graphql', { query })).text).toContain('Problem');
    expect(await of('unauthenticated')).toBe(before.denied + 1);
    expect(await of('stale_epoch')).toBe(before.stale + 2);
    expect((await samples()).get('holdfast_store_up{store="keys"}')).toBe(1);
  });

  it('count appends and conflicts, tokens and cost by model, what is open and how late views are', async () => {
    const worker = new SessionWorker(app.http);
    await unknownCall(worker, 'Write to Ada.');
    const refused = await app.http.send('POST', worker.path('/inputs'), {
      body: { content: 'late' },
      headers: { 'If-Match': '"0"' },
    });
    expect(refused.status).toBe(412);
    await worker.ok('GET', `/v1/sessions?atLeast=${(await worker.input('next')).position}`);
    const found = await whenCaughtUp();
    const model = `provider="anthropic",model="${ANTHROPIC_MODEL}"`;
    expect(found.get('holdfast_append_duration_seconds_count{outcome="written"}')).toBeGreaterThan(
      5,
    );
    expect(found.get(`holdfast_model_tokens_total{${model},bucket="inputFresh"}`)).toBe(1_000);
    expect(found.get(`holdfast_model_cost_total{${model},currency="USD"}`)).toBe(0.0045);
    const calls = `holdfast_model_calls_total{${model},outcome="completed",priced="yes"}`;
    expect(found.get(calls)).toBe(1);
    expect(found.get('holdfast_open_reconciliations')).toBe(1);
    expect(found.get('holdfast_unknown_calls{effect="opaqueWrite",age="hour"}')).toBe(1);
    expect(found.get('holdfast_unknown_calls{effect="keyedWrite",age="older"}')).toBe(0);
    expect(found.get('holdfast_overdue_sessions')).toBe(0);
    expect(found.get('holdfast_projection_lag_seconds{projection="sessions"}')).toBe(0);
    expect(found.get('holdfast_projection_owned{projection="sessions"}')).toBe(1);
    expect(found.get('holdfast_store_up{store="events"}')).toBe(1);
  });

  it('count claims by reason, late answers, and what contradicts what was recorded', async () => {
    const before = await samples();
    const worker = new SessionWorker(app.http);
    const callId = await unknownCall(worker, 'Write to Bob.');
    const late = (content: string) => ({ attempt: 1, claimedEpoch: worker.owner.epoch, content });
    const path = worker.path(`/tool-calls/${callId}/late-result`);
    expect((await app.http.post(path, late('Sent.'))).status).toBe(202);
    const other = await app.http.post(path, late('Not sent.'));
    expectProblem(other, 409, 'result_conflict');
    const after = await samples();
    const added = (name: string) => after.get(name)! - (before.get(name) ?? 0);
    expect(added('holdfast_run_claims_total{reason="start"}')).toBe(1);
    expect(added('holdfast_late_results_total')).toBe(1);
    expect(added('holdfast_tool_conflicts_total{kind="resultMismatch"}')).toBe(1);
    expect(added('holdfast_alarms_total{alarm="tool_conflict"}')).toBe(1);
    const audit = await app.http.get<object>('/v1/audit?types=ToolConflictDetected');
    expect(JSON.stringify(audit.body)).toContain(worker.sessionId);
  });

  it('are not for those who have no key', async () => {
    const stranger = new HttpClient(app.url, 'no-key');
    expectProblem(await stranger.get('/metrics'), 401, 'unauthenticated');
    stranger.close();
  });

  it('are not for the keys of a tenant: they are sums over all of them', async () => {
    const { body } = await app.http.post<{ key: string }>('/v1/keys', {
      name: 'its admin',
      roles: ['admin'],
    });
    expectProblem(await app.http.get('/metrics', { key: body.key }), 403, 'forbidden');
  });
});

describe('the log of a server that says everything', () => {
  it('has one JSON object a line and nothing of what people, models and tools said', async () => {
    const folder = temporaryFolder();
    const server = await ServerProcess.start({
      folder,
      environment: { HOLDFAST_LOG_LEVEL: 'debug' },
    });
    const worker = new SessionWorker(server.http, 'session-geheim');
    await unknownCall(worker, 'My PIN is geheim.');
    await server.http.post(worker.path('/inputs'), { content: { wrong: 'geheim' } });
    await server.http.get('/v1/nothing-geheim?search=geheim');
    await server.end('SIGTERM');
    folder.remove();
    const lines = server.said.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        level: 'debug',
        context: 'Request',
        message: expect.stringMatching(/^POST \/v1\/sessions\/:sessionId\/inputs 201 in \d+ ms$/),
      }),
    );
    expect(server.said).not.toMatch(/geheim/);
  });
});
