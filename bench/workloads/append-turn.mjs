import { Agent } from '../agent.mjs';
import { cpuTimed, median, timed } from '../figures.mjs';
import { plainMessages } from '../turn.mjs';
import { checkTurns } from '../check.mjs';

const WARM_TURNS = 600;

/**
 * P1: a turn in one append and in four durable steps, acknowledged after fsync, against one write
 * with fdatasync and one commit of raw SQLite, all four in turn.
 */
export async function appendTurn({ product, floor, raw, options, report }) {
  const agent = await Agent.start(product);
  const stepping = await Agent.start(product);
  for (let turn = 0; turn < WARM_TURNS; turn += 1) await agent.turn();
  const rounds = [];
  for (let round = 0; round < options.rounds; round += 1) {
    rounds.push(await oneRound(agent, stepping, floor, raw, options.turnsPerRound));
  }
  await checkTurns(product, agent);
  await checkTurns(product, stepping);
  if (raw.messageCount !== 4 * options.rounds * options.turnsPerRound) {
    throw new Error(`raw SQLite holds ${raw.messageCount} messages`);
  }
  const of = (name) => median(rounds.map((one) => one[name]));
  const cpuMs = of('cpuMs');
  report('P1', 'turn in one append, against the floor', of('turnRatio'), 1.5, 'x floor', {
    turnMs: of('turnMs'),
    floorMs: of('floorMs'),
    rawSqliteRatio: of('rawRatio'),
  });
  report('P1', 'processor time of such a turn', cpuMs, 0.3, 'ms', {
    floorCpuMs: of('floorCpuMs'),
  });
  report('P1', 'turn in four durable steps, against the floor', of('stepsRatio'), 5, 'x floor', {
    stepsMs: of('stepsMs'),
  });
}

async function oneRound(agent, stepping, floor, raw, turns) {
  const figures = { turn: [], steps: [], floor: [], raw: [], cpu: [], floorCpu: [] };
  for (let index = 0; index < turns; index += 1) {
    const floorRun = await cpuTimed(() => floor.once());
    figures.floor.push(floorRun.result);
    figures.floorCpu.push(floorRun.cpuMs);
    figures.raw.push(raw.once(plainMessages(index)));
    await agent.beReady();
    const turn = await cpuTimed(() => timed(() => agent.turn()));
    figures.cpu.push(turn.cpuMs);
    figures.turn.push(turn.result.ms);
    await stepping.beReady();
    figures.steps.push((await timed(() => stepping.turnInSteps())).ms);
  }
  const floorMs = median(figures.floor);
  return {
    floorMs,
    turnMs: median(figures.turn),
    stepsMs: median(figures.steps),
    turnRatio: median(figures.turn) / floorMs,
    rawRatio: median(figures.raw) / floorMs,
    stepsRatio: median(figures.steps) / floorMs,
    cpuMs: median(figures.cpu),
    floorCpuMs: median(figures.floorCpu),
  };
}
