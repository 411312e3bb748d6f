import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  eventId,
  ledgerStream,
  sessionStream,
  tenantStream,
} from '../../src/identity/derived-ids.js';
import { readArtifact } from '../../src/storage/artifact-store.js';
import type { EventStore, RecordedEvent } from '../../src/storage/event-store.js';
import { type Storage, openStorage } from '../../src/storage/open-storage.js';
import { exportStore } from '../../src/transfer/export-store.js';
import { importStore } from '../../src/transfer/import-store.js';
import { EVENTS_FILE, keyCheckOf } from '../../src/transfer/transfer-file.js';
import { newBatch, newEvent } from '../support/event-batches.js';
import { EventStoreDbDouble } from '../support/eventstoredb/eventstoredb-double.js';
import { doubleDatabase } from '../support/mongo-server.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';
import { appendWoven, randomSessions } from './random-sessions.js';

const OWNER = { tenantId: 'local', sessionId: 'with-artifact' };
const CONTENT = Buffer.alloc(600_000, 'large ');

describe('an embedded store that moves into EventStoreDB and MongoDB (doubles)', () => {
  let folder: TemporaryFolder;
  let eventStore: EventStoreDbDouble;
  let mongo: Awaited<ReturnType<typeof doubleDatabase>>;
  let embedded: Storage;
  let target: Storage;
  let exported: string;
  let hash: string;

  const keyCheck = ({ keys }: Storage) => keyCheckOf((...what) => keys.sessionHmac(...what));
  const keysDir = () => join(folder.path, 'data-keys');
  const exportTo = (to: string) =>
    exportStore({ folder: to, ...embedded, keyCheck: keyCheck(embedded), now: Date.now });
  const importFrom = (from: string, into = target, events: EventStore = into.sealedEvents) =>
    importStore({
      ...into,
      sealedEvents: events,
      folder: from,
      keyCheck: keyCheck(into),
      keysFolder: keysDir(),
    });

  beforeAll(async () => {
    folder = temporaryFolder();
    eventStore = await EventStoreDbDouble.start();
    mongo = await doubleDatabase();
    embedded = await openStorage({ dataDir: join(folder.path, 'data'), keysDir: keysDir() });
    await appendWoven(embedded.events, randomSessions(12, 7), () => Promise.resolve());
    const kept = await embedded.artifacts.put(OWNER, CONTENT, 'text/plain');
    hash = kept.hash;
    const data = JSON.stringify({ context: `1.${hash}.${'0'.repeat(40)}` });
    const stream = sessionStream(OWNER.tenantId, OWNER.sessionId);
    await embedded.events.append(stream, 'noStream', [newEvent({ data })]);
    await embedded.events.append(tenantStream('local'), 'noStream', newBatch(2));
    const charged = newEvent({
      eventId: eventId('local', 'ledger', 'Charge', '1', 0),
      type: 'CostCharged',
      data: JSON.stringify({ reservationId: 'r1' }),
      keys: ['charge:r1'],
    });
    await embedded.events.append(ledgerStream('local', 'all.2026'), 'noStream', [charged]);
    exported = join(folder.path, 'export');
    cpSync(keysDir(), join(folder.path, 'target-keys'), { recursive: true });
    target = await openStorage({
      dataDir: join(folder.path, 'target'),
      keysDir: join(folder.path, 'target-keys'),
      eventStoreUrl: eventStore.url,
      mongodbUrl: mongo.url,
    });
  });
  afterAll(async () => {
    await embedded.close();
    await target.close();
    await mongo.remove();
    eventStore.stop();
    folder.remove();
  });

  async function logOf({
    events,
  }: Storage): Promise<readonly Record<keyof RecordedEvent, unknown>[]> {
    const log: RecordedEvent[] = [];
    for (let after = 0n; ;) {
      const page = await events.readAll(after, 500);
      log.push(...page.events);
      if (page.caughtUp) return log.map((event) => ({ ...event, position: undefined }));
      after = page.next;
    }
  }

  it('is exported whole, with what its events name and without its keys', async () => {
    const counts = await exportTo(exported);
    const log = await logOf(embedded);
    expect(counts).toEqual({
      events: log.length,
      streams: new Set(log.map(({ stream }) => stream)).size,
      artifacts: 1,
    });
    await expect(exportTo(exported)).rejects.toThrow(/holds an export already/);
    const secrets = readdirSync(keysDir()).map((name) =>
      readFileSync(join(keysDir(), name), 'utf8').trim(),
    );
    const text = readFileSync(join(exported, EVENTS_FILE), 'utf8');
    expect(secrets.length).toBeGreaterThan(1);
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it('is not begun while a server works on the target', async () => {
    const lease = await target.leases.acquire('reconciler', 'a-server', 60_000);
    await expect(importFrom(exported)).rejects.toThrow(/stop all instances/);
    await target.leases.release('reconciler', 'a-server', lease.fence);
    expect(await logOf(target)).toEqual([]);
  });

  it('arrives with revisions, ids, times, keys and order, also after it broke off', async () => {
    let appends = 0;
    const breaking = Object.create(target.sealedEvents) as EventStore;
    breaking.append = (...batch) => {
      appends += 1;
      if (appends > 20) throw new Error('the machine went away');
      return target.sealedEvents.append(...batch);
    };
    await expect(importFrom(exported, target, breaking)).rejects.toThrow(/went away/);
    const before = (await logOf(target)).length;
    expect(before).toBeGreaterThan(20);
    const heard: number[] = [];
    const report = await importStore({
      ...target,
      folder: exported,
      keyCheck: keyCheck(target),
      keysFolder: keysDir(),
      onProgress: (done) => heard.push(done),
    });
    const log = await logOf(embedded);
    expect(report).toMatchObject({
      events: log.length,
      artifacts: 1,
      written: log.length - before,
    });
    expect(heard.at(-1)).toBe(log.length);
    expect(await logOf(target)).toEqual(log);
    const ledger = ledgerStream('local', 'all.2026');
    expect(await target.events.findByKeys(ledger, ['charge:r1'])).toHaveLength(1);
    for (const stream of new Set(log.map((event) => String(event.stream)))) {
      const keys = ['cmd:Test:0', 'id:i1'];
      const [here, there] = await Promise.all(
        [embedded, target].map(({ events }) => events.findByKeys(stream, keys)),
      );
      expect(there!.map(({ revision }) => revision)).toEqual(here!.map(({ revision }) => revision));
    }
    expect((await readArtifact(target.artifacts, OWNER, hash))?.equals(CONTENT)).toBe(true);
  });

  it('is written once, however often it is imported', async () => {
    expect(await importFrom(exported)).toMatchObject({ written: 0 });
    expect(await logOf(target)).toEqual(await logOf(embedded));
  });

  it('is refused where the store holds something else, the keys are others, or lines are missing', async () => {
    const other = await openStorage({
      dataDir: join(folder.path, 'other'),
      keysDir: join(folder.path, 'other-keys'),
    });
    await expect(importFrom(exported, other)).rejects.toThrow(/made with other keys/);
    await other.close();
    const used = await openStorage({ dataDir: join(folder.path, 'used'), keysDir: keysDir() });
    await used.events.append(tenantStream('local'), 'noStream', newBatch(1));
    await expect(importFrom(exported, used)).rejects.toThrow(/tenant-local holds other events/);
    const lines = readFileSync(join(exported, EVENTS_FILE), 'utf8').trimEnd().split('\n');
    const broken = join(folder.path, 'broken');
    cpSync(exported, broken, { recursive: true });
    const write = (kept: readonly string[]) =>
      writeFileSync(join(broken, EVENTS_FILE), `${kept.join('\n')}\n`);
    write(lines.slice(0, -1));
    await expect(importFrom(broken, used)).rejects.toThrow(/has no end/);
    write(lines.filter((_line, index) => index !== 3));
    await expect(importFrom(broken)).rejects.toThrow(/export lacks event|counts/);
    write(lines.map((line, index) => (index === 2 ? line.slice(0, 20) : line)));
    await expect(importFrom(broken)).rejects.toThrow(/line 3 cannot be read/);
    await expect(importFrom(join(folder.path, 'nowhere'))).rejects.toThrow(/there is no export/);
    await used.close();
  });
});
