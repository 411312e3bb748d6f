import { CALLS_EACH, CHILDREN_EACH, PICO } from '../workloads/cost-tree.mjs';
import { Times } from './contenders.mjs';

const READS_EACH = 3;

/** P7: the cost of a root with everything below it, from those who can be asked at all. */
export async function compareCostTree({ opened, floor, options, report }) {
  const times = new Times(floor);
  const picosEach = Number(PICO) * CALLS_EACH;
  const nodes = Array.from({ length: options.comparedTree }, (_, index) => ({
    id: `node-${index}`,
    parent: index === 0 ? undefined : `node-${Math.floor((index - 1) / CHILDREN_EACH)}`,
    picos: picosEach,
  }));
  const asked = opened.filter(({ store }) => store.rootCost !== undefined);
  for (const { store } of asked) await store.seedTree(nodes);
  for (let round = 0; round < options.rounds * READS_EACH; round += 1) {
    for (const each of asked) {
      const picos = await times.add(each, () => each.store.rootCost(nodes[0].id));
      if (picos !== picosEach * nodes.length) throw new Error(`${each.name} says ${picos}`);
    }
  }
  report('P7', `cost of the root of ${nodes.length} sessions`, times);
}
