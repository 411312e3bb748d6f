import { expect, it, jest } from '@jest/globals';
import { startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { SessionWorker } from '../support/session-worker.js';
import { copyOfKeys } from '../support/stored-data.js';

jest.setTimeout(120_000);

it('a missing key is one problem for reads and writes, and is over once the keys are back', async () => {
  let app = await startApp();
  const { folder } = app;
  await new SessionWorker(app.http).start();
  await app.close();
  const old = await copyOfKeys(folder);

  app = await startApp({ folder });
  const worker = new SessionWorker(app.http);
  await worker.start();
  await worker.input('It is said.');
  await app.close();
  const whole = await copyOfKeys(folder);
  await old.restore();

  app = await startApp({ folder });
  const said = { content: 'And more.' };
  const facts = [{ factId: 'f', kind: 'note', text: 'one' }];
  for (const answer of [
    await app.http.get(worker.path('/events')),
    await app.http.post(worker.path('/context'), {}),
    await app.http.post(worker.path('/inputs'), said),
    await app.http.post(worker.path('/facts'), { facts }, { 'Idempotency-Key': 'k' }),
  ]) {
    const { detail } = expectProblem(answer, 503, 'session_key_missing');
    expect(detail).toContain('restore the keys folder');
    expect(answer.headers['retry-after']).toBe('60');
  }
  await app.close();
  await whole.restore();

  app = await startApp({ folder });
  expect((await app.http.get(worker.path('/events'))).text).toContain('It is said.');
  expect((await app.http.post(worker.path('/inputs'), said)).status).toBe(201);
  await app.close();
  folder.remove();
});
