import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ClaimBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
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

const VERSION_1 = { profileVersion: '1', toolNames: ['mail', 'search'] };

interface Compared extends ClaimBody {
  readonly differences: readonly { readonly what: string; readonly isIncompatible: boolean }[];
}

/** A session whose worker, of version 1, was shut down before it made the call. */
async function handedOver(profile: string) {
  const session = new SessionWorker(app.http);
  await session.start({ profile: { name: profile, version: '1' } });
  await session.input('Mail it.');
  const { runId } = await session.claim(VERSION_1);
  const [call] = await session.turn(
    anthropicAnswer('', [{ id: 'toolu_1', name: 'mail', input: {} }]),
  );
  await session.post(`/runs/${runId}/interrupt`, {});
  return { session, callId: call!.callId };
}

const next = ({ sessionId }: SessionWorker) => new SessionWorker(app.http, sessionId, 'worker-2');

it('a worker of another version is told what differs, by a restore and by its claim', async () => {
  const { session, callId } = await handedOver('p1');
  const version2 = { profileVersion: '2', toolNames: ['mail'] };
  const told = [
    { what: 'profileVersion', before: '1', now: '2', isIncompatible: false },
    { what: 'toolMissing', tool: 'search', isIncompatible: false },
  ];
  const restored = await session.ok<Compared>('POST', session.path('/restore'), version2);
  expect(restored.differences).toEqual(told);
  const worker = next(session);
  const claimed = (await worker.claim(version2)) as Compared;
  expect(claimed.differences).toEqual(told);
  await worker.permit(callId);
});

it('one without the tool of an open call has to confirm, gets no permit, and skips the call', async () => {
  const { session, callId } = await handedOver('p2');
  const worker = next(session);
  const { workerId } = worker;
  const { claimToken } = worker.owner;
  const without = { workerId, claimToken, toolNames: ['search'] };
  const refused = await app.http.post(session.path('/runs'), without);
  expectProblem(refused, 409, 'incompatible_setup');
  expect(refused.text).toContain('"toolMissing"');
  await worker.claim({ toolNames: ['search'], confirmDifferences: true });
  const start = { ...worker.owner, attempt: 1 };
  const path = session.path(`/tool-calls/${callId}`);
  expectProblem(await app.http.post(`${path}/start`, start), 409, 'manifest_unavailable');
  await worker.post(`/tool-calls/${callId}/skip`, { reason: 'manifestUnavailable' });
  const { messages } = await worker.context();
  expect(JSON.stringify(messages)).toContain('The tool call was not started. It had no effect.');
});

it('a poll is not given what it cannot go on with, and does not keep it from others', async () => {
  const { session } = await handedOver('p3');
  const poll = (more: object) =>
    app.http.post<ClaimBody>('/v1/work/claim', {
      workerId: 'poller',
      claimToken: randomBytes(16).toString('hex'),
      profiles: ['p3'],
      ...more,
    });
  expect((await poll({ toolNames: ['search'], waitMs: 0 })).status).toBe(204);
  const waiting = poll({ toolNames: ['search'], waitMs: 1_500 });
  expect((await poll({ toolNames: ['mail'] })).body.sessionId).toBe(session.sessionId);
  expect((await waiting).status).toBe(204);
});
