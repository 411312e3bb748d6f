import { Times } from './contenders.mjs';

/** P4: the whole session as the next model input, nothing compacted. */
export async function compareRestore({ opened, floor, options, report }) {
  const first = new Times(floor);
  const again = new Times(floor);
  const turns = options.comparedLength;
  for (const { store } of opened) await store.seed('long', 0, turns);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const each of opened) {
      await each.store.close();
      each.store = await each.open(each.folder);
      const work = () => each.store.readBack('long');
      each.store.check(await first.add(each, work), turns);
      each.store.check(await again.add(each, work), turns);
    }
  }
  report('P4', `${turns} turns read back, first read of a store that was opened again`, first);
  report('P4', `${turns} turns read back, second read`, again);
}
