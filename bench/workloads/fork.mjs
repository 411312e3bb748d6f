import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { Agent } from '../agent.mjs';
import { checkTurns, checkMessages, restore } from '../check.mjs';
import { median, timed } from '../figures.mjs';

const PARENT_TURNS = 1_000;
const CHAIN_FORKS = 100;
const READ_TURNS = 100;
const READS = 7;

/** P5: a fork copies nothing. In time against one commit of the same store, in bytes of the file. */
export async function forking({ product, options, report }) {
  const parent = await Agent.start(product);
  await parent.grow(PARENT_TURNS);
  const middle = Math.floor((await revisionOf(product, parent)) / 2);
  await reportForks({ product, options, report, parent, middle });
  await reportChain({ product, options, report });
  await reportReading({ product, report });
}

async function reportForks({ product, options, report, parent, middle }) {
  const times = { head: [], middle: [], commit: [] };
  const other = await Agent.start(product);
  await fork(product, parent, middle);
  for (let index = 0; index < options.rounds * 20; index += 1) {
    times.commit.push((await timed(() => note(product, other))).ms);
    times.head.push((await timed(() => fork(product, parent))).ms);
    times.middle.push((await timed(() => fork(product, parent, near(middle, index)))).ms);
  }
  const forks = 200;
  const before = fileBytes(product);
  for (let index = 0; index < forks; index += 1) await fork(product, parent, near(middle, index));
  const bytes = (fileBytes(product) - before) / forks;
  const commitMs = median(times.commit);
  report('P5', 'fork at the head', median(times.head) / commitMs, 1.5, 'x one commit', {
    commitMs,
  });
  report('P5', 'fork in the middle', median(times.middle) / commitMs, 1.5, 'x one commit', {
    middleMs: median(times.middle),
  });
  report('P5', 'bytes of a fork', bytes, 4_096, 'bytes', { parentTurns: parent.turnCount });
}

/** Another revision each time: the distance to the last snapshot is a part of what a fork costs. */
function near(middle, index) {
  return middle + ((index * 37) % 1_024);
}

async function reportChain({ product, options, report }) {
  const perFork = { ms: [], bytes: [] };
  for (let round = 0; round < options.rounds; round += 1) {
    let last = await Agent.start(product);
    await last.grow(3);
    const before = fileBytes(product);
    const chain = await timed(async () => {
      for (let index = 0; index < CHAIN_FORKS; index += 1) last = await fork(product, last);
    });
    perFork.ms.push(chain.ms / CHAIN_FORKS);
    perFork.bytes.push((fileBytes(product) - before) / CHAIN_FORKS);
    const { state, context } = await restore(product, last.sessionId);
    checkMessages(context.messages, 0, 3);
    if (state.segments.length !== CHAIN_FORKS) throw new Error('the chain lost a segment');
  }
  report('P5', 'chain of 100 forks, each', median(perFork.ms), 2, 'ms', {});
  report('P5', 'chain of 100 forks, bytes of each', median(perFork.bytes), 8_192, 'bytes', {});
}

/** The same conversation as one stream, and as a fork at half of it. */
async function reportReading({ product, report }) {
  const flat = await Agent.start(product);
  await flat.grow(READ_TURNS);
  const parent = await Agent.start(product);
  await parent.grow(READ_TURNS / 2);
  await parent.finish();
  const forked = await fork(product, parent);
  await forked.grow(READ_TURNS / 2);
  await checkTurns(product, flat);
  await checkTurns(product, forked);
  const times = { flat: [], forked: [] };
  for (let read = 0; read < READS * 3; read += 1) {
    times.flat.push((await timed(() => restore(product, flat.sessionId))).ms);
    times.forked.push((await timed(() => restore(product, forked.sessionId))).ms);
  }
  const ratio = median(times.forked) / median(times.flat);
  report('P5', 'reading a forked session', ratio, 1.3, 'x a flat one', {
    flatMs: median(times.flat),
  });
}

async function fork(product, parent, at) {
  const forkId = randomUUID();
  const body = { forkId, recoveryMode: 'manual', ...(at === undefined ? {} : { at }) };
  const { state } = await product.send('ForkSession', parent.sessionId, body);
  if (state.segments.at(-1)?.sessionId !== parent.sessionId) {
    throw new Error('the fork does not refer to its parent');
  }
  return new Agent(product, forkId, parent.turnCount);
}

/** The smallest thing that can be recorded: one event of the same size as a fork's. */
function note(product, { sessionId }) {
  const inputId = randomUUID();
  const content = 'x'.repeat(600);
  const body = { inputId, content, role: 'user', delivery: 'queue', resume: false };
  return product.send('AcceptInput', sessionId, body);
}

async function revisionOf(product, { sessionId }) {
  return (await product.sessions.loadCurrent(product.stream(sessionId))).revision;
}

/** Size of the database after everything in its log was moved into it. */
function fileBytes({ eventFile }) {
  const database = new Database(eventFile);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return statSync(eventFile).size;
}
