import Database from 'better-sqlite3';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Agent } from '../agent.mjs';
import { checkMessages, restore } from '../check.mjs';
import { median, timed } from '../figures.mjs';

const WINDOW_TURNS = 100;
/** A real session is compacted as it grows, not once at its end. */
const COMPACT_EVERY_TURNS = 1_000;
const SUMMARY = 'What was decided so far, in a few lines. '.repeat(40);
const CHILD = fileURLToPath(new URL('./restore-child.mjs', import.meta.url));
const run = promisify(execFile);

/**
 * P4: from the log to the next model input. A compacted session must cost its window only, whatever
 * its length; one that is not compacted is held against reading and parsing the same rows.
 */
export async function restoring({ product, folder, options, report }) {
  const compacted = await compactedSession(product, options.longTurns);
  await reportCompacted({ product, folder, options, report, agent: compacted });
  const flat = await Agent.start(product);
  await flat.grow(options.flatTurns);
  await reportFlat({ product, options, report, agent: flat });
}

async function compactedSession(product, turns) {
  const agent = await Agent.start(product);
  while (agent.turnCount < turns - WINDOW_TURNS) {
    await agent.grow(Math.min(COMPACT_EVERY_TURNS, turns - WINDOW_TURNS - agent.turnCount));
    if (agent.turnCount < turns - WINDOW_TURNS) await agent.compact(WINDOW_TURNS, SUMMARY);
  }
  await agent.grow(WINDOW_TURNS);
  await agent.compact(WINDOW_TURNS, SUMMARY);
  return agent;
}

async function reportCompacted({ product, folder, options, report, agent }) {
  const from = agent.turnCount - WINDOW_TURNS;
  const children = [];
  const warm = [];
  for (let round = 0; round < Math.max(5, options.rounds); round += 1) {
    children.push(await inNewProcess(options.dist, folder, agent.sessionId, from, agent.turnCount));
    const { ms, result } = await timed(() => restore(product, agent.sessionId));
    checkMessages(result.context.messages, from, agent.turnCount);
    if (round > 0) warm.push(ms);
  }
  const of = (name) => median(children.map((child) => child[name]));
  const what = `${WINDOW_TURNS} turns of ${options.longTurns}`;
  report('P4', `restore in a new process, ${what}`, of('restoreMs'), 10, 'ms', {
    ofRawRead: of('restoreMs') / of('rawMs'),
    rawMs: of('rawMs'),
    openMs: of('openMs'),
    bootMs: of('bootMs'),
  });
  report('P4', `restore in a warm process, ${what}`, median(warm), 4, 'ms', {
    turns: agent.turnCount,
  });
}

async function inNewProcess(dist, folder, sessionId, from, to) {
  const args = [CHILD, dist, folder, sessionId, String(from), String(to)];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout);
}

async function reportFlat({ product, options, report, agent }) {
  const ratios = [];
  const times = { restore: [], raw: [] };
  for (let round = 0; round < Math.max(3, options.rounds); round += 1) {
    const raw = await timed(() => rawRead(product.eventFile, product.stream(agent.sessionId)));
    const restored = await timed(() => restore(product, agent.sessionId));
    checkMessages(restored.result.context.messages, 0, agent.turnCount);
    times.restore.push(restored.ms);
    times.raw.push(raw.ms);
    if (round > 0) ratios.push(restored.ms / raw.ms);
  }
  report('P4', 'restore of a session that is not compacted', median(ratios), 1.3, 'x raw read', {
    turns: agent.turnCount,
    restoreMs: median(times.restore),
    rawMs: median(times.raw),
  });
}

/** The same rows with SQLite alone, parsed and nothing else. */
export function rawRead(file, stream, from = 0) {
  const database = new Database(file, { readonly: true });
  const rows = database
    .prepare(
      `SELECT data, metadata FROM events WHERE stream = (SELECT id FROM streams WHERE name = ?)
       AND revision >= ? ORDER BY revision`,
    )
    .raw()
    .all(stream, from);
  const parsed = rows.map(([data, metadata]) => [JSON.parse(data), JSON.parse(metadata)]);
  database.close();
  return parsed.length;
}
