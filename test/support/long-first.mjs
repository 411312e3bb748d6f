import Sequencer from '@jest/test-sequencer';

/** Where files run for long: started last, they would leave the other cores with nothing to do. */
const LONG = [
  '/test/crash/',
  '/test/protocol/',
  '/test/architecture',
  '/test/e2e/command-line',
  '/src/storage/sqlite/event-store-processes',
  '/src/storage/eventstoredb/append-faults',
  '/test/stores/(many-instances|live-equals-rebuilt)',
];

/** Begins with what takes long, also on a machine that has never run the tests. */
export default class LongFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const isLong = ({ path }) => LONG.some((part) => new RegExp(part).test(path));
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
