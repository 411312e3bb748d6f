import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { type Answer, HttpClient } from '../support/http-client.js';
import { SessionWorker } from '../support/session-worker.js';

const LEASE_MS = 3_000;

/** Servers on one data folder; the leases that the hasty one gives are soon over. */
let app: AppInProcess;
let beside: AppInProcess;
let hasty: AppInProcess;
beforeAll(async () => {
  app = await startApp();
  beside = await startApp({ folder: app.folder });
  const environment = { HOLDFAST_LEASE_TTL_MS: String(LEASE_MS) };
  hasty = await startApp({ folder: app.folder, environment });
});
afterAll(async () => {
  await hasty.close();
  await beside.close();
  await app.close();
  app.folder.remove();
});

const newToken = (): string => randomBytes(16).toString('hex');

/** Each test has work of its own. */
function newProfile(): string {
  return `profile-${randomUUID()}`;
}

async function sessionOf(profile: string, more: object = {}): Promise<SessionWorker> {
  const session = new SessionWorker(app.http);
  await session.start({ profile: { name: profile, version: '1' }, ...more });
  await session.input('Go on.');
  return session;
}

function poll(
  profile: string,
  { at = app, ...body }: { at?: AppInProcess } & Record<string, unknown> = {},
): Promise<Answer<ClaimBody>> {
  const claimToken = newToken();
  const wish = { workerId: 'poller', claimToken, profiles: [profile], waitMs: 20_000, ...body };
  return at.http.post<ClaimBody>('/v1/work/claim', wish);
}

describe('a worker that waits for work', () => {
  it('is given a session that has some, owns it, and ends its run', async () => {
    const profile = newProfile();
    const session = await sessionOf(profile);
    const claimToken = newToken();
    const { status, body } = await poll(profile, { claimToken });
    expect([status, body.sessionId, body.reason]).toEqual([200, session.sessionId, 'start']);
    expect(body.inputIds).toHaveLength(1);
    session.owner = { claimToken, epoch: body.epoch };
    session.runId = body.runId;
    await session.post(`/runs/${body.runId}/heartbeat`, {});
    await session.complete();
    expect((await poll(profile, { waitMs: 0 })).status).toBe(204);
  });

  it('hears of it as soon as it comes, also through another server', async () => {
    const profile = newProfile();
    const begunMs = Date.now();
    const waitMs = 30_000;
    const polls = [poll(profile, { waitMs }), poll(profile, { at: beside, waitMs })];
    await new Promise((resolve) => setTimeout(resolve, 300));
    const sessions = [await sessionOf(profile), await sessionOf(profile)];
    const answers = await Promise.all(polls);
    expect(answers.map(({ body }) => body.sessionId).sort()).toEqual(
      sessions.map(({ sessionId }) => sessionId).sort(),
    );
    expect(Date.now() - begunMs).toBeLessThan(waitMs);
  });

  it('is told after its time that there is none', async () => {
    const begunMs = Date.now();
    const { status, text } = await poll(newProfile(), { waitMs: 400 });
    expect([status, text]).toEqual([204, '']);
    expect(Date.now() - begunMs).toBeGreaterThanOrEqual(390);
  });

  it('never has the session of another, however many wait at how many servers', async () => {
    const profile = newProfile();
    const sessions = await Promise.all(Array.from({ length: 20 }, () => sessionOf(profile)));
    const polls = Array.from({ length: 30 }, (_, index) =>
      poll(profile, { at: index % 2 === 0 ? app : beside, waitMs: 4_000 }),
    );
    const answers = await Promise.all(polls);
    const given = answers.filter(({ status }) => status === 200).map(({ body }) => body.sessionId);
    expect(given.sort()).toEqual(sessions.map(({ sessionId }) => sessionId).sort());
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(10);
  });

  it('chooses by profile and by labels', async () => {
    const profile = newProfile();
    await sessionOf(profile, { labels: { team: 'red' } });
    const blue = await sessionOf(profile, { labels: { team: 'blue', size: 'big' } });
    expect((await poll(newProfile(), { waitMs: 0 })).status).toBe(204);
    const { body } = await poll(profile, { labels: { team: 'blue' } });
    expect(body.sessionId).toBe(blue.sessionId);
    expect((await poll(profile, { labels: { team: 'blue' }, waitMs: 0 })).status).toBe(204);
  });

  it('is given the same session again when its answer was lost', async () => {
    const profile = newProfile();
    await sessionOf(profile);
    await sessionOf(profile);
    const claimToken = newToken();
    const [first, again] = [
      await poll(profile, { claimToken }),
      await poll(profile, { claimToken }),
    ];
    expect(again.body.sessionId).toBe(first.body.sessionId);
    expect([first.body.replayed, again.body.replayed]).toEqual([false, true]);
    expect(again.body.epoch).toBe(first.body.epoch);
  });

  it('gets nothing any more once it has hung up', async () => {
    const profile = newProfile();
    const sent = request(`${app.url}/v1/work/claim`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.http.key}`, 'Content-Type': 'application/json' },
    });
    sent.on('error', () => undefined);
    const gone = { workerId: 'gone', claimToken: newToken(), profiles: [profile] };
    sent.end(JSON.stringify(gone));
    await new Promise((resolve) => setTimeout(resolve, 400));
    sent.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const session = await sessionOf(profile);
    expect((await poll(profile)).body.sessionId).toBe(session.sessionId);
  });

  it('is told at once what is wrong with its request', async () => {
    const { status, text } = await poll('p', { waitMs: 3_600_000, claimToken: 'short' });
    expect(status).toBe(400);
    expect(text).toContain('waitMs');
    expect(text).toContain('claimToken');
  });

  it('is told that there is nothing when the server stops', async () => {
    const stopping = await startApp({ folder: app.folder });
    const http = new HttpClient(stopping.url, app.http.key);
    const answer = poll(newProfile(), { at: { ...stopping, http }, waitMs: 60_000 });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await stopping.close();
    expect((await answer).status).toBe(204);
    http.close();
  });
});

describe('a session whose worker is gone', () => {
  it('goes to the next one when its lease is over, and not before', async () => {
    const profile = newProfile();
    const session = await sessionOf(profile);
    const begunMs = Date.now();
    await poll(profile, { at: hasty, workerId: 'dies' });
    const { body } = await poll(profile, { at: beside, workerId: 'successor', waitMs: 30_000 });
    expect([body.sessionId, body.reason, body.epoch]).toEqual([session.sessionId, 'takeover', 2]);
    expect(Date.now() - begunMs).toBeGreaterThanOrEqual(LEASE_MS);
  });

  it('stays with a worker that sends heartbeats', async () => {
    const profile = newProfile();
    const session = await sessionOf(profile);
    const claimToken = newToken();
    const { body } = await poll(profile, { at: hasty, claimToken });
    const owner = { claimToken, epoch: body.epoch };
    const beat = (): Promise<unknown> =>
      hasty.http.post(session.path(`/runs/${body.runId}/heartbeat`), owner);
    const beating = setInterval(() => void beat(), LEASE_MS / 15);
    expect((await poll(profile, { waitMs: 1.5 * LEASE_MS })).status).toBe(204);
    clearInterval(beating);
  });

  it('is handed over at once when it was given back', async () => {
    const profile = newProfile();
    const session = await sessionOf(profile);
    const claimToken = newToken();
    const { body } = await poll(profile, { claimToken });
    session.owner = { claimToken, epoch: body.epoch };
    await session.post(`/runs/${body.runId}/release`, { reason: 'handover' });
    expect((await poll(profile)).body).toMatchObject({ reason: 'resume', runId: body.runId });
  });

  it('is not restarted after a user stopped it', async () => {
    const profile = newProfile();
    const session = await sessionOf(profile);
    const { body } = await poll(profile, { at: hasty });
    await app.http.post(session.path(`/runs/${body.runId}/stop`), { dropPendingInputs: false });
    expect((await poll(profile, { waitMs: 2 * LEASE_MS })).status).toBe(204);
  });
});

it('lists what workers have and could have, with lease and attempts', async () => {
  const profile = newProfile();
  const [held, free] = [await sessionOf(profile), await sessionOf(profile)];
  await poll(profile, { workerId: 'holder' });
  const { body } = await app.http.get<{ sessions: { sessionId: string }[] }>('/v1/work?first=200');
  const of = ({ sessionId }: SessionWorker): unknown =>
    body.sessions.find((work) => work.sessionId === sessionId);
  expect(of(held)).toMatchObject({
    reason: 'takeover',
    heldBy: 'holder',
    leaseExpiresAt: expect.any(String),
    recoveryAttempts: 0,
    profile,
  });
  expect(of(free)).toMatchObject({ reason: 'start', since: expect.any(String) });
  expect(of(free)).not.toHaveProperty('heldBy');
});
