import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
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

const ASKED = [{ id: 'toolu_1', name: 'mail', input: {} }];

/** What went before, the request that comes too early, too late or twice, and what it is told. */
interface Misplaced {
  readonly name: string;
  readonly before: (worker: SessionWorker) => Promise<string | void>;
  /** `{call}` in the route stands for the call that `before` answered. */
  readonly route: string;
  readonly body?: object;
  readonly problem: readonly [number, string];
}

async function begun(worker: SessionWorker): Promise<void> {
  await worker.input('Begin.');
  await worker.claim({ runId: 'run-1' });
}

async function asking(worker: SessionWorker): Promise<void> {
  await begun(worker);
  await worker.post('/model-calls', { modelCallId: 'call-1' });
}

async function called(worker: SessionWorker): Promise<string> {
  await begun(worker);
  return (await worker.turn(anthropicAnswer('', ASKED)))[0]!.callId;
}

async function answered(worker: SessionWorker): Promise<string> {
  const callId = await called(worker);
  await worker.permit(callId);
  await worker.result(callId, 'sent');
  return callId;
}

async function ended(worker: SessionWorker): Promise<void> {
  await begun(worker);
  await worker.turn(anthropicAnswer('Done.'));
  await worker.complete();
}

const nothing = async (): Promise<void> => undefined;
const EVIDENCE = { method: 'GET', target: 'x', observedAt: '2026-03-02T09:00:00Z' };
const PROBE = { answer: 'found', requestedAt: '2026-03-02T09:00:00Z', evidence: EVIDENCE };

const CASES: readonly Misplaced[] = [
  {
    name: 'a model call before any claim',
    before: nothing,
    route: '/model-calls',
    body: { epoch: 1 },
    problem: [409, 'stale_epoch'],
  },
  {
    name: 'a claim with nothing to run',
    before: nothing,
    route: '/runs',
    body: { workerId: 'worker-1' },
    problem: [409, 'nothing_to_run'],
  },
  {
    name: 'a second model call while one is open',
    before: asking,
    route: '/model-calls',
    body: { modelCallId: 'call-2' },
    problem: [409, 'invalid_state'],
  },
  {
    name: 'the end of a run with an open model call',
    before: asking,
    route: '/runs/run-1/complete',
    problem: [409, 'invalid_state'],
  },
  {
    name: 'the second part of a message before the first',
    before: asking,
    route: '/model-calls/call-1/message',
    body: { part: 1, blocks: [] },
    problem: [400, 'invalid_request'],
  },
  {
    name: 'a part after the last one',
    before: async (worker) => {
      await asking(worker);
      await worker.post('/model-calls/call-1/message', { part: 0, final: true, blocks: [] });
    },
    route: '/model-calls/call-1/message',
    body: { part: 1, blocks: [] },
    problem: [409, 'invalid_state'],
  },
  {
    name: 'the outcome of a model call that was settled, under a new key',
    before: async (worker) => {
      await asking(worker);
      await worker.settle('call-1', { response: anthropicAnswer('Yes.') });
    },
    route: '/model-calls/call-1/settle',
    body: { message: [] },
    problem: [404, 'not_found'],
  },
  {
    name: 'a result before the permit',
    before: called,
    route: '/tool-calls/{call}/result',
    body: { content: 'sent' },
    problem: [409, 'not_started'],
  },
  {
    name: 'the second attempt before the first',
    before: called,
    route: '/tool-calls/{call}/start',
    body: { attempt: 2 },
    problem: [409, 'stale_attempt'],
  },
  {
    name: 'a permit for a call that was answered',
    before: answered,
    route: '/tool-calls/{call}/start',
    body: { attempt: 2 },
    problem: [409, 'invalid_state'],
  },
  {
    name: 'a skip of a call that was answered',
    before: answered,
    route: '/tool-calls/{call}/skip',
    body: { reason: 'denied' },
    problem: [409, 'invalid_state'],
  },
  {
    name: 'a probe of a call whose outcome is known',
    before: answered,
    route: '/tool-calls/{call}/probes',
    body: PROBE,
    problem: [409, 'already_decided'],
  },
  {
    name: 'a decision on a call that never started',
    before: called,
    route: '/tool-calls/{call}/decision',
    body: { decision: 'applied' },
    problem: [409, 'invalid_state'],
  },
  {
    name: 'a retry of a call whose run has ended',
    before: async (worker) => {
      const callId = await called(worker);
      await worker.permit(callId);
      await worker.post('/runs/run-1/fail', { errorClass: 'x', message: 'y' });
      return callId;
    },
    route: '/tool-calls/{call}/decision',
    body: { decision: 'retry' },
    problem: [409, 'run_ended'],
  },
  {
    name: 'a permit after the end of the run',
    before: ended,
    route: '/model-calls',
    problem: [409, 'run_ended'],
  },
  {
    name: 'a stop of a run that has ended',
    before: ended,
    route: '/runs/run-1/stop',
    problem: [409, 'run_ended'],
  },
  {
    name: 'a resume of a session that nobody stopped',
    before: ended,
    route: '/resume',
    problem: [409, 'invalid_state'],
  },
  {
    name: 'the commit of a compaction that was never started',
    before: begun,
    route: '/compactions/none/commit',
    body: { summary: 'x' },
    problem: [404, 'not_found'],
  },
  {
    name: 'an inputRevision that is still to come',
    before: begun,
    route: '/model-calls',
    body: { inputRevision: 1_000 },
    problem: [400, 'invalid_request'],
  },
  {
    name: 'a delivery of an input that nobody sent',
    before: begun,
    route: '/model-calls',
    body: { delivers: ['none'] },
    problem: [409, 'context_stale'],
  },
];

/** Routes of people, who own nothing. */
const FREE = /\/(runs|stop|resume|probes|decision)$/;

describe('a command at the wrong time', () => {
  it.each(CASES.map((misplaced) => [misplaced.name, misplaced] as const))(
    'is refused and leaves nothing behind: %s',
    async (_, { before, route, body = {}, problem: [status, code] }) => {
      const worker = new SessionWorker(app.http);
      await worker.start();
      const path = worker.path(route.replace('{call}', (await before(worker)) ?? ''));
      const { revision } = await worker.read();
      const { claimToken } = worker.owner;
      const own = FREE.test(route) ? {} : worker.owner;
      const sent = { ...own, ...(route === '/runs' ? { claimToken } : {}), ...body };
      const headers = { 'Idempotency-Key': 'misplaced' };
      for (let times = 0; times < 2; times += 1) {
        const answer = await app.http.post(path, sent, headers);
        expectProblem(answer, status, code);
      }
      expect((await worker.read()).revision).toBe(revision);
    },
  );

  it('is refused as a whole when it is one of several steps', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await begun(worker);
    const { revision } = await worker.read();
    const steps: readonly (readonly [object[], number, string])[] = [
      [[], 400, 'invalid_request'],
      [[{ type: 'no-such-step' }], 400, 'invalid_request'],
      [[{ type: 'claimRun' }], 400, 'invalid_request'],
      [[{ type: 'recordToolResult', content: 'x' }], 400, 'invalid_request'],
      [[{ type: 'startModelCall', unknown: 1 }], 400, 'invalid_request'],
      [[{ type: 'startModelCall' }, { type: 'startModelCall' }], 409, 'invalid_state'],
      [[{ type: 'acceptInput', content: 'x', role: 'system' }], 400, 'invalid_request'],
      [new Array<object>(51).fill({ type: 'acceptInput', content: 'x' }), 400, 'invalid_request'],
    ];
    for (const [list, status, code] of steps) {
      const answer = await app.http.post(worker.path('/record'), { ...worker.owner, steps: list });
      expectProblem(answer, status, code);
    }
    expect((await worker.read()).revision).toBe(revision);
  });
});
