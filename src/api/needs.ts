import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { AccessScope } from '../domain/access/access-scopes.js';

export const NEEDED_SCOPES = Symbol('neededScopes');

/** The scope that an operation asks of its sender; of several, one is enough. */
export function Needs(...scopes: readonly [AccessScope, ...AccessScope[]]): MethodDecorator {
  return applyDecorators(SetMetadata(NEEDED_SCOPES, scopes), ApiExtension('x-scopes', scopes));
}
