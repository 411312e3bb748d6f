import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SNAPSHOT_EVERY_EVENTS } from '../../src/commands/session-repository.js';
import { STATE_SCHEMA_VERSION } from '../../src/domain/state.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';
import { CountedApplication } from './counted-application.js';

jest.setTimeout(120_000);

const EVENTS_PER_TURN = 11;
const FORK_BYTES_MAX = 4_096;

/** What a command, a restore and a fork cost in calls, events and bytes: times belong in bench/. */
describe('the work that is done', () => {
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

  /** The same data folder in a process that knows nothing yet. */
  async function anotherProcess(work: (other: CountedApplication) => Promise<void>): Promise<void> {
    const other = await CountedApplication.open(folder.path);
    try {
      await work(other);
    } finally {
      await other.close();
    }
  }

  it('for a request is one look-up and one append, however many steps it has', async () => {
    const sessionId = await app.startSession();
    await app.turns(sessionId, 3);
    const commits = app.commitCount;
    const { calls, eventsRead } = await app.counting(() => app.turn(sessionId));
    expect(calls.append).toBe(1);
    expect(calls.findByKeys).toBe(1);
    expect({ read: calls.read, eventsRead }).toEqual({ eventsRead: 0 });
    // Of the tenant's stream: whether its prices are still the ones in memory.
    expect(calls.head ?? 0).toBeLessThanOrEqual(1);
    expect(app.commitCount).toBe(commits + 1);
  });

  it('writes a content as text twice, to hash the request and to seal it, and never reads it', async () => {
    const sessionId = await app.startSession();
    await app.turns(sessionId, 2);
    const result = /r{4000}/;
    const stringify = jest.spyOn(JSON, 'stringify');
    const parse = jest.spyOn(JSON, 'parse');
    try {
      await app.turn(sessionId);
      const written = stringify.mock.results.filter(({ value }) => result.test(String(value)));
      expect(written).toHaveLength(2);
      expect(parse.mock.calls.filter(([text]) => result.test(text))).toEqual([]);
    } finally {
      stringify.mockRestore();
      parse.mockRestore();
    }
  });

  it('for a restore reads each content as JSON once for the state and once for the context', async () => {
    const sessionId = await app.startSession();
    await app.turns(sessionId, 3);
    await anotherProcess(async (other) => {
      const parse = jest.spyOn(JSON, 'parse');
      try {
        await other.restore(sessionId);
        expect(parse.mock.calls.filter(([text]) => /r{4000}/.test(text))).toHaveLength(6);
      } finally {
        parse.mockRestore();
      }
    });
  });

  it('for the turns of many sessions at once is one commit', async () => {
    const sessions: string[] = [];
    for (let index = 0; index < 40; index += 1) sessions.push(await app.startSession());
    const commits = app.commitCount;
    await Promise.all(sessions.map((sessionId) => app.turn(sessionId)));
    expect(app.commitCount).toBe(commits + 1);
  });

  it('for snapshots is no commit of their own while commands follow each other', async () => {
    const sessionId = await app.startSession();
    const commits = app.commitCount;
    await app.turns(sessionId, 40);
    const written = await app.ports.events.loadSnapshot(
      app.stream(sessionId),
      STATE_SCHEMA_VERSION,
    );
    expect(written?.revision).toBeGreaterThan(SNAPSHOT_EVERY_EVENTS);
    expect(app.commitCount).toBeLessThanOrEqual(commits + 42);
  });

  it('to load a session for a command does not grow with the session', async () => {
    const sessionId = await app.startSession();
    for (const turns of [20, 60]) {
      await app.turns(sessionId, turns);
      await anotherProcess(async (other) => {
        const stream = other.stream(sessionId);
        const { revision } = (await app.restore(sessionId)).state;
        const { calls, eventsRead } = await other.counting(() => other.fork(sessionId, revision));
        expect(calls.loadSnapshot).toBeGreaterThan(0);
        expect(eventsRead).toBeLessThan(2 * SNAPSHOT_EVERY_EVENTS);
        expect(await other.ports.events.head(stream)).toBe(revision);
      });
    }
  });

  it('to restore a compacted session is its window, whatever lies before it', async () => {
    const kept = 5;
    const sessionId = await app.startSession();
    for (const turns of [15, 60]) {
      await app.turns(sessionId, turns);
      await app.compact(sessionId, 3 * kept);
      await anotherProcess(async (other) => {
        const { eventsRead } = await other.counting(() => other.restore(sessionId));
        const window = kept * EVENTS_PER_TURN + 4;
        expect(eventsRead).toBeLessThan(window + 2 * SNAPSHOT_EVERY_EVENTS);
        expect(eventsRead).toBeGreaterThanOrEqual(kept * EVENTS_PER_TURN);
        const { messages } = (await other.restore(sessionId)).context;
        expect(JSON.stringify(messages).match(/"r{4000}"/g)).toHaveLength(kept);
      });
    }
  });

  it('to restore once more is what came since', async () => {
    const sessionId = await app.startSession();
    await app.turns(sessionId, 12);
    await app.restore(sessionId);
    expect((await app.counting(() => app.restore(sessionId))).eventsRead).toBe(0);
    await app.turn(sessionId);
    const { eventsRead } = await app.counting(() => app.restore(sessionId));
    expect(eventsRead).toBe(EVENTS_PER_TURN);
  });

  it('to keep what contexts were rendered with is one file, however many contexts there are', async () => {
    const sessionId = await app.startSession();
    for (let context = 0; context < 5; context += 1) {
      await app.turns(sessionId, 2);
      await app.restore(sessionId);
    }
    await anotherProcess(async (other) => void (await other.restore(sessionId)));
    const artifacts = join(folder.path, 'data', 'artifacts');
    const files = readdirSync(artifacts, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).toHaveLength(1);
  });

  it('for a fork is one event of at most 4 KB, whatever the length of its parent', async () => {
    const sessionId = await app.startSession();
    const bytes: number[] = [];
    for (const turns of [10, 70]) {
      await app.turns(sessionId, turns);
      const { revision } = (await app.restore(sessionId)).state;
      const before = await app.ports.events.headPosition();
      let forkId = '';
      const { calls, eventsRead } = await app.counting(async () => {
        forkId = await app.fork(sessionId, Math.floor(revision / 2));
      });
      expect(calls.append).toBe(1);
      expect(eventsRead).toBeLessThan(2 * SNAPSHOT_EVERY_EVENTS);
      expect(await app.ports.events.headPosition()).toBe(before + 1n);
      const [event] = await app.ports.events.read(app.stream(forkId), { from: 0, maxCount: 2 });
      bytes.push(Buffer.byteLength(`${event?.type}${event?.data}${event?.metadata}`));
    }
    expect(Math.max(...bytes)).toBeLessThan(FORK_BYTES_MAX);
    expect(Math.abs(bytes[0]! - bytes[1]!)).toBeLessThan(16);
  });
});
