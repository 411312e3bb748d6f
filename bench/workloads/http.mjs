import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { median, quantile } from '../figures.mjs';
import { Server } from '../server.mjs';

const SESSIONS = 64;
const CONNECTIONS = 64;
const LAG_EVERY_MS = 50;

/**
 * P8 and the half of P10 that needs load: commands of one event posted to a server in a process of its
 * own by 64 connections, each answered when it is durable. Beside them somebody asks, after a write of his own,
 * for a read model that must contain it: that is the lag that people see.
 */
export async function posting({ folder, options, report }) {
  const server = await Server.start(join(folder, 'server'));
  try {
    const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => start(server)));
    await round(server, sessions, options.postsPerRound);
    const rounds = [];
    for (let index = 0; index < options.rounds; index += 1) {
      rounds.push(await round(server, sessions, options.postsPerRound));
    }
    const posts = (options.rounds + 1) * options.postsPerRound;
    await check(server, sessions, posts);
    const of = (name) => median(rounds.map((one) => one[name]));
    const lags = rounds.flatMap((one) => one.lags);
    report('P8', 'processor time of the server for a command over HTTP', of('cpuUs'), 250, 'µs', {
      perSecond: of('perSecond'),
      p50Ms: of('p50Ms'),
      p99Ms: of('p99Ms'),
    });
    report('P8', 'time between two such commands', 1e6 / of('perSecond'), 1e6 / 3_500, 'µs', {});
    report(
      'P10',
      'lag of the list of sessions behind a write, 99th percentile',
      quantile(lags, 0.99),
      250,
      'ms',
      {
        samples: lags.length,
        p50Ms: median(lags),
      },
    );
  } finally {
    await server.stop();
  }
}

async function start(server) {
  const sessionId = randomUUID();
  const profile = { name: 'bench', version: '1' };
  await server.demand('POST', '/v1/sessions', { sessionId, profile });
  return sessionId;
}

async function round(server, sessions, posts) {
  const times = [];
  const lags = [];
  let next = 0;
  let isOver = false;
  const cpuBefore = server.cpuMs();
  const startedAt = performance.now();
  const connection = async () => {
    for (let index = next++; index < posts; index = next++) {
      const sentAt = performance.now();
      await post(server, sessions[index % sessions.length], index);
      times.push(performance.now() - sentAt);
    }
  };
  const watcher = watchLag(server, lags, () => isOver);
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuMs = server.cpuMs() - cpuBefore;
  isOver = true;
  await watcher;
  return {
    lags,
    cpuUs: (1_000 * cpuMs) / posts,
    perSecond: posts / seconds,
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
  };
}

/** Sets one label: the session stays as large as it was. */
function post(server, sessionId, number) {
  const path = `/v1/sessions/${sessionId}/labels`;
  const key = { 'idempotency-key': randomUUID() };
  return server.demand('POST', path, { set: { step: String(number) } }, key);
}

async function watchLag(server, lags, isOver) {
  while (!isOver()) {
    const sessionId = await start(server);
    const { position } = await post(server, sessionId, 0);
    const writtenAt = performance.now();
    const list = await server.demand('GET', `/v1/sessions?first=1&atLeast=${position}`);
    if (list.sessions.length !== 1) throw new Error('the list of sessions is empty');
    lags.push(performance.now() - writtenAt);
    await new Promise((resolve) => setTimeout(resolve, LAG_EVERY_MS));
  }
}

/** Every command that was acknowledged is in the log: each is one event behind the session's first. */
async function check(server, sessions, posts) {
  let found = 0;
  for (const sessionId of sessions) {
    const { revision } = await server.demand('GET', `/v1/sessions/${sessionId}`);
    found += revision;
  }
  if (found !== posts) throw new Error(`${found} of ${posts} commands are in the sessions`);
}
