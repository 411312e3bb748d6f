import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyRequest } from 'fastify';
import type { AccessScope } from '../domain/access/access-scopes.js';
import { ProblemError } from './problem.js';

/** Who sends a request, taken from the credential and from nowhere else. */
export interface Principal {
  readonly tenantId: string;
  /** `local`, `key:<keyId>` or `user:<subject>`. */
  readonly actor: string;
  readonly scopes: ReadonlySet<AccessScope>;
}

export const WITHOUT_KEY = { needsNoKey: true };
/** For routes that tell nothing but the server's state. */
export const WithoutKey = () => RouteConfig(WITHOUT_KEY);

export function isWithoutKey(handler: object): boolean {
  return Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) === WITHOUT_KEY;
}

export function needsNoKey({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions.config as Partial<typeof WITHOUT_KEY>).needsNoKey === true;
}

export type AuthenticatedRequest = FastifyRequest & { principal?: Principal };

/** @throws ProblemError `unauthenticated` */
export function principalOf({ principal }: AuthenticatedRequest): Principal {
  if (principal === undefined) {
    throw new ProblemError('unauthenticated', 'this route needs a key');
  }
  return principal;
}

const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._~:@-]{0,127}$/;

/** What a request asked for and where it came from, as the audit trail names it. */
export function operationOf({ method, routeOptions, params, ip }: FastifyRequest): {
  readonly operation: string;
  readonly sessionId?: string;
  readonly source: string;
} {
  const { sessionId } = (params ?? {}) as { readonly sessionId?: string };
  const isNamed = sessionId !== undefined && SESSION_ID.test(sessionId);
  return {
    operation: `${method} ${routeOptions.url ?? ''}`,
    ...(isNamed ? { sessionId } : {}),
    source: ip,
  };
}
