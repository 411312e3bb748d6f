import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { NumberTooLargeError, parseExact } from '../commands/dto/exact-json.js';
import { jsonFault } from '../commands/dto/json-value.js';
import { ProblemError } from './problem.js';

/**
 * JSON is the one type of body that is read. What must not be stored (bytes that are no text, keys
 * that change prototypes, endless depth) is refused here, before anything walks through it.
 */
export function readJsonBodiesOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // Many clients name a type with every request; a deletion has no body to be missed.
      if (request.method === 'DELETE' && body.length === 0) return done(null);
      done(null, parsedBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

function parsedBody(body: Buffer): object {
  if (body.length === 0) throw refused('the body is empty; send a JSON object');
  if (!isUtf8(body)) throw refused('the body is not text in UTF-8');
  const value = parsed(body.toString('utf8'));
  const fault = jsonFault(value);
  if (fault !== undefined) throw refused(`the body ${fault}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused('the body must be a JSON object');
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    if (error instanceof NumberTooLargeError) throw refused(error.message);
    throw refused(`the body is not JSON: ${(error as Error).message}`);
  }
}

function refused(detail: string): ProblemError {
  return new ProblemError('invalid_request', detail);
}
