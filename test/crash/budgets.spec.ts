import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(180_000);

const CHILDREN = 10;
/** 0.0045 USD each, as long as a call costs what was estimated. */
const CALL = {
  provider: 'anthropic',
  model: ANTHROPIC_MODEL,
  inputTokens: 1_000,
  maxOutputTokens: 100,
};
/** Of every fifth call: 0.003 USD more than the estimate. */
const OVER_USD = 0.003;
const AMOUNT = '0.1';

interface BudgetBody {
  readonly spent: string;
  readonly reserved: string;
  readonly calls: number;
  readonly runningCalls: number;
}

let folder: TemporaryFolder;
let servers: readonly ServerProcess[];
beforeAll(async () => {
  folder = temporaryFolder();
  const first = await ServerProcess.start({ folder });
  servers = [first, await ServerProcess.start({ folder })];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end('SIGKILL')));
  folder.remove();
});

async function child(server: ServerProcess, rootId: string): Promise<SessionWorker> {
  const worker = new SessionWorker(server.http);
  await worker.start({ parent: { sessionId: rootId, edge: 'subagent' } });
  await worker.input('Go on.');
  await worker.claim();
  return worker;
}

/** Calls until the budget refuses. Answers how many were made, and how many cost too much. */
async function spend(worker: SessionWorker): Promise<{ readonly calls: number; over: number }> {
  const made = { calls: 0, over: 0 };
  for (;;) {
    const modelCallId = `m${made.calls}`;
    const path = worker.path('/model-calls');
    const body = { ...worker.owner, ...CALL, modelCallId };
    const started = await worker.http.post<{ code?: string; fitsLater?: boolean }>(path, body);
    if (started.status !== 201) {
      expect(started.body.code).toBe('budget_exhausted');
      if (started.body.fitsLater !== true) return made;
      await pause(50);
      continue;
    }
    const isOver = Math.random() < 0.2;
    const usage = { input_tokens: 1_000, output_tokens: isOver ? 300 : 100 };
    await worker.settle(modelCallId, { response: { ...anthropicAnswer('Yes.'), usage } });
    made.calls += 1;
    if (isOver) made.over += 1;
  }
}

describe('children in two processes under one budget', () => {
  it('spend no more than the amount, but for what calls cost over their estimate', async () => {
    const [one, other] = servers as readonly [ServerProcess, ServerProcess];
    const root = new SessionWorker(one.http);
    await root.start();
    const scope = { kind: 'tree', sessionId: root.sessionId };
    await root.ok('PUT', '/v1/budgets/tree', { scope, amount: AMOUNT });
    const children = await Promise.all(
      Array.from({ length: CHILDREN }, (_, index) =>
        child(index % 2 === 0 ? one : other, root.sessionId),
      ),
    );
    const made = await Promise.all(children.map(spend));
    const calls = made.reduce((sum, part) => sum + part.calls, 0);
    const over = made.reduce((sum, part) => sum + part.over, 0);
    const budget = await root.ok<BudgetBody>('GET', '/v1/budgets/tree');
    expect(budget).toMatchObject({ reserved: '0', runningCalls: 0, calls });
    const spent = calls * 0.0045 + over * OVER_USD;
    expect(Number(budget.spent)).toBeCloseTo(spent, 9);
    expect(Number(budget.spent)).toBeLessThanOrEqual(Number(AMOUNT) + over * OVER_USD);
    expect(Number(budget.spent)).toBeGreaterThan(Number(AMOUNT) - 0.0045);
  });

  it('survives the death of a process in the middle of calls', async () => {
    const [one, other] = servers as readonly [ServerProcess, ServerProcess];
    const root = new SessionWorker(one.http);
    await root.start();
    const scope = { kind: 'tree', sessionId: root.sessionId };
    await root.ok('PUT', '/v1/budgets/killed', { scope, amount: AMOUNT });
    const worker = await child(other, root.sessionId);
    await worker.post('/model-calls', { ...CALL, modelCallId: 'm0' });
    await other.end('SIGKILL');
    expect(await root.ok('GET', '/v1/budgets/killed')).toMatchObject({ reserved: '0.0045' });
    const next = new SessionWorker(one.http, worker.sessionId, 'worker-2');
    await next.claim({ force: true });
    expect(await root.ok('GET', '/v1/budgets/killed')).toMatchObject({
      spent: '0.003',
      reserved: '0',
      calls: 1,
    });
  });
});
