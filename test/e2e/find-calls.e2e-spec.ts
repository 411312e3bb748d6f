import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { expectProblem } from '../support/expect-problem.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

interface Found {
  readonly calls: readonly {
    readonly sessionId: string;
    readonly callId: string;
    readonly state: string;
  }[];
}

async function order(externalRef: string) {
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: [{ name: 'order', effect: 'queryableWrite' }] });
  await worker.input('Order it.');
  await worker.claim();
  const asked = [{ id: 'toolu_1', name: 'order', input: {} }];
  const [call] = await worker.turn(anthropicAnswer('', asked));
  const { callId } = call!;
  const { opKey } = await worker.permit(callId);
  const { position } = await worker.post<{ position: string }>(`/tool-calls/${callId}/progress`, {
    externalRef,
  });
  return { worker, callId, opKey, position };
}

const find = (query: string) => app.http.get<Found>(`/v1/tool-calls?${query}`);

it('a write is found by its operation key, and by the id that its target gave it', async () => {
  const { worker, callId, opKey, position } = await order('order #17 / a');
  const expected = [{ sessionId: worker.sessionId, callId, state: 'running' }];
  const byKey = await find(`operationKey=${opKey}&atLeast=${position}`);
  expect(byKey.body.calls).toMatchObject(expected);
  const byRef = await find(`externalRef=${encodeURIComponent('order #17 / a')}`);
  expect(byRef.body.calls).toMatchObject(expected);
  expect((await find('externalRef=order')).body.calls).toEqual([]);
});

it('one name is needed, and only one', async () => {
  for (const query of ['', 'operationKey=a&externalRef=b', 'operationKey=']) {
    expectProblem(await find(query), 400, 'invalid_request');
  }
});

it('the command line finds it, too', async () => {
  const { worker, callId, opKey } = await order('order-18');
  const holdfast = commandLineWith(() => app.environment);
  for (const name of [opKey, 'order-18']) {
    const { stdout } = await holdfast('find-call', name);
    expect(stdout).toContain(`${worker.sessionId}  ${callId}  order  running`);
  }
  const { stdout } = await holdfast('find-call', 'nothing', '--json');
  expect(JSON.parse(stdout)).toEqual({ calls: [] });
});
