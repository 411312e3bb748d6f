import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CONTEXT_FORMATS } from '../../src/context/format-names.js';
import type { ContextBody } from '../support/api-views.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

const LONG = 'A sentence that makes the conversation long enough to be trimmed. '.repeat(40);
const FRESH = {
  instructions: 'You are a bookkeeper.',
  tools: [{ name: 'read_log' }, { name: 'pay' }],
  now: 'Monday',
};

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
  const tools = [
    { name: 'read_log', effect: 'readOnly' },
    { name: 'pay', effect: 'opaqueWrite' },
  ];
  await worker.start({ tools });
  await worker.input('Read the log, then pay.');
  await worker.claim();
  return worker;
}

async function readTheLog(worker: SessionWorker, id: string): Promise<void> {
  const asked = [{ id, name: 'read_log', input: {} }];
  const [call] = await worker.turn(anthropicAnswer('I read the log.', asked));
  await worker.permit(call!.callId);
  await worker.result(call!.callId, LONG);
}

/** The whole answers, byte for byte: in each format, and once with a budget that trims. */
async function contextsOf(sessionId: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const format of CONTEXT_FORMATS) {
    for (const budgetTokens of [undefined, 1_200]) {
      const body = { format, ...FRESH, cache: { ttl: '1h' }, budgetTokens };
      const answer = await server.http.post(`/v1/sessions/${sessionId}/context`, body);
      expect(answer.status).toBe(200);
      texts.push(answer.text);
    }
  }
  return texts;
}

async function restarted(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  await server.end(signal);
  server = await ServerProcess.start({ folder });
}

describe('a context', () => {
  it('after a restart is the one before it, whatever was open', async () => {
    const worker = await working();
    const { sessionId } = worker;
    const facts = [{ factId: 'limit', kind: 'constraint', text: 'Never pay more than 120 EUR.' }];
    await worker.http.post(worker.path('/facts'), { facts }, { 'Idempotency-Key': 'f' });
    for (const id of ['toolu_1', 'toolu_2', 'toolu_3']) await readTheLog(worker, id);

    const isSameAfter = async (signal: 'SIGKILL' | 'SIGTERM') => {
      const before = await contextsOf(sessionId);
      expect(before.join()).toContain('"trimmed":[{');
      await restarted(signal);
      expect(await contextsOf(sessionId)).toEqual(before);
    };
    await isSameAfter('SIGKILL');

    const again = new SessionWorker(server.http, sessionId);
    again.owner = worker.owner;
    const asked = ['toolu_4', 'toolu_5'].map((id) => ({ id, name: 'pay', input: { euro: 100 } }));
    const [lost] = await again.turn(anthropicAnswer('I pay.', asked));
    await again.permit(lost!.callId);
    await isSameAfter('SIGKILL');
    await new SessionWorker(server.http, sessionId).input('Did you pay?');
    await isSameAfter('SIGTERM');
  });

  it('of a fork at the head has the same messages as that of its parent', async () => {
    const worker = await working();
    await readTheLog(worker, 'toolu_1');
    await worker.turn(anthropicAnswer('All is well.'));
    const fork = new SessionWorker(server.http);
    await worker.http.post(worker.path('/forks'), { forkId: fork.sessionId });
    for (const format of CONTEXT_FORMATS) {
      const [ofParent, ofFork] = await Promise.all(
        [worker, fork].map((one) => one.context({ format, ...FRESH })),
      );
      const bytes = ({ system, messages }: ContextBody) => JSON.stringify({ system, messages });
      expect(bytes(ofFork!)).toBe(bytes(ofParent!));
    }
  });
});
