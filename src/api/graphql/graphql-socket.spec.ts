import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, jest } from '@jest/globals';
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

async function connected(idleMsMax?: number): Promise<WebSocket> {
  const credentials = { start: () => () => undefined };
  const authenticate = async () => ({}) as Asking;
  const sockets = new GraphqlSocket(SCHEMA, false, authenticate, credentials, idleMsMax);
  const server = createServer();
  server.on('upgrade', (request, socket, head) => sockets.accept(request, socket, head));
  const socket = await opened(server);
  cleanups.push(async () => {
    await sockets.close();
    server.close();
  });
  return socket;
}

const closed = (socket: WebSocket) =>
  new Promise((resolve) => socket.once('close', (code) => resolve(code)));

it('a connection on which nothing is subscribed is closed', async () => {
  const socket = await connected(60);
  const over = closed(socket);
  socket.send(JSON.stringify({ type: 'connection_init' }));
  expect(await over).toBe(4408);
});

it('a message that is too long ends its connection, and is nothing for the log', async () => {
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const socket = await connected();
  const over = closed(socket);
  socket.send('x'.repeat(100_000));
  expect(await over).toBe(1009);
  expect(said).not.toHaveBeenCalled();
  said.mockRestore();
});
