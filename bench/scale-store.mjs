/** A store of many sessions, written through Holdfast's own codec and sealed store. */
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from './agent.mjs';
import { TENANT, openProduct } from './product.mjs';
import { folderBytes } from './server.mjs';

const WRITERS = 64;
const BATCH_EVENTS_MAX = 100;
const EVENTS_MAX = 10_000;
const EVENTS_PER_TURN = 11;
/** Its start, its run's beginning and end. */
const EVENTS_AROUND_TURNS = 5;
const LOOK_EVERY_SESSIONS = 2_000;
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export function sessionIdOf(index) {
  return `5ca1ab1e-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

/**
 * Writes sessions until there are as many as wanted, the time is over or the space is used. Goes on where an
 * earlier call on this folder stopped, also where it was killed: what it wrote last is recognised by its ids.
 * @returns sessions and events in the store, and how many of them were written now, in how long.
 */
export async function buildStore(dist, folder, { sessions, eventsEach, endsAt, bytesMax, say }) {
  const product = await openProduct(dist, folder);
  try {
    const template = await templateOf(product, folder, eventsEach);
    const progress = join(folder, 'progress.json');
    const first = existsSync(progress) ? JSON.parse(readFileSync(progress, 'utf8')) : 0;
    const startedAt = performance.now();
    let next = first;
    let hasRoom = true;
    const writer = async () => {
      while (next < sessions && hasRoom && Date.now() < endsAt) {
        const index = next++;
        await write(product, template, sessionIdOf(index));
        if ((index + 1) % LOOK_EVERY_SESSIONS !== 0) continue;
        say(`${index + 1} of ${sessions} sessions`);
        // The others can still be at work on the ones before.
        save(progress, Math.max(first, next - WRITERS));
        hasRoom = folderBytes(folder, statSync) < bytesMax;
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    save(progress, Math.max(first, next));
    const seconds = (performance.now() - startedAt) / 1_000;
    const written = (Math.max(first, next) - first) * template.events.length;
    const events = Number(await product.ports.events.headPosition());
    return { sessions: Math.max(first, next), events, written, seconds };
  } finally {
    await product.close();
  }
}

/**
 * Every session is the same conversation under ids of its own, in one or a few appends, and is at rest: a server
 * looks at each session whose run is open when it starts.
 */
async function templateOf(product, folder, eventsEach) {
  const file = join(folder, 'template.json');
  if (existsSync(file)) return checked(JSON.parse(readFileSync(file, 'utf8')), eventsEach, folder);
  const agent = await Agent.start(product);
  await agent.grow(Math.max(1, Math.floor((eventsEach - EVENTS_AROUND_TURNS) / EVENTS_PER_TURN)));
  await agent.finish();
  const stored = await product.ports.events.read(product.stream(agent.sessionId), {
    from: 0,
    maxCount: EVENTS_MAX,
  });
  const codec = new product.build.EventCodec();
  const template = {
    eventsEach,
    sessionId: agent.sessionId,
    events: stored.map((one) => {
      const { event, metadata } = codec.decode(one);
      return JSON.stringify({ event, metadata, recordedAtMs: one.recordedAtMs });
    }),
  };
  save(file, template);
  return template;
}

function checked(template, eventsEach, folder) {
  if (template.eventsEach === eventsEach) return template;
  throw new Error(
    `${folder} was begun with ${template.eventsEach} events to a session, not ${eventsEach}: ask for that, or name another --folder`,
  );
}

async function write({ build, ports }, { sessionId: from, events }, sessionId) {
  const codec = new build.EventCodec();
  // Calls of the same id in several sessions would be one call, reported by all of them.
  const own = (id) => (id === from ? sessionId : id.slice(0, 24) + sessionId.slice(24));
  const encoded = events.map((text, at) => {
    const { event, metadata, recordedAtMs } = JSON.parse(text.replace(ID, own));
    const eventId = build.eventId(TENANT, sessionId, 'Bench', 'bench', at);
    return codec.encode({ eventId, event, metadata, recordedAtMs });
  });
  const stream = build.sessionStream(TENANT, sessionId);
  for (let first = 0; first < encoded.length; first += BATCH_EVENTS_MAX) {
    const batch = encoded.slice(first, first + BATCH_EVENTS_MAX);
    const expected = first === 0 ? 'noStream' : first - 1;
    const { outcome } = await ports.events.append(stream, expected, batch);
    if (outcome !== 'written') throw new Error(`${sessionId} holds other events than those here`);
  }
}

/** Whole or not at all. */
function save(file, value) {
  writeFileSync(`${file}.new`, JSON.stringify(value));
  renameSync(`${file}.new`, file);
}
