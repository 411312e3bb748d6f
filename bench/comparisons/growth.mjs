import { exponent } from '../figures.mjs';
import { Times } from './contenders.mjs';

const SIZES = [100, 300, 1_000];
const TURNS_EACH = 3;

/** P2: the same turn at the end of longer sessions. */
export async function compareGrowth({ opened, floor, options, report }) {
  const sizes = SIZES.filter((size) => size <= options.comparedLength);
  const timesOf = new Map(sizes.map((size) => [size, new Times(floor)]));
  for (const size of sizes) {
    for (const { store } of opened) await store.seed(`grown-${size}`, 0, size);
  }
  for (let turn = 0; turn < options.rounds * TURNS_EACH; turn += 1) {
    for (const size of sizes) {
      for (const each of opened) {
        const work = () => each.store.appendTurn(`grown-${size}`, size + turn);
        await timesOf.get(size).add(each, work);
      }
    }
  }
  for (const size of sizes) {
    const turns = size + options.rounds * TURNS_EACH;
    for (const { store } of opened) store.check(await store.readBack(`grown-${size}`), turns);
    report('P2', `a turn after ${size} turns`, timesOf.get(size));
  }
  report.exponents('P2', `growth of a turn, ${sizes[0]} to ${sizes.at(-1)} turns`, (name) =>
    exponent(sizes.map((size) => [size, timesOf.get(size).ratios()[name]])),
  );
}
