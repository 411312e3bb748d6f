import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from './authentication.js';
import { type AuthenticatedRequest, needsNoKey } from './principal.js';

/**
 * Finds out who sends a request before anything of its body is read. Who waits to be told to send one
 * (`Expect: 100-continue`) is told so then, or refused.
 */
export function authenticateFirst(fastify: FastifyInstance, authentication: Authentication): void {
  const { server } = fastify;
  const waiting = new WeakSet<FastifyRequest['raw']>();
  server.on('checkContinue', (request, response) => {
    waiting.add(request);
    server.emit('request', request, response);
  });
  fastify.addHook('onRequest', async (request: AuthenticatedRequest, reply: FastifyReply) => {
    if (needsNoKey(request)) return;
    try {
      request.principal = await authentication.principalOf(request);
    } catch (error) {
      if (hasLongBody(request)) void reply.header('Connection', 'close');
      throw error;
    }
    if (waiting.has(request.raw)) reply.raw.writeContinue();
  });
}

/** What its route would take is read and thrown away, so that the connection can be used again. */
function hasLongBody({ headers, routeOptions }: AuthenticatedRequest): boolean {
  const isOpenEnded = headers['transfer-encoding'] !== undefined;
  return isOpenEnded || Number(headers['content-length'] ?? 0) > (routeOptions.bodyLimit ?? 0);
}
