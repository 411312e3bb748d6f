import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DEFAULT_TENANT } from '../app/tenant.js';
import { KEY_CHECK, type KeyCheck } from '../tokens.js';
import { ProblemError } from './problem.js';

/** Who sends a request, taken from the credential and from nowhere else. */
export interface Principal {
  readonly tenantId: string;
  readonly actor: string;
}

const PUBLIC = Symbol('public');
/** For routes that tell nothing but the server's state. */
export const WithoutKey = () => SetMetadata(PUBLIC, true);

export type AuthenticatedRequest = FastifyRequest & { principal?: Principal };

@Injectable()
export class KeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(KEY_CHECK) private readonly isKey: KeyCheck,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const open = this.reflector.getAllAndOverride<boolean>(PUBLIC, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (open) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    requireKey(request, this.isKey);
    request.principal = { tenantId: DEFAULT_TENANT, actor: 'local' };
    return true;
  }
}

/** @throws ProblemError `unauthenticated`. */
export function requireKey({ headers }: FastifyRequest, isKey: KeyCheck): void {
  const key = bearerOf(headers.authorization);
  if (key !== undefined && isKey(key)) return;
  throw new ProblemError(
    'unauthenticated',
    'send the key as "Authorization: Bearer <key>"; `holdfast doctor` says where it is',
  );
}

function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header ?? '')?.[1];
}
