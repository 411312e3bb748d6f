/**
 * P11: a store of many sessions, built through Holdfast's own stores, then served and asked. A release
 * check, not a part of CI: `npm run bench:scale -- --help`.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { median, rounded } from './figures.mjs';
import { loadBuild } from './product.mjs';
import { buildStore, sessionIdOf } from './scale-store.mjs';
import { Server, folderBytes } from './server.mjs';

const USAGE = `npm run bench:scale -- [--events 10000000] [--sessions 100000] [--minutes 40]
                     [--folder <folder>] [--gib-max 60] [--keep]

  Builds the store, and one of 1 % of it to compare with, brings the read models up to date, and asks both
  over HTTP. Building ends when all of the space is used, or when what is left of the time is needed for
  the read models, by the rates of the small store; the table says how large it became. With --keep the
  folder stays, and another run with it goes on where this one stopped, also when it was killed.
`;
const QUESTIONS = 60;
const MEASURING_MS = 240_000;
const CALM_SECONDS_MAX = 180;
const IDLE_MS_PER_SECOND = 150;
/** Of the time that building may take: read models slow down as they grow. */
const SAFETY = 0.8;
const FOLD = fileURLToPath(new URL('./scale-fold.mjs', import.meta.url));
const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const run = promisify(execFile);

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    sessions: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '40' },
    folder: { type: 'string', default: join(process.cwd(), 'scale-store') },
    'gib-max': { type: 'string', default: '60' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const endsAt = Date.now() + 60_000 * Number(values.minutes) - MEASURING_MS;
  const sessions = Number(values.sessions);
  const eventsEach = Math.round(Number(values.events) / sessions);
  const build = await loadBuild(DIST);
  const one = { build, eventsEach, endsAt };
  const small = await oneStore('small', { ...one, sessions: Math.ceil(sessions / 100), share: 1 });
  const { writing, folding } = ratesOf(small.rates);
  const share = (SAFETY * folding) / (writing + folding);
  const large = await oneStore('large', { ...one, sessions, share });
  const lines = Object.keys(large.figures).map((name) =>
    line(name, small.figures[name], large.figures[name]),
  );
  process.stdout.write(
    [
      `| | 1 % | whole | whole ÷ 1 % |`,
      '| --- | --- | --- | --- |',
      ...lines,
      '',
      `load ${rounded(loadavg()[0])}`,
      '',
    ].join('\n'),
  );
  if (!values.keep) rmSync(values.folder, { recursive: true, force: true });
}

/** A run that goes on writes nothing into the small store: the rates are those of the run that did. */
function ratesOf(now) {
  const file = join(values.folder, 'rates.json');
  if (now.writing > 0 && now.folding > 0) writeFileSync(file, JSON.stringify(now));
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { writing: 1, folding: 1 };
}

function line(name, small, large) {
  const cells = [small, large, large / small].map((value) =>
    Number.isFinite(value) ? rounded(value) : '–',
  );
  return `| ${[name, ...cells].join(' | ')} |`;
}

/** @returns its figures, and how many events a second were written and taken in by all read models. */
async function oneStore(name, { build, sessions, eventsEach, endsAt, share }) {
  const folder = join(values.folder, name);
  mkdirSync(folder, { recursive: true });
  const built = await buildStore(build, folder, {
    sessions,
    eventsEach,
    endsAt: Date.now() + share * (endsAt - Date.now()),
    bytesMax: Number(values['gib-max']) * 2 ** 30,
    say: (text) => say(`${name}: ${text}`),
  });
  if (built.sessions === 0)
    throw new Error('the time was over before the first session: see --minutes');
  const writing = built.written / built.seconds;
  say(
    `${name}: ${built.sessions} sessions, ${built.events} events; ` +
      `${built.written} of them written now, ${rounded(writing)} a second`,
  );
  const folding = await bringUpToDate(name, build, folder, endsAt);
  return {
    figures: await measure(folder, built, { writing, folding }),
    rates: { writing, folding },
  };
}

/**
 * All read models at once, each in a process of its own.
 * @returns events a second that all of them took in.
 */
async function bringUpToDate(store, build, folder, endsAt) {
  const folds = build.allProjections.map(async (projection) => {
    const { stdout } = await run(process.execPath, [
      FOLD,
      DIST,
      folder,
      projection.name,
      String(endsAt),
    ]);
    const folded = JSON.parse(stdout);
    const cpuUs = (1_000 * folded.cpuMs) / Math.max(1, folded.events);
    say(
      `${store}: ${folded.name} took in ${folded.events} events in ${rounded(folded.seconds)} s, ` +
        `${rounded(cpuUs)} µs of processor time each`,
    );
    return folded;
  });
  const folded = await Promise.all(folds);
  const behind = folded.filter((one) => !one.isUpToDate).map((one) => one.name);
  if (behind.length > 0) {
    const advice = values.keep ? 'run it again' : 'use --keep and run it again';
    throw new Error(`the time is over and ${behind.join(', ')} of ${folder} is behind: ${advice}`);
  }
  const most = (name) => Math.max(...folded.map((one) => one[name]));
  return most('events') / most('seconds');
}

async function measure(folder, { sessions, events }, { writing, folding }) {
  const firstWorkMs = await workOfStart(folder);
  const server = await Server.start(folder);
  try {
    const laterWorkMs = await calm(server);
    const ids = Array.from({ length: QUESTIONS }, (_, at) =>
      sessionIdOf(Math.floor((at * sessions) / QUESTIONS)),
    );
    const asked = async (work) => {
      const times = [];
      for (const id of ids) {
        const startedAt = performance.now();
        await work(id);
        times.push(performance.now() - startedAt);
      }
      return median(times);
    };
    const get = (path) => server.demand('GET', path);
    const figures = {
      sessions,
      events,
      'GiB on disk': folderBytes(folder, statSync) / 2 ** 30,
      'ms until the server is ready': server.readyMs,
      'ms of processor time after the first start until it is calm': firstWorkMs,
      'ms of processor time after a later start until it is calm': laterWorkMs,
      'events a second, written': writing,
      'events a second, all read models catching up': folding,
      'ms for a page of 50 sessions': await asked(() => get('/v1/sessions?first=50')),
      'ms for one session': await asked((id) => get(`/v1/sessions/${id}`)),
      'ms for the inclusive cost of a session': await asked((id) => get(`/v1/sessions/${id}/cost`)),
      'ms for a page of messages': await asked((id) => get(`/v1/sessions/${id}/messages`)),
      'ms to restore a session': await asked((id) =>
        server.demand('POST', `/v1/sessions/${id}/restore`, { format: 'neutral' }),
      ),
      'ms to append an input': await asked((id) =>
        server.demand('POST', `/v1/sessions/${id}/inputs`, {
          content: 'x'.repeat(300),
          delivery: 'queue',
          resume: false,
        }),
      ),
      'ms to fork a session': await asked((id) =>
        server.demand('POST', `/v1/sessions/${id}/forks`, { forkId: randomUUID() }),
      ),
      'ms for a page of 200 events of all sessions': await asked(() =>
        get(`/v1/events?after=${Math.floor(events / 2)}&first=200`),
      ),
      'MiB resident afterwards': server.residentMib(),
    };
    return figures;
  } finally {
    await server.stop();
  }
}

async function workOfStart(folder) {
  const server = await Server.start(folder);
  try {
    return await calm(server);
  } finally {
    await server.stop();
  }
}

/** What a server does by itself when it has started is none of what is asked of it. */
async function calm(server) {
  const atStart = server.cpuMs();
  for (let second = 0; second < CALM_SECONDS_MAX; second += 1) {
    const before = server.cpuMs();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    if (server.cpuMs() - before < IDLE_MS_PER_SECOND) return server.cpuMs() - atStart;
  }
  throw new Error(`the server is still at work by itself ${CALM_SECONDS_MAX} s after its start`);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
