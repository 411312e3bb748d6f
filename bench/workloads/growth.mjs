import { Agent } from '../agent.mjs';
import { checkTurns } from '../check.mjs';
import { exponent, median, timed } from '../figures.mjs';

const SIZES = [100, 300, 1_000, 3_000, 10_000];
const TURNS_EACH = 48;

/**
 * P2: a full command (load, decide, append) on sessions of 100 to 10,000 turns. Warm: the state is
 * in memory. Cold: it was forgotten, as in another process, and comes from snapshot and tail.
 */
export async function growth({ product, floor, options, report }) {
  const sizes = SIZES.filter((size) => size <= options.growthTurns);
  const agents = [];
  for (const size of sizes) {
    const agent = await Agent.start(product);
    await agent.grow(size);
    agents.push(agent);
  }
  const startedAt = agents.map((agent) => agent.turnCount);
  const rounds = { warm: [], cold: [] };
  for (let round = 0; round < options.rounds; round += 1) {
    for (const kind of ['warm', 'cold']) {
      rounds[kind].push(await oneRound(product, agents, floor, kind));
    }
  }
  const means = agents.map((agent, index) => (startedAt[index] + agent.turnCount) / 2);
  for (const agent of agents) await checkTurns(product, agent);
  for (const kind of ['warm', 'cold']) {
    const medians = sizes.map((_, index) => median(rounds[kind].map((one) => one[index])));
    const points = medians.map((value, index) => [means[index], value]);
    const name = kind === 'warm' ? 'state in memory' : 'state from the store';
    report(
      'P2',
      `growth of a command, 100 to ${sizes.at(-1)} turns, ${name}`,
      exponent(points),
      0.05,
      'exponent',
      {
        medianOfFloor: Object.fromEntries(
          points.map(([turns, value]) => [Math.round(turns), value]),
        ),
      },
    );
  }
}

async function oneRound(product, agents, floor, kind) {
  const times = agents.map(() => []);
  const floors = [];
  for (let turn = 0; turn < TURNS_EACH; turn += 1) {
    for (const [index, agent] of agents.entries()) {
      floors.push(floor.once());
      await agent.beReady();
      if (kind === 'cold') product.sessions.forget(product.stream(agent.sessionId));
      times[index].push((await timed(() => agent.turn())).ms);
    }
  }
  const floorMs = median(floors);
  return times.map((of) => median(of) / floorMs);
}
