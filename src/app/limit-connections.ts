import type { FastifyInstance } from 'fastify';

/** Closes connections of an address that has its number of them: one client cannot take them all. */
export function limitConnections({ server }: FastifyInstance, connectionsMax: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    // Behind `close` the address is not known any more.
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > connectionsMax) socket.destroy();
  });
}
