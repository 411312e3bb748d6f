import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { startNode } from '../support/child-process.js';
import { EventStoreDbDouble } from '../support/eventstoredb/eventstoredb-double.js';

const DOCKERFILE = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8');

let double: EventStoreDbDouble;
let app: AppInProcess;
beforeAll(async () => {
  double = await EventStoreDbDouble.start();
  app = await startApp({ environment: { HOLDFAST_EVENTSTORE_URL: double.url } });
});
afterAll(() => {
  app.folder.remove();
  double.stop();
});

/** What the image asks, of this server: its exit code. */
async function health(): Promise<number | null> {
  const [, text] = /CMD (\["node", "-e", .*\])$/m.exec(DOCKERFILE) ?? [];
  const [, ...parameters] = JSON.parse(text!) as [string, string, string];
  const code = parameters[1]!.replace('http://127.0.0.1:4680', app.url);
  expect(code).toContain(app.url);
  return (await startNode('-e', [code]).ended).exitCode;
}

it('the health check of the image tells a server that serves from one that cannot, and from none', async () => {
  expect(await health()).toBe(0);
  double.stop();
  expect(await health()).toBe(1);
  await double.restart();
  while ((await health()) !== 0);
  await app.close();
  expect(await health()).toBe(1);
}, 120_000);
