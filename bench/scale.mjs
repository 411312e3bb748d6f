/**
 * P11: a store of many sessions, built through Holdfast's own stores, then served and asked. A release
 * check, not a part of CI: `npm run bench:scale -- --help`.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Agent } from './agent.mjs';
import { median, rounded } from './figures.mjs';
import { TENANT, loadBuild, openProduct } from './product.mjs';
import { Server, folderBytes } from './server.mjs';

const USAGE = `npm run bench:scale -- [--events 10000000] [--sessions 100000] [--minutes 25]
                     [--folder <folder>] [--gib-max 25] [--keep]

  Builds the store, and one of 1 % of it to compare with, and measures both over HTTP. Ends building
  when half of the time or all of the space is used, and says how large the store became. With --keep
  the folder stays, and another run with it goes on where this one stopped.
`;
const TURNS_IN_TEMPLATE = 9;
const WRITERS = 64;
const QUESTIONS = 60;
const REPORT_EVERY = 2_000;
const CATCH_UP_POLL_MS = 500;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    sessions: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '25' },
    folder: { type: 'string', default: join(process.cwd(), 'scale-store') },
    'gib-max': { type: 'string', default: '25' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const endsAt = Date.now() + 60_000 * Number(values.minutes);
  const sessions = Number(values.sessions);
  const eventsEach = Math.round(Number(values.events) / sessions);
  const small = await oneStore('small', Math.ceil(sessions / 100), eventsEach, endsAt);
  const large = await oneStore('large', sessions, eventsEach, endsAt);
  const lines = Object.keys(large).map((name) => line(name, small[name], large[name]));
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

function line(name, small, large) {
  return `| ${name} | ${rounded(small)} | ${rounded(large)} | ${rounded(large / small)} |`;
}

async function oneStore(name, sessions, eventsEach, endsAt) {
  const folder = join(values.folder, name);
  mkdirSync(folder, { recursive: true });
  // The rest of the time is for the read models, which take longer than the log.
  const buildEndsAt = Date.now() + 0.35 * (endsAt - Date.now());
  const built = await build(folder, sessions, eventsEach, buildEndsAt);
  say(`${name}: ${built.sessions} sessions, ${built.events} events`);
  const server = await Server.start(folder);
  let caughtUp;
  try {
    caughtUp = await catchUp(server, built.events, endsAt);
  } finally {
    await server.stop();
  }
  return measure(folder, built, caughtUp);
}

/** Every session is the same conversation under ids of its own, in one or two appends. */
async function build(folder, sessions, eventsEach, endsAt) {
  const product = await openProduct(await loadBuild(distFolder()), folder);
  try {
    const template = await templateOf(product, folder, eventsEach);
    const progress = join(folder, 'progress.json');
    const done = existsSync(progress) ? JSON.parse(readFileSync(progress, 'utf8')) : 0;
    let next = done;
    const writer = async () => {
      while (next < sessions && Date.now() < endsAt) {
        const index = next++;
        await write(product, template, sessionIdOf(index));
        if (index % REPORT_EVERY === 0) {
          say(`${index} of ${sessions} sessions`);
          if (folderBytes(folder, statSync) > Number(values['gib-max']) * 2 ** 30) return;
        }
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    writeFileSync(progress, JSON.stringify(next));
    const events = Number(await product.ports.events.headPosition());
    return { sessions: next, events };
  } finally {
    await product.close();
  }
}

async function templateOf(product, folder, eventsEach) {
  const file = join(folder, 'template.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const agent = await Agent.start(product);
  await agent.grow(TURNS_IN_TEMPLATE);
  await agent.finish();
  const stored = await product.ports.events.read(product.stream(agent.sessionId), {
    from: 0,
    maxCount: Math.min(eventsEach, 1_000),
  });
  const codec = new product.build.EventCodec();
  const template = {
    sessionId: agent.sessionId,
    events: stored.map((one) => {
      const { event, metadata } = codec.decode(one);
      return JSON.stringify({ event, metadata, recordedAtMs: one.recordedAtMs });
    }),
  };
  writeFileSync(file, JSON.stringify(template));
  return template;
}

function sessionIdOf(index) {
  return `5ca1ab1e-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

async function write({ build: parts, ports }, { sessionId: from, events }, sessionId) {
  const codec = new parts.EventCodec();
  const encoded = events.map((text, at) => {
    const { event, metadata, recordedAtMs } = JSON.parse(text.replaceAll(from, sessionId));
    const eventId = parts.eventId(TENANT, sessionId, 'Bench', 'bench', at);
    return codec.encode({ eventId, event, metadata, recordedAtMs });
  });
  const name = parts.sessionStream(TENANT, sessionId);
  const batchMax = 100;
  for (let first = 0; first < encoded.length; first += batchMax) {
    const batch = encoded.slice(first, first + batchMax);
    await ports.events.append(name, first === 0 ? 'noStream' : first - 1, batch);
  }
}

/** Waits until the read models that are asked below have all events. */
async function catchUp(server, events, endsAt) {
  const startedAt = performance.now();
  const id = sessionIdOf(0);
  for (const path of ['/v1/sessions', `/v1/sessions/${id}/messages`, `/v1/sessions/${id}/cost`]) {
    while ((await server.ask('GET', `${path}?atLeast=${events}`)).status !== 200) {
      if (Date.now() > endsAt) {
        say(`time is over: ${path} is behind`);
        return { eventsPerSecond: Number.NaN };
      }
      await new Promise((resolve) => setTimeout(resolve, CATCH_UP_POLL_MS));
    }
  }
  return { eventsPerSecond: events / ((performance.now() - startedAt) / 1_000) };
}

async function measure(folder, { sessions, events }, { eventsPerSecond }) {
  const server = await Server.start(folder);
  try {
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
      'events a second, all read models catching up': eventsPerSecond,
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

function distFolder() {
  return fileURLToPath(new URL('../dist', import.meta.url));
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
