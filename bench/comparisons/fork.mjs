import { Times } from './contenders.mjs';

const FORKS_EACH = 3;

/** P5: a session as it was in the middle, as another one that can be continued. */
export async function compareFork({ opened, floor, options, report }) {
  const times = new Times(floor);
  const turns = options.comparedLength;
  const middle = Math.floor(turns / 2);
  const places = new Map();
  for (const { name, store } of opened) {
    await store.seed('parent', 0, middle);
    places.set(name, await store.place('parent'));
    await store.seed('parent', middle, turns);
  }
  const forks = [];
  for (let index = 0; index < options.rounds * FORKS_EACH; index += 1) {
    for (const each of opened) {
      const work = () => each.store.fork('parent', places.get(each.name));
      forks.push([each.store, await times.add(each, work)]);
    }
  }
  for (const [store, fork] of forks) store.check(await store.readBack(fork), middle);
  report('P5', `fork in the middle of ${turns} turns`, times);
}
