import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { CallBody, ReceiptBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
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

const MODEL = { provider: 'anthropic', model: ANTHROPIC_MODEL };

interface Amounts {
  readonly amounts: readonly { readonly amount: string }[];
}

interface CostBody {
  readonly own: Amounts;
  readonly descendants: Amounts;
  readonly inclusive: Amounts;
  readonly children: readonly { readonly sessionId: string; readonly edge: string }[];
}

async function conversation(): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start({ title: 'Origin', labels: { team: 'a' } });
  await worker.input('First question.');
  await worker.claim();
  await worker.turn(anthropicAnswer('First answer.'), MODEL);
  return worker;
}

async function forkOf(worker: SessionWorker, body: object = {}): Promise<SessionWorker> {
  const receipt = await worker.ok<ReceiptBody>('POST', worker.path('/forks'), body);
  return new SessionWorker(app.http, receipt.sessionId, 'worker-of-the-fork');
}

function costOf(worker: SessionWorker, position: string): Promise<CostBody> {
  return worker.ok('GET', worker.path(`/cost?atLeast=${position}`));
}

describe('a fork', () => {
  it('goes on from the same input, and neither session can change the other', async () => {
    const origin = await conversation();
    const before = await origin.events();
    const fork = await forkOf(origin);
    expect(await fork.read()).toMatchObject({
      title: 'Origin',
      labels: { team: 'a' },
      ancestors: [origin.sessionId],
      pendingInputs: [],
      revision: 0,
    });
    const request = { format: 'anthropic', instructions: 'Be brief.' };
    const { messages } = await origin.context(request);
    expect((await fork.context(request)).messages).toEqual(messages);

    await fork.input('A question of the fork.');
    await fork.claim();
    await fork.turn(anthropicAnswer('An answer of the fork.'));
    expect(await origin.events()).toEqual(before);
    await origin.input('A question of the origin.');
    await origin.turn(anthropicAnswer('An answer of the origin.'));
    expect(JSON.stringify(await fork.context())).not.toContain('of the origin');
    expect(JSON.stringify(await origin.context())).not.toContain('of the fork');
  });

  it('of a fork at an earlier revision sees what was there then', async () => {
    const origin = await conversation();
    const { revision } = await origin.read();
    await origin.input('Second question.');
    const fork = await forkOf(await forkOf(origin), {});
    const early = await forkOf(origin, { at: revision, title: 'Earlier' });
    expect(JSON.stringify(await early.context())).not.toContain('Second question.');
    expect(JSON.stringify(await fork.context())).toContain('First answer.');
    expect((await fork.read()).ancestors).toHaveLength(2);
    const ahead = await app.http.post(origin.path('/forks'), { at: revision + 100 });
    expect(ahead).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('costs nothing by itself; what it spends flows up, once', async () => {
    const origin = await conversation();
    const fork = await forkOf(origin);
    await fork.input('And now?');
    await fork.claim();
    await fork.turn(anthropicAnswer('Now this.'), MODEL);
    const { position } = await fork.complete();
    const amount = (value: string) => ({ amounts: [{ amount: value }] });
    expect(await costOf(fork, position)).toMatchObject({
      own: amount('0.0045'),
      descendants: { amounts: [] },
    });
    expect(await costOf(origin, position)).toMatchObject({
      own: amount('0.0045'),
      descendants: amount('0.0045'),
      inclusive: amount('0.009'),
      children: [{ sessionId: fork.sessionId, edge: 'fork' }],
    });
  });

  it('never touches a call that was open at the cut', async () => {
    const origin = await conversation();
    const asked = [{ id: 'toolu_1', name: 'mail', input: {} }];
    const [call] = await origin.turn(anthropicAnswer('', asked));
    await origin.permit(call!.callId);
    const fork = await forkOf(origin);
    await fork.input('Go on.');
    await fork.claim();
    expect((await fork.read()).unresolved).toMatchObject([
      { callId: call!.callId, state: 'inherited' },
    ]);
    for (const [route, body] of [
      ['start', { attempt: 1 }],
      ['result', { content: 'sent' }],
      ['unknown', {}],
    ] as const) {
      const path = fork.path(`/tool-calls/${call!.callId}/${route}`);
      expect(await app.http.post(path, { ...fork.owner, ...body })).toMatchObject({
        status: 409,
        body: { code: 'inherited_call', originSessionId: origin.sessionId },
      });
    }
    expect(JSON.stringify(await fork.context())).toContain('belongs to the parent session');
    await fork.turn(anthropicAnswer('I wait for it.'));
    await origin.result(call!.callId, 'sent');
    const settled = await origin.ok<{ call: CallBody }>(
      'GET',
      origin.path(`/tool-calls/${call!.callId}`),
    );
    expect(settled.call).toMatchObject({ state: 'completed', attempts: 1 });
  });

  it('inherits no input that waits and no run', async () => {
    const origin = await conversation();
    await origin.input('Still waiting.');
    const fork = await forkOf(origin);
    expect(await fork.read()).toMatchObject({ status: 'idle', pendingInputs: [] });
    expect(JSON.stringify(await fork.context())).not.toContain('Still waiting.');
    const claim = { workerId: 'w', claimToken: fork.owner.claimToken };
    expect(await app.http.post(fork.path('/runs'), claim)).toMatchObject({
      status: 409,
      body: { code: 'nothing_to_run' },
    });
  });
});
