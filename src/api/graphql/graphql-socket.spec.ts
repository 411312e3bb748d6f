import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import WebSocket from 'ws';
import type { Asking } from './asking.js';
import { GraphqlSocket } from './graphql-socket.js';

const SCHEMA = buildSchema('type Query { a: Int } type Subscription { a: Int }');

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function opened(server: Server): Promise<WebSocket> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, 'graphql-transport-ws');
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

it('a connection on which nothing is subscribed is closed', async () => {
  const credentials = { start: () => () => undefined };
  const sockets = new GraphqlSocket(SCHEMA, false, async () => ({}) as Asking, credentials, 60);
  const server = createServer();
  server.on('upgrade', (request, socket, head) => sockets.accept(request, socket, head));
  const socket = await opened(server);
  cleanups.push(async () => {
    await sockets.close();
    server.close();
  });
  const closed = new Promise((resolve) => socket.once('close', (code) => resolve(code)));
  socket.send(JSON.stringify({ type: 'connection_init' }));
  expect(await closed).toBe(4408);
});
