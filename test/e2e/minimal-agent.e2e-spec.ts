import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { startNode } from '../support/child-process.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(180_000);

const AGENT = join(import.meta.dirname, '../../examples/minimal-agent.mjs');

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

describe('the minimal agent', () => {
  const run = (url: string, key: string) =>
    startNode(AGENT, [], { HOLDFAST_URL: url, HOLDFAST_API_KEY: key }).ended;

  it('records a session that the command line shows', async () => {
    const { exitCode, stdout } = await run(app.http.url, app.http.key);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^Recorded\. See: .*\n$/)]);
    const recorded = new SessionWorker(app.http, stdout.trim().split(' ').at(-1));
    const { messages } = await recorded.context();
    expect(JSON.stringify(messages)).toContain('It is 21 degrees in Bern.');
  });

  it.each([
    ['without a key', () => run(app.http.url, ''), /^set HOLDFAST_API_KEY: .*npx holdfast key/],
    ['with a wrong key', () => run(app.http.url, 'hf_x'), /^\/v1\/sessions: 401 unauthenticated: /],
    [
      'without a server',
      () => run('http://127.0.0.1:9', 'k'),
      /^no server answers at .*:9 .*npm start/,
    ],
  ])('%s says in one line what to do', async (_, running, words) => {
    const { exitCode, stdout, stderr } = await running();
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(words);
    expect(stderr.trim()).not.toContain('\n');
  });
});
