import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problem.js';

const UPLOAD_ROUTE = /\/artifacts$/;

/** Bytes are read on the upload route only, and there as they come: nothing gathers them. */
export function readBytesOfUploads(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    if (UPLOAD_ROUTE.test(request.routeOptions.url ?? '')) return done(null, payload);
    const advice = 'send the body as application/json';
    return done(new ProblemError('unsupported_media_type', advice));
  });
}
