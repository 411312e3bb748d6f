import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EventBody, EventPageBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { FeedReader } from '../support/feed-reader.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

interface TenantEvent extends EventBody {
  readonly sessionId: string;
}

interface TenantPage {
  readonly events: readonly TenantEvent[];
  readonly next: string;
  readonly caughtUp: boolean;
}

let app: AppInProcess;
const readers: FeedReader[] = [];
beforeAll(async () => {
  app = await startApp();
});
afterEach(() => readers.splice(0).forEach((reader) => reader.close()));
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function opened(path: string, lastId?: string): Promise<FeedReader> {
  const reader = await FeedReader.open(app.http, path, lastId);
  readers.push(reader);
  return reader;
}

async function sessionWith(inputs: number): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start();
  for (let index = 0; index < inputs; index += 1) await worker.input(`Input ${index}.`);
  return worker;
}

const lines = async (path: string): Promise<readonly TenantEvent[]> => {
  const answer = await app.http.get(path, { headers: { Accept: 'application/x-ndjson' } });
  expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  expect(answer.text === '' || answer.text.endsWith('\n')).toBe(true);
  const texts = answer.text.split('\n').slice(0, -1);
  return texts.map((text) => JSON.parse(text) as TenantEvent);
};

async function pages(query: string): Promise<readonly TenantEvent[]> {
  const events: TenantEvent[] = [];
  for (let after = '0'; ;) {
    const { body } = await app.http.get<TenantPage>(`/v1/events?${query}&after=${after}`);
    events.push(...body.events);
    if (body.caughtUp) return events;
    after = body.next;
  }
}

describe('the events of a session', () => {
  it('are the same as pages, as lines and as a stream', async () => {
    const worker = await sessionWith(40);
    const events = await worker.events();
    expect(events).toHaveLength(41);
    expect(await lines(worker.path('/events'))).toEqual(events);
    expect(await lines(worker.path('/events?from=39'))).toEqual(events.slice(39));
    const reader = await opened(worker.path('/events'));
    expect(reader.answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'Accept',
    });
    await reader.until(({ messages }) => messages.at(-1)?.event === 'caughtUp');
    expect(reader.events.map(({ data }) => data)).toEqual(events);
    expect(reader.events.map(({ event }) => event)).toEqual(events.map(({ type }) => type));
  });

  it('say where the past ends; what comes is sent when it happens', async () => {
    const worker = await sessionWith(2);
    const elsewhere = await sessionWith(0);
    const reader = await opened(worker.path('/events?from=1'));
    await reader.until(({ messages }) => messages.length === 3);
    expect(reader.messages.map(({ event, lastId }) => [event, lastId])).toEqual([
      ['InputAccepted', '1'],
      ['InputAccepted', '2'],
      ['caughtUp', '2'],
    ]);
    await elsewhere.input('Of no concern here.');
    await worker.input('Now.');
    await reader.until(({ messages }) => messages.length === 5);
    expect(reader.messages.slice(3).map(({ event, lastId }) => [event, lastId])).toEqual([
      ['InputAccepted', '3'],
      ['caughtUp', '3'],
    ]);
  });

  it('that another server on the same data has recorded come too', async () => {
    const worker = await sessionWith(1);
    const reader = await opened(worker.path('/events'));
    await reader.until(({ messages }) => messages.length === 3);
    const beside = await startApp({ folder: app.folder });
    await new SessionWorker(beside.http, worker.sessionId).input('From there.');
    await reader.until(({ events }) => events.length === 3);
    expect(reader.events[2]).toMatchObject({ event: 'InputAccepted', lastId: '2' });
    await beside.close();
  });

  it('of a foreign or a future place are refused', async () => {
    const worker = await sessionWith(1);
    const stream = { Accept: 'text/event-stream' };
    for (const [path, id] of [
      [worker.path('/events'), '7'],
      [worker.path('/events'), 'one'],
      ['/v1/events', '999999999999'],
    ] as const) {
      const headers = { ...stream, 'Last-Event-ID': id };
      expectProblem(await app.http.get(path, { headers }), 400, 'invalid_request');
    }
    const missing = await app.http.get('/v1/sessions/nobody/events', { headers: stream });
    expectProblem(missing, 404, 'not_found');
    const keyless = await app.http.get('/v1/events', { headers: stream, key: null });
    expectProblem(keyless, 401, 'unauthenticated');
  });
});

describe('the events of all sessions', () => {
  it('come in the order of the log, as pages, as lines and as a stream', async () => {
    const [one, other] = [await sessionWith(1), await sessionWith(1)];
    await one.input('Later.');
    const all = await lines('/v1/events');
    expect(await pages('first=7')).toEqual(all);
    const mine = all.filter(({ sessionId }) =>
      [one.sessionId, other.sessionId].includes(sessionId),
    );
    expect(mine.map(({ sessionId, revision }) => [sessionId, revision])).toEqual([
      [one.sessionId, 0],
      [one.sessionId, 1],
      [other.sessionId, 0],
      [other.sessionId, 1],
      [one.sessionId, 2],
    ]);
    const reader = await opened('/v1/events');
    await reader.until(({ messages }) => messages.at(-1)?.event === 'caughtUp');
    expect(reader.events.map(({ data }) => data)).toEqual(all);
  });

  it('are filtered by type, session and author, in each form', async () => {
    const [one, other] = [await sessionWith(2), await sessionWith(1)];
    const sessions = `sessions=${one.sessionId},${other.sessionId}`;
    const query = `${sessions}&types=InputAccepted,RunClaimed`;
    const reader = await opened(`/v1/events?${query}`);
    await reader.until(({ messages }) => messages.at(-1)?.event === 'caughtUp');
    await (await sessionWith(1)).input('Not wanted.');
    await one.claim();
    await reader.until(({ events }) => events.length === 4);
    expect(reader.events.map(({ event }) => event)).toEqual([
      'InputAccepted',
      'InputAccepted',
      'InputAccepted',
      'RunClaimed',
    ]);
    const found = reader.events.map(({ data }) => data);
    expect(await pages(`${query}&first=3`)).toEqual(found);
    expect(await lines(`/v1/events?${query}`)).toEqual(found);
    const { actor } = found[0] as TenantEvent;
    expect(await lines(`/v1/events?${query}&actor=${actor}`)).toEqual(found);
    expect(await lines(`/v1/events?${query}&actor=nobody`)).toEqual([]);
    expectProblem(await app.http.get('/v1/events?types=,'), 400, 'invalid_request');
  });
});

it('the end of the past is told wherever a page ends', async () => {
  const worker = await sessionWith(1);
  for (let inputs = 1; inputs < 20; inputs += 1) {
    const reader = await opened(worker.path('/events'));
    await reader.until(({ messages }) => messages.at(-1)?.event === 'caughtUp');
    expect(reader.messages).toHaveLength(inputs + 2);
    reader.close();
    await worker.input('One more.');
  }
});

describe('a reader whose connection breaks again and again', () => {
  /** What is received over many connections, each broken after a few messages. */
  async function broken(path: string, whole: () => number): Promise<readonly unknown[]> {
    const received: unknown[] = [];
    let lastId: string | undefined;
    for (let round = 0; received.length < whole(); round += 1) {
      const reader = await opened(path, lastId);
      const some = 1 + ((round * 7) % 5);
      const isEnough = () => received.length + reader.events.length >= whole();
      await reader.until(({ messages }) => messages.length >= some || isEnough());
      reader.close();
      received.push(...reader.events.map(({ data }) => data));
      lastId = reader.lastId;
    }
    return received;
  }

  it.each([['of a session'], ['of all sessions']])(
    'misses and repeats no event %s while it is written',
    async (which) => {
      const workers = [await sessionWith(0), await sessionWith(0)];
      const [first] = workers;
      const names = workers.map(({ sessionId }) => sessionId).join();
      const isOne = which === 'of a session';
      const path = isOne ? first!.path('/events') : `/v1/events?sessions=${names}`;
      const inputs = 30;
      const writing = Promise.all(
        workers.map(async (worker) => {
          for (let index = 0; index < inputs; index += 1) await worker.input(`Input ${index}.`);
        }),
      );
      const received = await broken(path, () => (isOne ? 1 : 2) * (inputs + 1));
      await writing;
      expect(received).toEqual(isOne ? await first!.events() : await lines(path));
    },
  );
});

describe('a server that stops', () => {
  it('ends its feeds at once, and they go on at the next one', async () => {
    const worker = await sessionWith(1);
    let beside = await startApp({ folder: app.folder });
    const reader = await FeedReader.open(beside.http, worker.path('/events'));
    await reader.until(({ messages }) => messages.length === 3);
    await beside.close();
    await reader.until(({ isEnded }) => isEnded);
    await worker.input('Meanwhile.');
    beside = await startApp({ folder: app.folder });
    const next = await FeedReader.open(beside.http, worker.path('/events'), reader.lastId);
    await next.until(({ messages }) => messages.length === 2);
    expect(next.messages.map(({ event, lastId }) => [event, lastId])).toEqual([
      ['InputAccepted', '2'],
      ['caughtUp', '2'],
    ]);
    next.close();
    await beside.close();
  });
});

it('a page says nothing of later events, and the page behind it does', async () => {
  const worker = await sessionWith(3);
  const { body } = await app.http.get<EventPageBody>(worker.path('/events?first=2'));
  expect([body.events.length, body.next]).toEqual([2, 2]);
});
