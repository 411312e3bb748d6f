import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CONTEXT_FORMATS } from '../../src/context/format-names.js';
import type { ContextBody } from '../support/api-views.js';
import { expectProblem } from '../support/expect-problem.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

const LONG = 'A sentence that makes the conversation long enough to be summarised. '.repeat(8);

/** A model input as it was handed out: the bytes of the answer. */
interface HandedOut {
  readonly contextId: string;
  readonly text: string;
}

let folder: TemporaryFolder;
let server: ServerProcess;

beforeAll(async () => {
  folder = temporaryFolder();
  server = await ServerProcess.start({ folder });
});
afterAll(async () => {
  await server.end('SIGTERM');
  folder.remove();
});

async function working(): Promise<SessionWorker> {
  const worker = new SessionWorker(server.http);
  await worker.start({ tools: [{ name: 'read_log', effect: 'readOnly' }] });
  await worker.input(`First question. ${LONG}`);
  await worker.claim();
  return worker;
}

async function handOut(worker: SessionWorker, body: object): Promise<HandedOut> {
  const answer = await worker.http.post<ContextBody>(worker.path('/context'), body);
  expect(answer.status).toBe(200);
  return { contextId: answer.body.contextId, text: answer.text };
}

/** Each format, with everything that a request can render fresh. */
async function inAllFormats(worker: SessionWorker, turn: number): Promise<HandedOut[]> {
  const handedOut: HandedOut[] = [];
  for (const format of CONTEXT_FORMATS) {
    const tools = [{ name: 'read_log', zeta: 1, alpha: { '10': 'x', '9': 'y' }, turn }];
    const fresh = { instructions: `You are helper ${turn}.`, tools, now: `day ${turn}` };
    const cache = { ttl: '1h' };
    handedOut.push(await handOut(worker, { format, ...fresh, cache, budgetTokens: 50_000 }));
  }
  const plain = await worker.http.get<ContextBody>(worker.path('/context?format=gemini'));
  return [...handedOut, { contextId: plain.body.contextId, text: plain.text }];
}

async function turnWithCall(worker: SessionWorker): Promise<void> {
  const asked = [{ id: 'toolu_1', name: 'read_log', input: { lines: 3 } }];
  const [call] = await worker.turn(anthropicAnswer(`I read the log. ${LONG}`, asked));
  await worker.permit(call!.callId);
  await worker.result(call!.callId, LONG);
}

describe('a past model input', () => {
  it('is shown byte for byte after turns, a compaction, a restart, a kill and a revert', async () => {
    let worker = await working();
    const handedOut = await inAllFormats(worker, 0);
    await turnWithCall(worker);
    handedOut.push(...(await inAllFormats(worker, 1)));
    for (let turn = 2; turn < 5; turn += 1) {
      // Estimated far too low: later contexts are estimated higher, these are not.
      await worker.turn(anthropicAnswer(`Answer ${turn}. ${LONG}`), { inputTokens: 10 });
      await worker.input(`Question ${turn}. ${LONG}`);
    }
    const facts = [{ factId: 'limit', kind: 'constraint', text: 'Never pay more than 120 EUR.' }];
    await worker.http.post(worker.path('/facts'), { facts }, { 'Idempotency-Key': 'f' });
    handedOut.push(...(await inAllFormats(worker, 5)));
    await worker.post('/compactions', { compactionId: 'c', keepGroups: 1 });
    await worker.post('/compactions/c/commit', { summary: 'They talked.' });
    handedOut.push(...(await inAllFormats(worker, 6)));
    const again = async () => {
      for (const { contextId, text } of handedOut) {
        const past = await worker.http.get(worker.path(`/contexts/${contextId}`));
        expect(past.text).toBe(text);
      }
    };
    await again();
    await server.end('SIGKILL');
    server = await ServerProcess.start({ folder });
    worker = new SessionWorker(server.http, worker.sessionId);
    await again();
    await worker.input('A question of another day.');
    await server.end('SIGTERM');
    server = await ServerProcess.start({ folder });
    worker = new SessionWorker(server.http, worker.sessionId);
    await again();
  });

  it('stands in the event of its model call, and repeats what the call was sent', async () => {
    const worker = await working();
    const body = { format: 'anthropic', instructions: 'Be brief.', now: 'Monday' };
    const { contextId, text } = await handOut(worker, body);
    const { inputRevision, delivers } = JSON.parse(text) as ContextBody;
    const start = { modelCallId: 'm', contextId, inputRevision, delivers };
    await worker.post('/model-calls', start);
    await worker.settle('m', { response: anthropicAnswer('Yes.') });
    const started = (await worker.events()).find(({ type }) => type === 'ModelCallStarted')!;
    const recorded = started.data.contextId as string;
    expect((await worker.http.get(worker.path(`/contexts/${recorded}`))).text).toBe(text);
  });

  it('has the same id when it is asked for twice, and one content hash for the same bytes', async () => {
    const worker = await working();
    const body = { format: 'openai-chat', instructions: 'Be brief.' };
    const first = JSON.parse((await handOut(worker, body)).text) as ContextBody;
    expect(await worker.context(body)).toEqual(first);
    const budgeted = await worker.context({ ...body, budgetTokens: 90_000 });
    expect(budgeted.contentHash).toBe(first.contentHash);
    expect(budgeted.contextId).not.toBe(first.contextId);
  });

  it('that was never handed out, or by another session, is not there', async () => {
    const [worker, other] = [await working(), await working()];
    const { contextId } = await handOut(worker, { instructions: 'x' });
    const [revision, rendering, content] = contextId.split('.');
    for (const id of ['context-1', '7', `999.${rendering}.${content}`, `0.${'0'.repeat(64)}.0`]) {
      const answer = await worker.http.get(worker.path(`/contexts/${id}`));
      expectProblem(answer, 404, 'not_found');
    }
    const foreign = await other.http.get(other.path(`/contexts/${contextId}`));
    expectProblem(foreign, 404, 'not_found');
    const changed = `${revision}.${rendering}.${'0'.repeat(40)}`;
    const lost = await worker.http.get(worker.path(`/contexts/${changed}`));
    expectProblem(lost, 410, 'context_lost');
  });
});
