import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';

let app: AppInProcess;
const sockets: Socket[] = [];
/** Wrong keys are slowed down by the minute. */
let aheadMs = 0;
beforeAll(async () => {
  app = await startApp({ clock: () => Date.now() + aheadMs });
});
afterEach(() => {
  aheadMs += 60_000;
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const WRONG_KEY = `hf_${'0'.repeat(16)}_${'0'.repeat(64)}`;
const BODY = '{"sessionId":"told-to-go-on"}';

/** Sends a head, and reads what comes until it holds all of `wanted`. */
async function sent(
  target: string,
  headers: Readonly<Record<string, string | number>>,
): Promise<{ readonly socket: Socket; readonly until: (wanted: RegExp) => Promise<string> }> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  sockets.push(socket);
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => (said += text));
  const lines = Object.entries({ Host: 'localhost', ...headers }).map((one) => one.join(': '));
  socket.write(`${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  const until = async (wanted: RegExp): Promise<string> => {
    while (!wanted.test(said)) await once(socket, 'data');
    return said;
  };
  return { socket, until };
}

const json = { 'Content-Type': 'application/json' };

describe('a request whose body has not come', () => {
  const bodies = {
    'of a length': { 'Content-Length': 1_000_000 },
    'over the limit': { 'Content-Length': 1_000_000_000 },
    'of any length': { 'Transfer-Encoding': 'chunked' },
  };
  const targets = ['POST /v1/sessions', 'POST /v1/sessions/s1/artifacts', 'POST /graphql'];
  const cases = targets.flatMap((target) =>
    Object.entries(bodies).map(([name, headers]) => [target, name, headers] as const),
  );

  it.each(cases)('%s, %s, is refused by its missing key', async (target, _, headers) => {
    const type = target.endsWith('artifacts') ? 'application/octet-stream' : 'application/json';
    const { until } = await sent(target, { 'Content-Type': type, ...headers });
    expect(await until(/"unauthenticated"/)).toMatch(/^HTTP\/1.1 401 /);
  });

  it('is refused where there is nothing', async () => {
    const { until } = await sent('POST /v1/nothing', { ...json, 'Content-Length': 1_000_000 });
    expect(await until(/"not_found"/)).toMatch(/^HTTP\/1.1 404 /);
  });

  it('ends the connection where it is too long to be read for nothing', async () => {
    const { socket, until } = await sent('POST /v1/sessions', {
      ...json,
      ...bodies['over the limit'],
    });
    expect(await until(/"unauthenticated"/)).toMatch(/\r\nconnection: close\r\n/i);
    if (!socket.closed) await once(socket, 'close');
  });

  it('leaves the connection for the next request where it is short', async () => {
    const { socket, until } = await sent('POST /v1/sessions', { ...json, 'Content-Length': 10 });
    await until(/"unauthenticated"/);
    socket.write('0123456789GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await until(/"ok"/)).toMatch(/HTTP\/1.1 200 /);
  });
});

describe('who asks whether to send the body', () => {
  const asking = { ...json, 'Content-Length': BODY.length, Expect: '100-continue' };

  it('is refused without a key', async () => {
    const { until } = await sent('POST /v1/sessions', asking);
    expect(await until(/"unauthenticated"/)).toMatch(/^HTTP\/1.1 401 /);
  });

  it('is told to with one, and served', async () => {
    const headers = { ...asking, Authorization: `Bearer ${app.http.key}` };
    const { socket, until } = await sent('POST /v1/sessions', headers);
    expect(await until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 100 Continue\r\n/);
    socket.write(BODY);
    expect(await until(/"revision"/)).toMatch(/HTTP\/1.1 201 /);
  });
});

describe('a body that cannot be read', () => {
  const unreadable = [
    ['no JSON', { ...json, 'Content-Length': 4 }, '{"a"', 400, 'invalid_request'],
    ['no text', { ...json, 'Content-Length': 3 }, '"\xff"', 400, 'invalid_request'],
    [
      'another type',
      { 'Content-Type': 'text/xml', 'Content-Length': 4 },
      '<a/>',
      415,
      'unsupported_media_type',
    ],
  ] as const;

  it.each(unreadable)(
    '(%s) is nothing to who has no key',
    async (_, headers, body, status, code) => {
      for (const key of [undefined, WRONG_KEY]) {
        const withKey =
          key === undefined ? headers : { ...headers, Authorization: `Bearer ${key}` };
        const { socket, until } = await sent('POST /v1/sessions', withKey);
        socket.write(Buffer.from(body, 'latin1'));
        expect(await until(/"code"/)).toMatch(/^HTTP\/1.1 401 /);
      }
      const headersOfKey = { ...headers, Authorization: `Bearer ${app.http.key}` };
      const { socket, until } = await sent('POST /v1/sessions', headersOfKey);
      socket.write(Buffer.from(body, 'latin1'));
      expect(await until(new RegExp(`"${code}"`))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    },
  );
});

it('a refusal before the body is counted and told as any other', async () => {
  const counted = async () =>
    Number(
      /holdfast_problems_total\{code="unauthenticated"\} (\d+)/.exec(
        (await app.http.get('/metrics')).text,
      )?.[1] ?? 0,
    );
  const before = await counted();
  const answer = await app.http.send('POST', '/v1/sessions', { body: {}, key: null });
  expectProblem(answer, 401, 'unauthenticated');
  expect(await counted()).toBe(before + 1);
});
