import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '../../src/storage/event-store.js';
import { type Storage, openStorage } from '../../src/storage/open-storage.js';
import { AnyInstance } from '../support/any-instance.js';
import { EventStoreDbDouble } from '../support/eventstoredb/eventstoredb-double.js';
import { doubleDatabase } from '../support/mongo-server.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';
import { untilServed } from '../support/until-served.js';
import { differing, liveAndRebuilt } from './live-and-rebuilt.js';
import { onMongo } from './read-sides.js';

/** `npm run test:stores` sets the length of a release. */
const CHAOS_MS = Number(process.env['STORE_CHAOS_SECONDS'] ?? '10') * 1_000;
const INSTANCES = 3;
const CLIENTS = 4;
/** An instance that is asleep for longer has lost what it had. */
const LEASE_MS = 1_000;

jest.setTimeout(30 * 60_000);

interface Instance {
  readonly folder: TemporaryFolder;
  server: ServerProcess | undefined;
}

/** What was answered with yes. */
interface Promised {
  readonly inputs: string[];
  readonly modelCalls: number[];
  readonly stopped: string[];
}

describe('three instances on one EventStoreDB and one MongoDB (doubles)', () => {
  let eventStore: EventStoreDbDouble;
  let mongo: Awaited<ReturnType<typeof doubleDatabase>>;
  let storage: Storage;
  const instances: Instance[] = [];
  const disturbances = { kills: 0, pauses: 0 };
  const promised: Promised = { inputs: [], modelCalls: [], stopped: [] };

  async function start(instance: Instance): Promise<void> {
    instance.server = await ServerProcess.start({
      folder: instance.folder,
      environment: {
        HOLDFAST_EVENTSTORE_URL: eventStore.url,
        HOLDFAST_MONGODB_URL: mongo.url,
        HOLDFAST_INSTANCE_LEASE_TTL_MS: String(LEASE_MS),
      },
    });
  }

  beforeAll(async () => {
    eventStore = await EventStoreDbDouble.start();
    mongo = await doubleDatabase();
    for (let count = 0; count < INSTANCES; count += 1) {
      instances.push({ folder: temporaryFolder(), server: undefined });
    }
    await Promise.all(instances.map(start));
    const own = temporaryFolder();
    storage = await openStorage({
      dataDir: join(own.path, 'data'),
      keysDir: join(own.path, 'data-keys'),
      eventStoreUrl: eventStore.url,
      mongodbUrl: mongo.url,
    });
    instances.push({ folder: own, server: undefined });
  });
  afterAll(async () => {
    for (const { server } of instances) await server?.end('SIGKILL');
    await storage.close();
    await mongo.remove();
    eventStore.stop();
    for (const { folder } of instances) folder.remove();
  });

  /** Kills one and starts it again, or lets it sleep beyond its leases, twice or more; the others go on. */
  async function disturb(instance: Instance, untilMs: number): Promise<void> {
    for (let count = 0; count < 2 || performance.now() < untilMs; count += 1) {
      await sleep(300 + Math.random() * 2_000);
      const { server } = instance;
      if (server === undefined) return;
      if (Math.random() < 0.5) {
        instance.server = undefined;
        disturbances.kills += 1;
        await server.end('SIGKILL');
        await start(instance);
      } else {
        disturbances.pauses += 1;
        server.signal('SIGSTOP');
        await sleep(LEASE_MS * (1 + Math.random() * 2));
        server.signal('SIGCONT');
      }
    }
  }

  /** Whole sessions, one after the other; each third is stopped by a user, its worker is gone. */
  async function write(client: AnyInstance, isOver: () => boolean): Promise<void> {
    for (let count = 0; !isOver(); count += 1) {
      const worker = new SessionWorker(client);
      const inputId = `input-${worker.sessionId}`;
      await worker.start();
      await worker.input(`Question ${count}`, { inputId });
      promised.inputs.push(inputId);
      await worker.claim({ runId: `run-${worker.sessionId}` });
      const asked = [{ id: `toolu_${count}`, name: 'look_up', input: {} }];
      const [call] = await worker.turn(anthropicAnswer('I look.', asked));
      await worker.permit(call!.callId);
      await worker.result(call!.callId, 'found');
      await worker.turn(anthropicAnswer('Done.'));
      promised.modelCalls.push(2);
      if (count % 3 === 2) {
        await worker.ok('POST', worker.path(`/runs/${worker.runId}/stop`), {});
        promised.stopped.push(worker.runId);
      } else {
        await worker.complete();
      }
    }
  }

  async function wholeLog(): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (let after = 0n; ;) {
      const page = await storage.events.readAll(after, 500);
      events.push(...page.events);
      if (page.caughtUp) return events;
      after = page.next;
    }
  }

  const idsIn = (log: readonly RecordedEvent[], type: string, id: string): readonly string[] =>
    log
      .filter((event) => event.type === type)
      .map(({ data }) => String((JSON.parse(data) as Record<string, unknown>)[id]))
      .sort();

  it('lose nothing and do nothing twice, whatever becomes of each of them', async () => {
    const running = () => instances.flatMap(({ server }) => (server ? [server.http] : []));
    const untilMs = performance.now() + CHAOS_MS;
    const clients = Array.from({ length: CLIENTS }, () => new AnyInstance(running));
    let isQuiet = false;
    const disturbed = instances.slice(0, INSTANCES).map((each) => disturb(each, untilMs));
    await Promise.all([
      Promise.all(disturbed).finally(() => {
        isQuiet = true;
      }),
      ...clients.map((client) => write(client, () => isQuiet)),
    ]);

    // Whoever reconciles now settles the stops of workers that are gone, each once.
    let log = await wholeLog();
    const stopsIn = (events: readonly RecordedEvent[]) => idsIn(events, 'RunStopped', 'runId');
    for (let tries = 0; stopsIn(log).length < promised.stopped.length && tries < 600; tries += 1) {
      await sleep(200);
      log = await wholeLog();
    }
    expect(stopsIn(log)).toEqual([...promised.stopped].sort());
    expect(idsIn(log, 'InputAccepted', 'inputId')).toEqual([...promised.inputs].sort());
    const calls = idsIn(log, 'ModelCallSettled', 'modelCallId');
    expect(calls).toHaveLength(promised.modelCalls.reduce((sum, count) => sum + count, 0));
    expect(new Set(calls).size).toBe(calls.length);

    const last = log.at(-1)!.position;
    await untilServed(storage.readModels, last);
    for (const instance of instances) {
      await instance.server?.end('SIGTERM');
      instance.server = undefined;
    }
    const side = onMongo('MongoDB (double)', mongo);
    const [live, rebuilt] = await liveAndRebuilt(side, storage);
    expect(differing(live, rebuilt).slice(0, 6)).toEqual([]);
    const again = clients.reduce((sum, { sentAgain }) => sum + sentAgain, 0);
    process.stderr.write(
      `many instances: ${disturbances.kills} kills, ${disturbances.pauses} pauses, ` +
        `${promised.inputs.length} sessions, ${log.length} events, ${again} requests sent again, ` +
        `${live.length} documents equal to rebuilt ones\n`,
    );
    expect(disturbances.kills + disturbances.pauses).toBeGreaterThanOrEqual(2 * INSTANCES);
  });
});
