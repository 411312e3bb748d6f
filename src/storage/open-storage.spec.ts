import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newBatch, newStream } from '../../test/support/event-batches.js';
import { type TemporaryFolder, temporaryFolder } from '../../test/support/temporary-folder.js';
import { readArtifact } from './artifact-store.js';
import type { StorageOpenError, StorageProblem } from './storage-open-error.js';
import { connectToFile, openConnection, verifySynchronousFull } from './sqlite/connection.js';
import { eventSchema } from './sqlite/event-schema.js';
import { inspectStorage } from './sqlite/inspect-storage.js';
import { openStorage } from './open-storage.js';

jest.setTimeout(60_000);

function problem(kind: StorageProblem, message: RegExp) {
  return { problem: kind, message: expect.stringMatching(message) };
}

describe('the embedded storage', () => {
  let folder: TemporaryFolder;
  let dataDir: string;
  let keysDir: string;

  beforeEach(() => {
    folder = temporaryFolder();
    dataDir = join(folder.path, 'data');
    keysDir = join(folder.path, 'data-keys');
  });
  afterEach(() => folder.remove());

  const eventsFile = () => join(dataDir, 'events.sqlite');
  const change = (file: string, sql: string) => {
    const connection = connectToFile(file, 100);
    connection.exec(sql);
    connection.close();
  };
  const openAndClose = async () => (await openStorage({ dataDir, keysDir })).close();

  const refusal = () =>
    openAndClose().then(
      () => undefined,
      (error: unknown) => error as StorageOpenError,
    );

  it('opens empty folders, and twice at once, and finds everything again', async () => {
    const [one, other] = await Promise.all([
      openStorage({ dataDir, keysDir }),
      openStorage({ dataDir, keysDir }),
    ]);
    const stream = newStream();
    await one.events.append(stream, 'noStream', newBatch(2));
    const owner = { tenantId: 't', sessionId: 's' };
    const { hash } = await one.artifacts.put(owner, Buffer.from('x'), 'text/plain');
    await one.leases.acquire('projector', 'one', 60_000);
    expect(await other.events.head(stream)).toBe(1);
    expect(await readArtifact(other.artifacts, owner, hash)).toEqual(Buffer.from('x'));
    expect(hash).toBe((await other.hasher('t', 's'))('x'));
    expect((await other.leases.current('projector'))?.holder).toBe('one');
    await one.close();
    await other.close();
    const again = await openStorage({ dataDir, keysDir });
    expect(await again.events.head(stream)).toBe(1);
    await again.close();
  });

  it('refuses a schema that is newer than it knows', async () => {
    await openAndClose();
    change(eventsFile(), 'UPDATE store_schema SET version = 70');
    expect(await refusal()).toMatchObject(
      problem(
        'newerSchema',
        /events\.sqlite has schema version 70, .* up to \d+; install the newer/,
      ),
    );
  });

  it('refuses what is no database, a foreign database, and another part of its own', async () => {
    mkdirSync(dataDir);
    writeFileSync(
      eventsFile(),
      'this is a text file, and longer than a header of a database'.repeat(20),
    );
    expect(await refusal()).toMatchObject(
      problem('notADatabase', /events\.sqlite is not a sound SQLite database.*backup/),
    );
    writeFileSync(eventsFile(), '');
    change(eventsFile(), 'CREATE TABLE theirs (x)');
    expect(await refusal()).toMatchObject(
      problem('otherProgram', /events\.sqlite belongs to another program/),
    );
  });

  it('refuses a folder where none can be made, and does not try for ever', async () => {
    if (process.platform !== 'linux') return;
    dataDir = '/proc/holdfast/data';
    expect(await refusal()).toMatchObject(
      problem('folderNotUsable', /no folder can be made there|no permission/),
    );
  });

  it('refuses folders that cannot be made or used', async () => {
    writeFileSync(join(folder.path, 'file'), '');
    dataDir = join(folder.path, 'file');
    expect(await refusal()).toMatchObject(
      problem('folderNotUsable', /the folder .*file cannot be created or written/),
    );
    dataDir = join(folder.path, 'data');
    keysDir = join(dataDir, 'keys');
    expect(await refusal()).toMatchObject(problem('keysInsideData', /choose one outside it/));
  });

  it('refuses to run when a power cut could lose acknowledged events', async () => {
    const options = { file: eventsFile(), schema: eventSchema, synchronous: 'normal' } as const;
    const connection = await openConnection(options);
    expect(() => verifySynchronousFull(connection, 'events.sqlite')).toThrow(
      /synchronous is 1 instead of 2 \(FULL\)/,
    );
    connection.close();
    const full = await openConnection({ ...options, synchronous: 'full' });
    full.exec('UPDATE store_schema SET opened_at_ms = 1');
    expect(full.pragma('synchronous', { simple: true })).toBe(2);
    full.close();
  });

  it('tells facts for a doctor, and creates nothing by asking', async () => {
    const empty = await inspectStorage({ dataDir, keysDir });
    expect(empty.databases.map(({ present }) => present)).toEqual([false, false, false]);
    expect(empty.keys).toEqual({ folder: keysDir, present: false });

    const storage = await openStorage({ dataDir, keysDir });
    await storage.events.append(newStream(), 'noStream', newBatch(3));
    await storage.readModels.ensureCollections([{ name: 'sessions', indexes: [] }]);
    await storage.artifacts.put(
      { tenantId: 't', sessionId: 's' },
      Buffer.from('xyz'),
      'text/plain',
    );
    const facts = await inspectStorage({ dataDir, keysDir });
    expect(facts.databases).toMatchObject([
      {
        name: 'events',
        schemaVersion: eventSchema.migrations.length,
        newestSchemaVersion: eventSchema.migrations.length,
        journalMode: 'wal',
        synchronous: 2,
        quickCheck: 'ok',
        counts: { streams: 1, events: 3, eventTypes: 1, snapshots: 0 },
      },
      { name: 'readModels', synchronous: 1, quickCheck: 'ok', counts: { sessions: 0 } },
      { name: 'leases', synchronous: 2, quickCheck: 'ok', counts: { leases: 0 } },
    ]);
    expect(facts.databases[0]?.sqliteVersion).toMatch(/^3\.\d+\.\d+$/);
    expect(facts.artifacts).toMatchObject({ count: 1, sizeBytes: 31 });
    expect(facts.keys).toEqual({ folder: keysDir, present: true });
    await storage.close();

    change(eventsFile(), 'UPDATE store_schema SET version = 90');
    writeFileSync(join(keysDir, 'api-key'), 'nonsense');
    const wrong = await inspectStorage({ dataDir, keysDir }, { quickCheck: false });
    expect(wrong.databases[0]?.problem).toMatch(/schema version 90/);
    expect(wrong.keys.problem).toMatch(/api-key cannot be used/);
  });
});
