import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** All that the server says to these bytes until it hangs up. */
async function saidTo(bytes: string): Promise<{ head: string; body: Record<string, unknown> }> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head, body: JSON.parse(body) as Record<string, unknown> };
}

describe('bytes that are no HTTP request', () => {
  it.each([
    ['noise', '\u0000\u0001\u0002\r\n\r\n', 400, 'invalid_request'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 400, 'invalid_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'invalid_request',
    ],
    ['large headers', `GET / HTTP/1.1\r\nX-Large: ${'a'.repeat(40_000)}\r\n\r\n`, 431, 'too_large'],
  ])(
    '(%s) are answered with a problem and the end of the connection',
    async (_, bytes, status, code) => {
      const { head, body } = await saidTo(bytes);
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).toMatch(/Content-Type: application\/problem\+json/i);
      expect(body).toMatchObject({ status, code, title: expect.any(String) });
      expect((await app.http.get('/livez')).status).toBe(200);
    },
  );
});
