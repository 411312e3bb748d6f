import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SESSION_STREAMS } from '../../src/projections/projector.js';
import { type Storage, openStorage } from '../../src/storage/open-storage.js';
import { type RunningChild, startNode } from '../support/child-process.js';
import { type CompiledSources, compileForChildren } from '../support/compile-for-children.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';
import { untilServed } from '../support/until-served.js';
import { differing, liveAndRebuilt } from './live-and-rebuilt.js';
import { type ReadSide, readSides } from './read-sides.js';
import { appendWoven, randomSessions } from './random-sessions.js';

/** `npm run test:stores` sets the number of a release. */
const SESSIONS = Number(process.env['STORE_SESSIONS'] ?? '') || 24;
const KILLS = Math.ceil(SESSIONS / 40) + 1;
const LIVED_MS_MAX = 400;

jest.setTimeout(30 * 60_000);

describe('after random kills of the projector', () => {
  let folder: TemporaryFolder;
  let compiled: CompiledSources;
  let sides: readonly ReadSide[];
  let places: { readonly dataDir: string; readonly keysDir: string };

  beforeAll(async () => {
    folder = temporaryFolder();
    compiled = compileForChildren(['src', 'test/support/children', 'packages/provider-rules/src']);
    const dataDir = join(folder.path, 'data');
    places = { dataDir, keysDir: join(folder.path, 'data-keys') };
    sides = await readSides(dataDir);
  });
  afterAll(async () => {
    for (const side of sides) await side.remove();
    compiled.remove();
    folder.remove();
  });

  const open = ({ mongodbUrl }: ReadSide) => openStorage({ ...places, mongodbUrl });

  function start({ mongodbUrl = '' }: ReadSide): RunningChild {
    const script = compiled.fileOf('test/support/children/project-until-killed.ts');
    return startNode(script, [places.dataDir, places.keysDir, mongodbUrl]);
  }

  async function killAtRandom(side: ReadSide): Promise<void> {
    for (let kills = 0; kills < KILLS; kills += 1) {
      const child = start(side);
      while (!child.printed().includes('following')) {
        if (child.process.exitCode !== null) throw new Error((await child.ended).stderr);
        await sleep(10);
      }
      await sleep(Math.random() * LIVED_MS_MAX);
      child.process.kill('SIGKILL');
      await child.ended;
    }
  }

  async function catchUp(side: ReadSide, storage: Storage): Promise<void> {
    const child = start(side);
    const { next } = await storage.events.readAll(0n, 1_000_000, { streamPrefix: SESSION_STREAMS });
    await untilServed(storage.readModels, next);
    child.process.kill('SIGKILL');
    await child.ended;
  }

  it('every read model on every store is byte for byte what a rebuild makes of the log', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const sessions = randomSessions(SESSIONS, seed);
    const [first] = sides;
    const writer = await open(first!);
    // The sessions are written while the projectors die.
    const appended = appendWoven(writer.events, sessions, () => sleep(0));
    await Promise.all(sides.map(killAtRandom));
    const eventCount = await appended;
    let reference: readonly string[] | undefined;
    for (const side of sides) {
      const storage = await open(side);
      await catchUp(side, storage);
      const [live, rebuilt] = await liveAndRebuilt(side, storage);
      await storage.close();
      reference ??= live;
      const differences = [...differing(live, rebuilt), ...differing(live, reference)];
      expect({ seed, side: side.name, differences: differences.slice(0, 6) }).toEqual({
        seed,
        side: side.name,
        differences: [],
      });
      process.stderr.write(
        `live = rebuilt on ${side.name}: ${SESSIONS} sessions, ${eventCount} events, ` +
          `${KILLS} kills, ${live.length} documents\n`,
      );
    }
    expect(reference?.length).toBeGreaterThan(SESSIONS);
    await writer.close();
  });
});
