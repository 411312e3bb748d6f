import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, type FormattedExecutionResult, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { type AppInProcess, startApp } from '../support/app-in-process.js';

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
  for (const sessionId of ['one', 'other']) await app.http.post('/v1/sessions', { sessionId });
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const clients: Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) void client.dispose();
});

function connected(key: string, closed: (event: unknown) => void = () => undefined): Client {
  const client = createClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${key}` },
    retryAttempts: 0,
    on: { closed },
  });
  clients.push(client);
  return client;
}

type Result = FormattedExecutionResult<Readonly<Record<string, never>>>;

async function taken(
  client: Client,
  query: string,
  count: number,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const subscription = client.iterate<Readonly<Record<string, never>>>({ query });
  for await (const result of subscription) {
    results.push(result as Result);
    if (results.length === 1) await meanwhile();
    if (results.length === count) break;
  }
  return results;
}

/** What the server closed the connection with when it refused the subscription. */
async function refusal(client: Client, query: string): Promise<unknown> {
  return taken(client, query, 1).then(
    (results) => results[0],
    (error: unknown) => error,
  );
}

const input = (sessionId: string, content: string) =>
  app.http.post(`/v1/sessions/${sessionId}/inputs`, { content });

describe('a subscription', () => {
  it('sends what is recorded, and then what comes, once each', async () => {
    const query = 'subscription { sessionEvents(sessionId: "one") { type revision data } }';
    const results = await taken(connected(app.http.key), query, 3, async () => {
      await input('one', 'first');
      await input('one', 'second');
    });
    const events = results.map(
      ({ data }) => data!.sessionEvents as unknown as Record<string, unknown>,
    );
    expect(events.map(({ type, revision }) => [type, revision])).toEqual([
      ['SessionStarted', 0],
      ['InputAccepted', 1],
      ['InputAccepted', 2],
    ]);
    const from = 'subscription { sessionEvents(sessionId: "one", after: 1) { revision } }';
    expect(await taken(connected(app.http.key), from, 1)).toEqual([
      { data: { sessionEvents: { revision: 2 } } },
    ]);
  });

  it('of all sessions has the filters of REST, and leads to the session', async () => {
    const query = `subscription {
      events(after: "0", types: "InputAccepted", sessions: "other") {
        sessionId type session { sessionId status }
      }
    }`;
    await input('other', 'here');
    expect(await taken(connected(app.http.key), query, 1)).toEqual([
      {
        data: {
          events: {
            sessionId: 'other',
            type: 'InputAccepted',
            session: { sessionId: 'other', status: expect.any(String) },
          },
        },
      },
    ]);
  });

  it('is refused with the codes of REST', async () => {
    const client = connected(app.http.key);
    const missing = 'subscription { sessionEvents(sessionId: "nobody") { type } }';
    expect(await refusal(client, missing)).toMatchObject({
      errors: [{ extensions: { code: 'not_found', status: 404 } }],
    });
    const code = 'invalid_request';
    for (const query of [
      '{ session(sessionId: "one") { status } }',
      'mutation { startSession(input: {}) { __typename } }',
      'subscription { events(after: "x") { type } }',
      'subscription { nothing { type } }',
      `subscription { sessionEvents(sessionId: "one") { ${'a: type '.repeat(400)} } }`,
      `subscription { sessionEvents(sessionId: "one") { ${Array.from({ length: 16 }, (_, index) => `a${index}: type`).join(' ')} } }`,
    ]) {
      const refused = await refusal(client, query);
      const [error] = Array.isArray(refused) ? refused : (refused as Result).errors!;
      expect([query, error.extensions]).toMatchObject([query, { code }]);
    }
  });

  it('has at most twenty beside it on one connection', async () => {
    const client = connected(app.http.key);
    const query = 'subscription { sessionEvents(sessionId: "one") { type } }';
    const opened: Promise<unknown>[] = [];
    for (let index = 0; index < 20; index += 1) {
      const waiting = client.iterate({ query });
      opened.push(waiting.next());
    }
    await Promise.all(opened);
    expect(await refusal(client, query)).toMatchObject([
      { extensions: { code: 'limit_exceeded', limits: { subscriptionsMax: 20 } } },
    ]);
  });
});

describe('a connection', () => {
  it('is closed to those without a key that may read', async () => {
    const query = 'subscription { sessionEvents(sessionId: "one") { type } }';
    expect(await refusal(connected('wrong'), query)).toMatchObject({ code: 4401 });
    const { body } = await app.http.post<{ key: string }>('/v1/keys', {
      name: 'admin',
      roles: ['admin'],
    });
    expect(await refusal(connected(body.key), query)).toMatchObject({
      errors: [{ extensions: { code: 'forbidden' } }],
    });
  });

  it('is closed when its key is revoked', async () => {
    const made = { name: 'reader', roles: ['reader'] };
    const { body } = await app.http.post<{ key: string; keyId: string }>('/v1/keys', made);
    const closed = new Promise((resolve) => {
      const query = 'subscription { sessionEvents(sessionId: "one") { type } }';
      const client = connected(body.key, resolve);
      client.subscribe(
        { query },
        { next: () => undefined, error: () => undefined, complete: () => undefined },
      );
      client.on('connected', () => void app.http.send('DELETE', `/v1/keys/${body.keyId}`));
    });
    expect(await closed).toMatchObject({ code: 4401, reason: 'unauthenticated' });
  });

  const raw = (path: string, options: object = {}): Promise<WebSocket> =>
    new Promise((resolve, reject) => {
      const url = `${app.url.replace('http', 'ws')}${path}`;
      const socket = new WebSocket(url, 'graphql-transport-ws', options);
      socket.once('open', () => resolve(socket));
      socket.once('error', reject);
    });

  it('is not opened for a page of another site, nor anywhere else', async () => {
    await expect(raw('/graphql', { origin: 'https://evil.example' })).rejects.toThrow('403');
    await expect(raw('/v1/sessions')).rejects.toThrow('404');
  });

  it('is closed by a message that is too large', async () => {
    const socket = await raw('/graphql');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { text: 'x'.repeat(70_000) } }));
    expect(await closed).toBe(1009);
  });

  it('does not keep the server from ending', async () => {
    const other = await startApp();
    const socket = new WebSocket(
      `${other.url.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
    );
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await other.close();
    expect(await closed).toBe(1001);
    other.folder.remove();
  });
});
