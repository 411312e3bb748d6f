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
