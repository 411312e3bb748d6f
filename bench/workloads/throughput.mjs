import { Agent } from '../agent.mjs';
import { checkTurns } from '../check.mjs';
import { median, timed } from '../figures.mjs';
import { plainMessages } from '../turn.mjs';

const SESSIONS = 64;

/**
 * P3: 64 sessions that each record a turn as soon as the last one is acknowledged, against raw SQLite
 * that commits 64 turns at a time.
 */
export async function throughput({ product, raw, options, report }) {
  const agents = [];
  for (let index = 0; index < SESSIONS; index += 1) agents.push(await Agent.start(product));
  for (const agent of agents) await agent.beReady();
  const turnsEach = Math.min(60, Math.ceil(options.turnsPerRound / 6));
  const rounds = [];
  for (let round = 0; round < options.rounds; round += 1) {
    await Promise.all(agents.map((agent) => agent.finish()));
    await Promise.all(agents.map((agent) => agent.beReady()));
    rounds.push(await oneRound(product, raw, agents, turnsEach));
  }
  for (const agent of agents.slice(0, 4)) await checkTurns(product, agent);
  const turns = options.rounds * turnsEach * SESSIONS;
  if (raw.messageCount !== 4 * turns)
    throw new Error(`raw SQLite holds ${raw.messageCount} messages`);
  const of = (name) => median(rounds.map((one) => one[name]));
  report('P3', '64 sessions at once, a turn against raw SQLite', of('ratio'), 1.49, 'x raw', {
    turnsPerSecond: of('turnsPerSecond'),
    rawTurnsPerSecond: of('rawTurnsPerSecond'),
  });
  report('P3', 'fsyncs for each of these turns', of('fsyncsPerTurn'), 1 / 32, 'fsyncs', {});
}

async function oneRound(product, raw, agents, turnsEach) {
  const turns = turnsEach * agents.length;
  const commits = product.ports.sealedEvents.commitCount;
  const own = await timed(() => Promise.all(agents.map((agent) => work(agent, turnsEach))));
  const fsyncsPerTurn = (product.ports.sealedEvents.commitCount - commits) / turns;
  const batch = agents.flatMap((_, index) => plainMessages(index));
  const rawRun = await timed(() => {
    for (let turn = 0; turn < turnsEach; turn += 1) raw.once(batch);
  });
  return {
    ratio: own.ms / rawRun.ms,
    fsyncsPerTurn,
    turnsPerSecond: (1000 * turns) / own.ms,
    rawTurnsPerSecond: (1000 * turns) / rawRun.ms,
  };
}

async function work(agent, turns) {
  for (let turn = 0; turn < turns; turn += 1) await agent.turn();
}
