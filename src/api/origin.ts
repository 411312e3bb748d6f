import type { FastifyRequest } from 'fastify';
import { ProblemError } from './problem.js';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

type Asked = Pick<FastifyRequest, 'headers'>;

/**
 * A page in a browser can make its own name resolve to 127.0.0.1 (DNS rebinding), and any page can
 * send requests here. So a server on loopback answers only to loopback names, and only to pages
 * that it served itself.
 */
export function refuseForeignOrigin(request: Asked, boundHost: string): void {
  const allowed = new Set([...LOOPBACK_NAMES, boundHost]);
  if (!allowed.has(nameOf(request.headers.host))) {
    throw new ProblemError('forbidden', `this server does not answer to the host it was asked by`);
  }
  const { origin } = request.headers;
  if (origin !== undefined && !allowed.has(nameOf(hostOfOrigin(origin)))) {
    throw new ProblemError('forbidden', 'requests from pages of other origins are not served');
  }
}

/** The host without its port; an IPv6 address keeps its brackets. */
function nameOf(host: string | undefined): string {
  return (host ?? '').replace(/:\d+$/, '').toLowerCase();
}

function hostOfOrigin(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : '';
}

export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.has(host) || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
