import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CountedApplication } from '../performance/counted-application.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(60_000);

let folder: TemporaryFolder;
let app: CountedApplication;
beforeEach(async () => {
  folder = temporaryFolder();
  app = await CountedApplication.open(folder.path);
});
afterEach(async () => {
  await app.close();
  folder.remove();
});

/** Changes whatever can be changed of a value and of all that it consists of. */
function spoil(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [key, part] of Object.entries(value)) {
    spoil(part, seen);
    Reflect.set(value, key, 'spoilt');
  }
}

describe('what a caller does to an answer about one branch', () => {
  it.each(['the fork', 'the parent'])('(%s) changes no other branch', async (spoilt) => {
    const parent = await app.startSession();
    await app.turns(parent, 3);
    const { revision } = (await app.restore(parent)).state;
    const fork = await app.fork(parent, revision);
    const sibling = await app.fork(fork, 0);
    const victim = spoilt === 'the fork' ? fork : parent;
    const others = [parent, fork, sibling].filter((sessionId) => sessionId !== victim);
    const told = async () =>
      Promise.all(
        others.map(async (sessionId) => {
          const { state, context } = await app.restore(sessionId);
          return JSON.stringify({ state, context });
        }),
      );
    const before = await told();
    const { state, context } = await app.restore(victim);
    spoil(state);
    spoil(context);
    const after = await told();
    expect(after.map((text, place) => text === before[place])).toEqual([true, true]);
  });
});
