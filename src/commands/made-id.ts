import { randomUUID } from 'node:crypto';
import { childSessionId, derivedId } from '../identity/derived-ids.js';
import type { CommandScope } from './command-scope.js';
import type { StartSessionBody } from './start-session/start-session.dto.js';

type MadeKind = 'session' | 'fork' | 'input' | 'run' | 'modelCall' | 'message' | 'compaction';

/**
 * An id that the sender left to us. Under an Idempotency-Key a repetition gets the same one, and
 * so names the same object.
 */
export function madeId(scope: CommandScope, kind: MadeKind): string {
  const { tenantId, sessionId, idempotencyKey } = scope;
  if (idempotencyKey === undefined) return randomUUID();
  return derivedId('made', tenantId, sessionId, kind, idempotencyKey);
}

/** A child has one id for each call that starts it. */
export function newSessionId(scope: CommandScope, { parent }: StartSessionBody): string {
  const { sessionId, spawningCallId } = parent ?? {};
  if (sessionId === undefined || spawningCallId === undefined) return madeId(scope, 'session');
  return childSessionId(sessionId, spawningCallId);
}
