import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { v5 as uuidv5 } from 'uuid';
import { nameBasedUuid } from './name-based-uuid.js';

/** The namespace of all ids that Holdfast derives is itself a UUIDv5 of the name "holdfast". */
const idOf = nameBasedUuid(uuidv5('holdfast', uuidv5.DNS));

/** UUIDv5 over a list of parts; unambiguous, since the parts are written as a JSON array. */
export function derivedId(...parts: readonly (string | number)[]): string {
  return idOf(JSON.stringify(parts));
}

/** The whole scope of an idempotency key, and the event's place in the command's batch. */
export function eventId(
  tenantId: string,
  sessionId: string,
  commandType: string,
  commandId: string,
  index: number,
): string {
  return derivedId('event', tenantId, sessionId, commandType, commandId, index);
}

/** Holdfast's own id of a tool call: the provider's can repeat or be missing. */
export function toolCallId(sessionId: string, messageId: string, ordinal: number): string {
  return derivedId('call', sessionId, messageId, ordinal);
}

/** One per call: ordered twice, it is the same operation at the target. */
export function compensationCallId(sessionId: string, callId: string): string {
  return derivedId('compensation', sessionId, callId);
}

/** The user message that an input becomes. */
export function messageIdOfInput(sessionId: string, inputId: string): string {
  return derivedId('message', sessionId, inputId);
}

/** A child session has one id per spawning call: a restarted parent finds it again. */
export function childSessionId(sessionId: string, callId: string): string {
  return derivedId('child', sessionId, callId);
}

export function importedSessionId(tenantId: string, format: string, nativeId: string): string {
  return derivedId('import', tenantId, `${format}:${nativeId}`);
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * The operation key that goes to the tool's target: `hf1` and 52 characters; the same for every
 * attempt and every fork, made of ids only (reconciliation protocol, §4).
 */
export function operationKey(tenantId: string, originSessionId: string, callId: string): string {
  const text = canonicalize(['hf1', tenantId, originSessionId, callId]) as string;
  return `hf1${base32(createHash('sha256').update(text).digest())}`;
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      text += BASE32[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

/**
 * Streams are named so that one tenant's names are never a prefix of another's.
 * @throws TypeError when the tenant's id would be read as another tenant's.
 */
export function sessionStream(tenantId: string, sessionId: string): string {
  return `session-${checkedTenant(tenantId)}.${sessionId}`;
}

/** The stream of what belongs to a tenant and to no session of it. */
export function tenantStream(tenantId: string): string {
  return `tenant-${checkedTenant(tenantId)}`;
}

/** The stream of a tenant's denials and exports. */
export function auditStream(tenantId: string): string {
  return `audit-${checkedTenant(tenantId)}`;
}

/** The stream of what was spent of one budget in one period. */
export function ledgerStream(tenantId: string, ledgerId: string): string {
  return `budget-${checkedTenant(tenantId)}.${ledgerId}`;
}

function checkedTenant(tenantId: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(tenantId)) return tenantId;
  throw new TypeError(`tenant id "${tenantId}" may have only letters, digits, _ and -`);
}

export function sessionOfStream(
  stream: string,
): { readonly tenantId: string; readonly sessionId: string } | undefined {
  const match = /^session-([A-Za-z0-9_-]+)\.(.+)$/.exec(stream);
  return match === null ? undefined : { tenantId: match[1]!, sessionId: match[2]! };
}

/** Whose events a stream holds, whatever kind it is of; undefined: it is none of ours. */
export function tenantOfStream(stream: string): string | undefined {
  return /^(?:session|tenant|audit|budget)-([A-Za-z0-9_-]+)(?:$|\.)/.exec(stream)?.[1];
}
