import { Times } from './contenders.mjs';

const WARM_ROUNDS = 6;
const WARM_TURNS = 5;

/** P1: one turn as each is used: a command of Holdfast, a commit, a run of a graph or an agent. */
export async function compareTurn({ opened, floor, options, report }) {
  const times = new Times(floor);
  for (let round = -WARM_ROUNDS; round < options.rounds; round += 1) {
    const session = `turn-${round}`;
    for (const { store } of opened) await store.seed(session, 0, 1);
    const end = 1 + WARM_TURNS + options.comparedTurns;
    for (let number = 1; number < end; number += 1) {
      for (const each of opened) {
        const work = () => each.store.appendTurn(session, number);
        await (round < 0 || number <= WARM_TURNS ? work() : times.add(each, work));
      }
    }
    for (const { store } of opened) store.check(await store.readBack(session), end);
  }
  report('P1', `a turn, sessions of up to ${1 + WARM_TURNS + options.comparedTurns} turns`, times);
}
