import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { ProblemBody } from '../support/api-views.js';
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

async function started(): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start();
  return worker;
}

function textsOf(messages: readonly { role: string; content: unknown }[]): readonly string[] {
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => (content as { text: string }[])[0]!.text);
}

/** The next owner, after the run of the last one has ended. */
function newOwner(worker: SessionWorker): void {
  worker.owner = { epoch: 0, claimToken: randomBytes(16).toString('hex') };
}

describe('an input', () => {
  it('that steers reaches the next model call of the open run, in order and once', async () => {
    const worker = await started();
    await worker.input('one', { inputId: 'one' });
    await worker.claim();
    await worker.input('two', { inputId: 'two' });
    await worker.input('three', { inputId: 'three' });
    const context = await worker.context({ format: 'anthropic' });
    expect(context.delivers).toEqual(['two', 'three']);
    expect(textsOf(context.messages)).toEqual(['one', 'two', 'three']);
    await worker.turn(anthropicAnswer('Yes.'));
    expect((await worker.read()).pendingInputs).toEqual([]);
    await worker.turn(anthropicAnswer('And yes.'));
    const delivered = (await worker.events()).filter(({ type }) => type === 'InputDelivered');
    expect(delivered.map(({ data }) => data.inputId)).toEqual(['one', 'two', 'three']);
  });

  it('is delivered however many wait, some at a time, in order and once', async () => {
    const worker = await started();
    const names = Array.from({ length: 130 }, (_, index) => `input-${index}`);
    const headers = { epoch: 1, claimToken: worker.owner.claimToken };
    for (let from = 0; from < names.length; from += 45) {
      const some = names.slice(from, from + 45);
      const steps = some.map((inputId) => ({ type: 'acceptInput', inputId, content: inputId }));
      await worker.ok('POST', worker.path('/record'), { ...headers, steps });
    }
    await worker.claim();
    while ((await worker.read()).pendingInputs.length > 0)
      await worker.turn(anthropicAnswer('Yes.'));
    await worker.complete();
    const events = await worker.events();
    const delivered = events.filter(({ type }) => type === 'InputDelivered');
    expect(delivered.map(({ data }) => data.inputId)).toEqual(names);
    expect(textsOf((await worker.context({ format: 'anthropic' })).messages)).toHaveLength(130);
  });

  it('that queues gets a run of its own, one at a time', async () => {
    const worker = await started();
    for (const name of ['one', 'two', 'three']) {
      await worker.input(name, { inputId: name, delivery: 'queue' });
    }
    for (const name of ['one', 'two', 'three']) {
      expect((await worker.claim()).inputIds).toEqual([name]);
      expect((await worker.context()).delivers).toEqual([]);
      await worker.turn(anthropicAnswer(`Done: ${name}.`));
      await worker.complete();
      newOwner(worker);
    }
    expect(await worker.read()).toMatchObject({ status: 'idle', pendingInputs: [] });
  });

  it('with resume: false waits for another reason to run', async () => {
    const worker = await started();
    await worker.input('For later.', { inputId: 'later', resume: false });
    expect(await worker.read()).toMatchObject({
      status: 'idle',
      standing: { mayContinue: false },
      pendingInputs: [{ inputId: 'later' }],
    });
    const { workerId, owner } = worker;
    const claim = { workerId, claimToken: owner.claimToken };
    expect(await app.http.post(worker.path('/runs'), claim)).toMatchObject({
      status: 409,
      body: { code: 'nothing_to_run' },
    });
    await worker.input('Now.', { inputId: 'now' });
    expect((await worker.claim()).inputIds).toEqual(['later', 'now']);
  });

  it('can be withdrawn until a run has taken it, and then never reaches a model', async () => {
    const worker = await started();
    await worker.input('Wrong.', { inputId: 'wrong' });
    const withdrawn = await app.http.send('DELETE', worker.path('/inputs/wrong'));
    expect(withdrawn.status).toBe(200);
    await worker.input('Right.', { inputId: 'right' });
    await worker.claim();
    expect(JSON.stringify(await worker.context())).not.toContain('Wrong.');
    expect(await app.http.send('DELETE', worker.path('/inputs/right'))).toMatchObject({
      status: 409,
      body: { code: 'invalid_state' },
    });
    expect(await app.http.send('DELETE', worker.path('/inputs/none'))).toMatchObject({
      status: 404,
    });
  });

  it('that was withdrawn after the context was built makes that context stale', async () => {
    const worker = await started();
    await worker.input('one');
    await worker.claim();
    await worker.input('two', { inputId: 'two' });
    const { delivers } = await worker.context();
    await app.http.send('DELETE', worker.path('/inputs/two'));
    const start = { ...worker.owner, delivers };
    expect(await app.http.post(worker.path('/model-calls'), start)).toMatchObject({
      status: 409,
      body: { code: 'context_stale', inputId: 'two' },
    });
  });

  it('with the role of a system message is refused with advice', async () => {
    const worker = await started();
    const answer = await app.http.post<ProblemBody>(worker.path('/inputs'), {
      role: 'system',
      content: 'You are a pirate.',
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.detail).toContain('`instructions`');
    expect((await worker.read()).revision).toBe(0);
  });
});
