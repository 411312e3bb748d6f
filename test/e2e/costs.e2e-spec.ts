import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

/** One call of `anthropicAnswer` at the built-in price. */
const CALL = '0.0045';
const MODEL = { provider: 'anthropic', model: 'claude-sonnet-4-5' };

interface Figures {
  readonly calls: number;
  readonly amounts: readonly { readonly amount: string }[];
}
interface CostBody {
  readonly own: Figures;
  readonly inclusive: Figures;
  readonly groups?: readonly ({ readonly inclusive: Figures } & Record<string, unknown>)[];
  readonly children: readonly { readonly sessionId: string; readonly inclusive: Figures }[];
  readonly asOf: { readonly position: string };
}
interface SeriesBody {
  readonly rows: readonly (Figures & Record<string, unknown>)[];
  readonly total: Figures;
}

let app: AppInProcess;
const commandLine = commandLineWith(() => app.environment);
let root: SessionWorker;
let revisionBefore: number;
let position: string;

beforeAll(async () => {
  app = await startApp();
  root = new SessionWorker(app.http, 'root');
  await root.start({ labels: { project: 'apollo' } });
  await root.input('Begin.');
  await root.claim();
  await root.turn(anthropicAnswer('Done.'), MODEL);
  revisionBefore = (await root.read()).revision;
  const parent = { sessionId: 'root', edge: 'subagent' };
  const agent = new SessionWorker(app.http, 'agent');
  await agent.start({ parent });
  await agent.input('Look.');
  await agent.claim();
  position = (await agent.turn(anthropicAnswer('Seen.'), MODEL), await positionOf(agent));
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function positionOf(worker: SessionWorker): Promise<string> {
  const key = { 'Idempotency-Key': 'labels-1' };
  const set = { set: { stage: 'test' } };
  const { body } = await app.http.post<{ position: string }>(worker.path('/labels'), set, key);
  return body.position;
}

async function cost(query = ''): Promise<CostBody> {
  const path = `/v1/sessions/root/cost?atLeast=${position}${query}`;
  const { status, body } = await app.http.get<CostBody>(path);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

async function series(query: string): Promise<SeriesBody> {
  const path = `/v1/cost?atLeast=${position}&${query}`;
  const { status, body } = await app.http.get<SeriesBody>(path);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

const amount = (figures: Figures | undefined) => figures?.amounts[0]?.amount;

describe('the cost of a session over HTTP', () => {
  it('is split by run and attempt, user, label and kind of child', async () => {
    expect(amount((await cost()).inclusive)).toBe('0.009');
    const byRun = await cost('&by=run');
    expect(byRun.groups).toMatchObject([
      { sessionId: 'root', attempt: 1, reason: 'start', inclusive: { calls: 1 } },
      { sessionId: 'agent', attempt: 1, reason: 'start', inclusive: { calls: 1 } },
    ]);
    const byUser = await cost('&by=user');
    expect(byUser.groups).toHaveLength(1);
    expect(typeof byUser.groups?.[0]?.['user']).toBe('string');
    const byLabel = await cost('&by=label&label=project');
    expect(byLabel.groups?.map(({ value }) => value)).toEqual(['apollo', null]);
    const byKind = await cost('&by=kind&edges=subagent');
    expect(byKind.groups?.map(({ kind }) => kind)).toEqual(['own', 'subagent']);
  });

  it('is told as it was, at a version, a position and a time', async () => {
    const before = await cost(`&asOf=version:${revisionBefore}`);
    expect([amount(before.inclusive), before.children]).toEqual([CALL, []]);
    expect(amount((await cost(`&asOf=position:${position}`)).inclusive)).toBe('0.009');
    const path = '/v1/sessions/root/cost?asOf=2020-01-01T00:00:00Z';
    expect(await app.http.get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is told call by call, with the way to the event', async () => {
    const path = `/v1/sessions/agent/cost/calls?atLeast=${position}`;
    const { body } = await app.http.get<{ entries: Record<string, unknown>[] }>(path);
    expect(body.entries).toMatchObject([
      { change: 'added', purpose: 'turn', model: 'claude-sonnet-4-5', labels: {}, attempt: 1 },
    ]);
    const { reportedBy } = body.entries[0] as {
      reportedBy: { sessionId: string; revision: number };
    };
    const events = await app.http.get<{ events: { type: string; data: object }[] }>(
      `/v1/sessions/${reportedBy.sessionId}/events?from=${reportedBy.revision}&first=1`,
    );
    expect(events.body.events).toMatchObject([
      { type: 'ModelCallSettled', data: { cost: { cardId: 'anthropic/claude-sonnet-4-5' } } },
    ]);
  });

  it.each([
    'by=weather',
    'by=label',
    'edges=cousin',
    'asOf=yesterday',
    'zone=Mars',
    'from=2026-02-30',
    'format=csv',
    'from=2026-02-01&to=2026-01-01',
  ])('refuses %s with the reason', async (query) => {
    const answer = await app.http.get(`/v1/sessions/root/cost?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('the costs of a tenant over HTTP', () => {
  it('come by day, user, model, label and session, as JSON and as a table', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const byDay = await series('groupBy=day');
    expect(byDay.total).toMatchObject({ calls: 2 });
    expect(byDay.rows.at(-1)).toMatchObject({ day: today });
    const byModel = await series('groupBy=model');
    expect(byModel.rows).toMatchObject([{ provider: 'anthropic', model: 'claude-sonnet-4-5' }]);
    const byLabel = await series('groupBy=label&label=project');
    expect(byLabel.rows).toMatchObject([{ value: 'apollo' }, { value: null }]);
    const bySession = await series('groupBy=session&from=2020-01-01');
    expect(bySession.rows.map(({ session }) => session)).toEqual(['agent', 'root']);
    const one = await series('groupBy=total&session=agent');
    expect(amount(one.total)).toBe(CALL);
    const table = await app.http.get(`/v1/cost?groupBy=day,model&format=csv&atLeast=${position}`);
    expect(table.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(table.text).toMatch(/^day,dayStart,provider,model,currency,amount,.*\r\n/);
    expect(table.text).toContain(',anthropic,claude-sonnet-4-5,USD,0.009,9000000000,2,');
  });

  it.each([
    'groupBy=weather',
    'groupBy=user&session=x',
    'user=a&session=b',
    'groupBy=label',
    'label=project',
    'zone=Mars',
  ])('are refused for %s with the reason', async (query) => {
    const answer = await app.http.get(`/v1/cost?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('holdfast cost', () => {
  async function lines(...parameters: readonly string[]): Promise<string> {
    const { exitCode, stdout } = await commandLine('cost', ...parameters);
    expect([parameters, exitCode]).toEqual([parameters, 0]);
    return stdout;
  }

  it('splits a session', async () => {
    expect(await lines('root', '--by', 'run')).toMatch(/root .* attempt 1 \(start\) +0.0045 USD/);
    expect(await lines('root', '--by', 'label', '--label', 'project')).toMatch(
      /project=apollo +0.0045 USD[^]*project=\(not set\) +0.0045 USD/,
    );
    expect(await lines('root', '--as-of', `version:${revisionBefore}`)).toMatch(
      /^inclusive +0.0045 USD/m,
    );
    expect(await lines('root', '--by', 'model', '--csv')).toMatch(/^provider,model,currency,/);
    const json = JSON.parse(await lines('root', '--by', 'user', '--json')) as CostBody;
    expect(json.groups).toHaveLength(1);
  });

  it('adds up all sessions, by day or by anything that series are kept of', async () => {
    expect(await lines()).toMatch(/^DAY +COST +CALLS[^]*^total +0.009 USD +2 /m);
    expect(await lines('--by', 'day,model', '--zone', 'Asia/Kolkata')).toContain(
      'claude-sonnet-4-5',
    );
    expect(await lines('--by', 'label', '--label', 'project')).toMatch(
      /project +apollo +0.0045 USD/,
    );
    expect(await lines('--by', 'total')).toMatch(/^total +0.009 USD/m);
    expect(await lines('--csv', '--by', 'session')).toMatch(/^session,currency,/);
    const json = JSON.parse(await lines('--json')) as SeriesBody;
    expect(amount(json.total)).toBe('0.009');
  });

  it.each([
    [['root', '--by', 'weather']],
    [['--by', 'weather']],
    [['root', '--edges', 'cousin']],
    [['root', '--csv']],
    [['root', '--user', 'ada']],
    [['--as-of', 'version:1']],
    [['root', '--as-of', 'yesterday']],
    [['--zone', 'Mars']],
    [['--csv', '--json']],
  ])('refuses %j without a stack', async (parameters) => {
    const { exitCode, stdout, stderr } = await commandLine('cost', ...parameters);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  });
});
