import type { FastifyInstance } from 'fastify';
import { ProblemError, problem } from '../api/problem.js';

interface Path {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/**
 * A path that is there with another method is answered with 405 and the methods that it has, and one
 * that is not there with 404; of the request's body nothing is read.
 */
export function refuseOtherMethods(fastify: FastifyInstance): void {
  const paths = new Map<string, Path>();
  fastify.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const found = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    paths.set(url, found);
    for (const one of [method].flat()) found.methods.add(one);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const [path = ''] = request.url.split('?', 1);
    const there = [...paths.values()].filter(({ pattern }) => pattern.test(path));
    const methods = [...new Set(there.flatMap((one) => [...one.methods]))].sort();
    if (methods.length === 0) {
      return done(new ProblemError('not_found', 'there is nothing at this path'));
    }
    const allowed = methods.join(', ');
    const answer = problem('method_not_allowed', `here are ${allowed}, not ${request.method}`);
    void reply.status(answer.status).header('Allow', allowed);
    void reply.type('application/problem+json').send(answer);
  });
}

/** Of a route such as `/v1/sessions/:sessionId`. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
