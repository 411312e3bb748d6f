import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, jest } from '@jest/globals';
import type { HttpClient } from '../support/http-client.js';
import { FEEDS_OPEN_MAX } from '../../src/history/feed-slots.js';
import { FeedReader } from '../support/feed-reader.js';
import { residentBytes } from '../support/resident-bytes.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(180_000);

const MEBIBYTE = 1_024 * 1_024;
const INPUTS = 160;
const INPUT_CHARACTERS = 150_000;
const READERS = 12;

it('readers who do not read cost no memory, are no hindrance, and get everything later', async () => {
  const folder = temporaryFolder();
  const server = await ServerProcess.start({ folder });
  const readers: FeedReader[] = [];
  try {
    const worker = new SessionWorker(server.http);
    await worker.start();
    for (let index = 0; index < INPUTS; index += 1) {
      await worker.input(`${index} `.padEnd(INPUT_CHARACTERS, 'x'));
    }
    const before = residentBytes(server.pid);
    for (let index = 0; index < READERS; index += 1) {
      const path = index % 2 === 0 ? worker.path('/events') : '/v1/events';
      const reader = await FeedReader.open(server.http, path);
      reader.answer.pause();
      readers.push(reader);
    }
    const quick = await FeedReader.open(server.http, worker.path('/events'));
    readers.push(quick);
    await quick.until(({ events }) => events.length === INPUTS + 1);
    expect(JSON.stringify(quick.events.at(-1)!.data).length).toBeGreaterThan(INPUT_CHARACTERS);
    // All of it, for each of them, would be 288 MB.
    expect(residentBytes(server.pid) - before).toBeLessThan(200 * MEBIBYTE);
    for (const reader of readers.slice(0, 2)) {
      reader.answer.resume();
      await reader.until(({ events }) => events.length === INPUTS + 1);
      const revisions = reader.events.map(({ data }) => (data as { revision: number }).revision);
      expect(revisions).toEqual(Array.from({ length: INPUTS + 1 }, (_, index) => index));
    }
  } finally {
    for (const reader of readers) reader.close();
    await server.end('SIGTERM');
    folder.remove();
  }
});

/** Each at another moment of the answer's making. */
async function openedAndLeft({ url, key }: HttpClient): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, Accept: 'text/event-stream' };
  const sent = request(`${url}/v1/events`, { headers, agent: false }).on('error', () => undefined);
  sent.end();
  await pause(Math.random() * 4);
  sent.destroy();
}

it('there are only so many feeds at once, and one more as soon as one is closed', async () => {
  const folder = temporaryFolder();
  const server = await ServerProcess.start({ folder });
  const readers: FeedReader[] = [];
  const one = async () => {
    const reader = await FeedReader.open(server.http, '/v1/events');
    readers.push(reader);
    return reader.answer.statusCode;
  };
  try {
    for (let index = 0; index < FEEDS_OPEN_MAX / 2; index += 1) expect(await one()).toBe(200);
    expect(await one()).toBe(422);
    readers[0]!.close();
    // Who is gone before there is an answer takes no place.
    for (let index = 0; index < FEEDS_OPEN_MAX; index += 1) await openedAndLeft(server.http);
    let status = await one();
    while (status === 422) status = await one();
    expect(status).toBe(200);
  } finally {
    for (const reader of readers) reader.close();
    await server.end('SIGTERM');
    folder.remove();
  }
});
