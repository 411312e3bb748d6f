import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { Denials } from '../audit/denials.js';
import type { AccessScope } from '../domain/access/access-scopes.js';
import { NEEDED_SCOPES } from './needs.js';
import { type AuthenticatedRequest, isWithoutKey, operationOf, principalOf } from './principal.js';
import { ProblemError } from './problem.js';

/** Lets a request to an operation when its sender has the scope that the operation declares. */
@Injectable()
export class AccessGuard implements CanActivate, OnModuleInit {
  private readonly log = new Logger(AccessGuard.name);

  constructor(
    private readonly reflector: Reflector,
    private readonly denials: Denials,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** An operation that declares nothing would be open to everybody, or to nobody. */
  onModuleInit(): void {
    const undeclared = this.discovery.getControllers().flatMap(({ metatype, instance }) => {
      if (!metatype) return [];
      const prototype = Object.getPrototypeOf(instance) as Readonly<Record<string, object>>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => isUndeclared(prototype[name]!))
        .map((name) => `${metatype.name}.${name}`);
    });
    if (undeclared.length === 0) return;
    throw new Error(`operations without a declared scope: ${undeclared.join(', ')}`);
  }

  canActivate(context: ExecutionContext): boolean {
    if (isWithoutKey(context.getHandler())) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const principal = principalOf(request);
    const needed = this.reflector.get<readonly AccessScope[]>(NEEDED_SCOPES, context.getHandler());
    if (!needed.some((scope) => principal.scopes.has(scope))) {
      this.log.warn(`${principal.actor} was refused ${context.getHandler().name}`);
      this.denials.note(principal, { reason: 'scopeMissing', ...operationOf(request), needed });
      throw new ProblemError('forbidden', `this needs ${needed.join(' or ')}`, { needed });
    }
    return true;
  }
}

function isUndeclared(method: object): boolean {
  return (
    Reflect.hasMetadata(METHOD_METADATA, method) &&
    !Reflect.hasMetadata(NEEDED_SCOPES, method) &&
    !isWithoutKey(method)
  );
}
