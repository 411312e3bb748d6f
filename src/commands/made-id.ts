import { randomUUID } from 'node:crypto';
import { derivedId } from '../identity/derived-ids.js';
import type { CommandScope } from './command-scope.js';

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
