import { SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AccessScope } from '../domain/access/access-scopes.js';

/** Who sends a request, taken from the credential and from nowhere else. */
export interface Principal {
  readonly tenantId: string;
  /** `local`, `key:<keyId>` or `user:<subject>`. */
  readonly actor: string;
  readonly scopes: ReadonlySet<AccessScope>;
}

export const PUBLIC = Symbol('public');
/** For routes that tell nothing but the server's state. */
export const WithoutKey = () => SetMetadata(PUBLIC, true);

export type AuthenticatedRequest = FastifyRequest & { principal?: Principal };

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
