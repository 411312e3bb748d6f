import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { FeedReader } from '../support/feed-reader.js';
import { committedSchema } from '../support/graphql-operations.js';
import type { OpenApi } from '../support/openapi-bodies.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const OF_DEFAULT = 'session-of-default';
const OF_OTHER = 'session-of-other';
const MISSING = 'never-there-0001';

/** Every subscription: what is asked of it, by the id of a session. */
const SUBSCRIPTIONS: Readonly<Record<string, (sessionId: string) => string>> = {
  events: (sessionId) => `events(after: "0", sessions: "${sessionId}") { sessionId }`,
  sessionEvents: (sessionId) => `sessionEvents(sessionId: "${sessionId}") { type }`,
};
/** Every path of REST that can be followed. */
const FEEDS: Readonly<Record<string, (sessionId: string) => string>> = {
  '/v1/events': (sessionId) => `/v1/events?sessions=${sessionId}`,
  '/v1/sessions/{sessionId}/events': (sessionId) => `/v1/sessions/${sessionId}/events`,
};

let app: AppInProcess;
let otherKey: string;
beforeAll(async () => {
  app = await startApp();
  const holdfast = commandLineWith(() => ({ ...app.environment, HOLDFAST_TENANT: 'other' }));
  const { stdout } = await holdfast('keys', 'add', '--name', 'a', '--role', 'reader', 'writer');
  otherKey = stdout.trim();
  const worker = new SessionWorker(app.http, OF_DEFAULT);
  await worker.start();
  await worker.input('The canary sings.');
  const body = { sessionId: OF_OTHER };
  await app.http.send('POST', '/v1/sessions', { body, key: otherKey });
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** The first answer of a subscription; of one that has nothing to send, its connection's life. */
async function firstOf(query: string): Promise<unknown> {
  const client = createClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${otherKey}` },
    retryAttempts: 0,
  });
  const asked = client.iterate({ query: `subscription { ${query} }` }).next();
  const first = await asked.then(
    ({ value }): unknown => value,
    (error: unknown) => error,
  );
  void client.dispose();
  return JSON.stringify(first).replaceAll(/session-of-default|never-there-0001/g, '<id>');
}

describe('what another tenant has', () => {
  it('is covered by an entry here for each subscription and each feed that there is', async () => {
    const fields = Object.keys(committedSchema().getSubscriptionType()!.getFields());
    expect(Object.keys(SUBSCRIPTIONS).toSorted()).toEqual(fields.toSorted());
    const { paths } = (await app.http.get<OpenApi>('/openapi.json')).body;
    const followed = Object.entries(paths).flatMap(([path, methods]) =>
      JSON.stringify(methods).includes('text/event-stream') ? [path] : [],
    );
    expect(Object.keys(FEEDS).toSorted()).toEqual(followed.toSorted());
  });

  it('is subscribed to as little as what nobody has', async () => {
    const { sessionEvents, events } = SUBSCRIPTIONS;
    const foreign = await firstOf(sessionEvents!(OF_DEFAULT));
    expect(foreign).toEqual(await firstOf(sessionEvents!(MISSING)));
    expect(foreign).toContain('not_found');
    // A filter of what is not there lets through what else is asked for, and nothing but that.
    const both = await firstOf(events!(`${OF_DEFAULT},${OF_OTHER}`));
    expect(both).toBe(JSON.stringify({ data: { events: { sessionId: OF_OTHER } } }));
  });

  it.each(['application/json', 'application/x-ndjson'])('is no %s', async (accept) => {
    for (const path of Object.values(FEEDS)) {
      const [foreign, missing] = await Promise.all(
        [OF_DEFAULT, MISSING].map((id) =>
          app.http.get(path(id), { key: otherKey, headers: { Accept: accept } }),
        ),
      );
      const said = (text: string) =>
        text.replaceAll(/session-of-default|never-there-0001/g, '<id>');
      expect([foreign!.status, said(foreign!.text)]).toEqual([
        missing!.status,
        said(missing!.text),
      ]);
      expect(foreign!.text).not.toContain('canary');
    }
  });

  it('is no event stream', async () => {
    const http = { url: app.url, key: otherKey } as AppInProcess['http'];
    const ofSession = await FeedReader.open(
      http,
      FEEDS['/v1/sessions/{sessionId}/events']!(OF_DEFAULT),
    );
    expect(ofSession.answer.statusCode).toBe(404);
    ofSession.close();
    const all = await FeedReader.open(http, '/v1/events');
    await all.until(({ messages }) => messages.some(({ event }) => event === 'caughtUp'));
    const found = all.events.map(({ data }) => (data as { sessionId: string }).sessionId);
    expect(new Set(found)).toEqual(new Set([OF_OTHER]));
    all.close();
  });
});
