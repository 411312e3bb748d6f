import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Authentication } from './authentication.js';
import { type AuthenticatedRequest, needsNoKey } from './principal.js';

/** Of a refused request so much is read and thrown away, so that the connection can be used again. */
const DISCARDED_BYTES_MAX = 1_048_576;

/**
 * Finds out who sends a request before anything of its body is read. Who waits to be told to send one
 * (`Expect: 100-continue`) is told so then, or refused.
 */
export function authenticateFirst(fastify: FastifyInstance, authentication: Authentication): void {
  const { server } = fastify;
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  fastify.addHook('onRequest', async (request: AuthenticatedRequest, reply: FastifyReply) => {
    if (needsNoKey(request)) return;
    try {
      request.principal = await authentication.principalOf(request);
    } catch (error) {
      if (hasLongBody(request)) void reply.header('Connection', 'close');
      throw error;
    }
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
  });
}

function hasLongBody({ headers }: AuthenticatedRequest): boolean {
  const isOpenEnded = headers['transfer-encoding'] !== undefined;
  return isOpenEnded || Number(headers['content-length'] ?? 0) > DISCARDED_BYTES_MAX;
}
