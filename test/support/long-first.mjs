import Sequencer from '@jest/test-sequencer';

/** Where files run for long: started last, they would leave the other cores with nothing to do. */
const LONG = [
  '/test/crash/',
  '/test/protocol/',
  '/test/architecture',
  '/test/e2e/command-line',
  '/src/storage/sqlite/event-store-processes',
];

/** Begins with what takes long, also on a machine that has never run the tests. */
export default class LongFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((part) => path.includes(part));
    const others = super.sort(tests.filter((test) => !isLong(test)));
    return [...super.sort(tests.filter(isLong)), ...others];
  }
}
