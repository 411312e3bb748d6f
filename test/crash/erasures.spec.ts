import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { readAtHead } from '../support/read-at-head.js';
import { RetryingClient } from '../support/retrying-client.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

/** One of ten is erased; `npm run test:crash` takes 1,000. */
const SESSIONS = Number(process.env.ERASURE_SESSIONS ?? 40);
const ERASED_EVERY = 10;
const TOGETHER = 6;
/** Kills come within the time that an erasure takes, at another moment each. */
const KILLS_WITHIN_MS = 120;
jest.setTimeout(120_000 + SESSIONS * 4_000);

const canary = (name: string) => `canary-${name}-sings`;
const MODEL = { provider: 'anthropic', model: ANTHROPIC_MODEL };

/** What is to be erased, with what goes with it and what is left. */
interface Doomed {
  readonly sessionId: string;
  readonly descendants: 'refuse' | 'erase';
  readonly fork?: string;
}

async function spoken(server: ServerProcess, sessionId: string, more: object = {}): Promise<void> {
  const worker = new SessionWorker(server.http, sessionId);
  await worker.start({ title: canary(sessionId), ...more });
  await worker.input(canary(sessionId));
  await worker.claim();
  await worker.turn(anthropicAnswer(canary(sessionId)), MODEL);
  await worker.complete();
}

async function made(server: ServerProcess, index: number): Promise<Doomed | undefined> {
  const sessionId = `s${index}`;
  await spoken(server, sessionId);
  if (index % ERASED_EVERY !== 0) return undefined;
  const kind = (index / ERASED_EVERY) % 3;
  if (kind === 1) {
    const fork = `${sessionId}-fork`;
    const worker = new SessionWorker(server.http, sessionId);
    await worker.ok('POST', worker.path('/forks'), { forkId: fork });
    await new SessionWorker(server.http, fork).input(canary(fork));
    return { sessionId, descendants: 'erase', fork };
  }
  if (kind === 2) {
    const parent = { sessionId, edge: 'subagent' };
    await spoken(server, `${sessionId}-child`, { parent });
  }
  return { sessionId, descendants: 'refuse' };
}

async function allMade(server: ServerProcess): Promise<readonly Doomed[]> {
  const doomed: Doomed[] = [];
  for (let first = 0; first < SESSIONS; first += TOGETHER) {
    const count = Math.min(TOGETHER, SESSIONS - first);
    const some = Array.from({ length: count }, (_, at) => made(server, first + at));
    for (const one of await Promise.all(some)) if (one !== undefined) doomed.push(one);
  }
  return doomed;
}

/** By stream: the hash of all that is stored of it. */
async function storedBytes(app: AppInProcess): Promise<ReadonlyMap<string, string>> {
  const streams = new Map<string, string>();
  for (let after = 0n; ;) {
    const filter = { streamPrefix: 'session-' };
    const page = await app.ports.sealedEvents.readAll(after, 500, filter);
    for (const { stream, revision, data, metadata } of page.events) {
      const text = JSON.stringify([streams.get(stream), revision, data, metadata]);
      streams.set(stream, createHash('sha256').update(text).digest('hex'));
    }
    if (page.caughtUp) return streams;
    after = page.next;
  }
}

/** Page by page, with all that was recorded. */
async function allSessions(app: AppInProcess): Promise<readonly object[]> {
  const listed: object[] = [];
  for (let after = ''; ;) {
    const path = `/v1/sessions?first=200${after}`;
    const page = await readAtHead<{ sessions: object[]; cursor?: string }>(app, path);
    listed.push(...page.sessions);
    if (page.cursor === undefined) return listed;
    after = `&after=${encodeURIComponent(page.cursor)}`;
  }
}

async function everythingReadable(app: AppInProcess): Promise<string> {
  const headers = { Accept: 'application/x-ndjson' };
  const events = await app.http.get('/v1/events', { headers });
  return events.text + JSON.stringify(await allSessions(app));
}

async function costsOf(app: AppInProcess, doomed: readonly Doomed[]): Promise<object> {
  const costs: Record<string, unknown> = {};
  for (const { sessionId } of doomed) {
    const path = `/v1/sessions/${sessionId}/cost`;
    costs[sessionId] = (await readAtHead<{ inclusive: object }>(app, path)).inclusive;
  }
  return costs;
}

async function isErased(server: ServerProcess, sessionId: string): Promise<boolean> {
  const { body } = await server.http.get<{ status: string }>(`/v1/sessions/${sessionId}`);
  return body.status === 'erased';
}

/** Asks for each erasure while the server is killed, and lets the next one finish it. */
async function erasedUnderKills(folder: TemporaryFolder, doomed: readonly Doomed[]) {
  let server = await ServerProcess.start({ folder });
  let kills = 0;
  for (const [index, { sessionId, descendants, fork }] of doomed.entries()) {
    const path = `/v1/sessions/${sessionId}/erase`;
    const body = { reason: 'dataSubject', descendants };
    const asked = server.http.send('POST', path, { body }).catch(() => undefined);
    await pause((index * 17) % KILLS_WITHIN_MS);
    await server.end('SIGKILL');
    kills += 1;
    await asked;
    server = await ServerProcess.start({ folder });
    await new RetryingClient(server.url, server.key).post(path, body);
    for (const id of [sessionId, ...(fork === undefined ? [] : [fork])]) {
      const giveUpAtMs = performance.now() + 60_000;
      while (!(await isErased(server, id))) {
        expect(performance.now()).toBeLessThan(giveUpAtMs);
        await pause(100);
      }
    }
  }
  await server.end('SIGTERM');
  return kills;
}

function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

const canariesIn = (text: string) =>
  new Set([...text.matchAll(/canary-([\w-]+)-sings/g)].map(([, name]) => name!));

it(`of ${SESSIONS} sessions a tenth is erased under kills, and nothing else is changed`, async () => {
  const folder = temporaryFolder();
  const server = await ServerProcess.start({ folder });
  const doomed = await allMade(server);
  await server.end('SIGTERM');
  const older = join(folder.path, 'older');
  cpSync(join(folder.path, 'data'), older, { recursive: true });
  const gone = doomed.flatMap(({ sessionId, fork = [] }) => [sessionId, fork].flat());

  let app = await startApp({ folder });
  const before = { bytes: await storedBytes(app), costs: await costsOf(app, doomed) };
  const spokenBefore = canariesIn(await everythingReadable(app));
  await app.close();
  const kills = await erasedUnderKills(folder, doomed);
  process.stderr.write(`erasures: ${gone.length} sessions erased, ${kills} kills\n`);

  app = await startApp({ folder });
  const left = [...spokenBefore].filter((name) => !gone.includes(name)).toSorted();
  expect([...canariesIn(await everythingReadable(app))].toSorted()).toEqual(left);
  const after = await storedBytes(app);
  for (const [stream, bytes] of before.bytes) {
    const isGone = gone.includes(stream.slice('session-default.'.length));
    if (!isGone) expect([stream, after.get(stream)]).toEqual([stream, bytes]);
  }
  expect(await costsOf(app, doomed)).toEqual(before.costs);
  const live = await allSessions(app);
  expect(live.length).toBeGreaterThan(SESSIONS);
  await app.close();
  const holdfast = commandLineWith(() => app.environment);
  expect(await holdfast('verify')).toMatchObject({ exitCode: 0 });
  expect(await holdfast('rebuild', '--all')).toMatchObject({ exitCode: 0 });
  app = await startApp({ folder });
  expect(await allSessions(app)).toEqual(live);
  await app.close();
  for (const name of gone) expect(filesWith(join(folder.path, 'data'), canary(name))).toEqual([]);

  const keys = join(folder.path, 'data-keys');
  const environment = { HOLDFAST_DATA_DIR: older, HOLDFAST_KEYS_DIR: keys };
  const old = await startApp({ folder, environment });
  const readable = canariesIn(await everythingReadable(old));
  expect([...readable].filter((name) => gone.includes(name))).toEqual([]);
  expect(left.filter((name) => !readable.has(name))).toEqual([]);
  await old.close();
  folder.remove();
});
