import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { CommandScope } from '../commands/command-scope.js';
import { ID_CHARACTERS_MAX } from '../commands/dto/fields.js';
import { type AuthenticatedRequest, type Principal, principalOf } from './principal.js';
import { ProblemError } from './problem.js';

const KEY_CHARACTERS_MAX = 255;
const PATH_ID = /^[A-Za-z0-9][A-Za-z0-9._~:@-]*$/;

/** The sender, as the credential names it. */
export const Sender = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  return principalOf(context.switchToHttp().getRequest<AuthenticatedRequest>());
});

/** The session that the path names, with what the headers say about the command. */
export const Scope = createParamDecorator((_: unknown, context: ExecutionContext): CommandScope => {
  const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
  const { sessionId = '' } = request.params as { sessionId?: string };
  return commandScope(request, sessionId);
});

export function commandScope(request: AuthenticatedRequest, sessionId: string): CommandScope {
  const { tenantId, actor } = principalOf(request);
  return {
    tenantId,
    sessionId: checkedId(sessionId),
    actor,
    idempotencyKey: keyOf(request.headers['idempotency-key']),
    ifRevision: revisionOf(request.headers['if-match']),
  };
}

/** An id in a path that no session can have names nothing. */
export function checkedId(id: string): string {
  if (id.length > ID_CHARACTERS_MAX || (id !== '' && !PATH_ID.test(id))) {
    throw new ProblemError('not_found', 'there is nothing with this id');
  }
  return id;
}

function keyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = Array.isArray(header) ? header.join(',') : header;
  // The draft writes the key as a quoted string; both forms name the same key.
  const bare = /^"(.*)"$/.exec(key)?.[1] ?? key;
  if (bare.length === 0 || bare.length > KEY_CHARACTERS_MAX) {
    throw new ProblemError(
      'invalid_request',
      `Idempotency-Key must have 1 to ${KEY_CHARACTERS_MAX} characters`,
    );
  }
  return bare;
}

function revisionOf(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined;
  const revision = /^(?:W\/)?"(\d{1,15})"$/.exec(header)?.[1];
  if (revision === undefined) {
    throw new ProblemError(
      'invalid_request',
      'If-Match must be the ETag of a session: "<revision>"',
    );
  }
  return Number(revision);
}
