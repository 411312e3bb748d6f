import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { EventStoreDbDouble } from '../support/eventstoredb/eventstoredb-double.js';
import { MongoDouble } from '../support/mongo-double/mongo-double.js';
import { ServerProcess } from '../support/server-process.js';

jest.setTimeout(120_000);

/** The files of the event store, from one folder to another; those that are there go. */
async function copyEvents(from: string, to: string): Promise<void> {
  const isOfEvents = (name: string): boolean => name.startsWith('events.sqlite');
  await mkdir(to, { recursive: true });
  for (const name of (await readdir(to)).filter(isOfEvents)) await rm(join(to, name));
  for (const name of (await readdir(from)).filter(isOfEvents)) {
    await cp(join(from, name), join(to, name));
  }
}

async function titles(app: AppInProcess, position: string): Promise<readonly string[]> {
  const { body } = await app.http.get<{ sessions: readonly { title: string }[] }>(
    `/v1/sessions?atLeast=${position}`,
  );
  return body.sessions.map(({ title }) => title);
}

describe.each([
  ['SQLite', 'SQLite'],
  ['SQLite', 'MongoDB'],
  ['EventStoreDB', 'MongoDB'],
])('a restored event store in %s, with read models in %s', (eventStore, readModels) => {
  it('is refused read models of a later state, and serves when they are made anew', async () => {
    const mongo = readModels === 'MongoDB' ? await new MongoDouble().start() : undefined;
    const double = eventStore === 'SQLite' ? undefined : await EventStoreDbDouble.start();
    const environment: Record<string, string> = {
      ...(mongo && { HOLDFAST_MONGODB_URL: mongo.url('restored') }),
      ...(double && { HOLDFAST_EVENTSTORE_URL: double.url }),
    };
    let app = await startApp({ environment });
    const { folder } = app;
    const data = join(folder.path, 'data');
    const record = async (title: string) =>
      (await app.http.post<{ position: string }>('/v1/sessions', { title })).body.position;
    await record('before');
    await app.close();
    const backup = double && [...double.log.records];
    if (double === undefined) await copyEvents(data, join(folder.path, 'backup'));
    app = await startApp({ folder, environment });
    expect(await titles(app, await record('after'))).toHaveLength(2);
    await app.close();

    if (double === undefined) await copyEvents(join(folder.path, 'backup'), data);
    else double.log.replaceAll(backup!);
    await expect(ServerProcess.start({ folder, environment })).rejects.toThrow(
      /ended with 5: holdfast: the read models show what is not in the event store .*rebuild --all/,
    );
    const rebuilt = await commandLineWith(() => ({ ...app.environment, ...environment }))(
      'rebuild',
      '--all',
    );
    expect([rebuilt.exitCode, rebuilt.stderr]).toEqual([
      0,
      expect.stringMatching(/^sessions was rebuilt from \d+ events?\.$/m),
    ]);
    app = await startApp({ folder, environment });
    expect(await titles(app, await record('again'))).toEqual(['again', 'before']);
    await app.close();
    await mongo?.stop();
    double?.stop();
    folder.remove();
  });
});
