import { Rejection } from '../rejection.js';
import type { Role } from './access-scopes.js';

/** A key of a tenant, without its secret: only a hash of that is kept. */
export interface AccessKey {
  /** The tenant, a dot, and a random part: where the key is looked up. */
  readonly keyId: string;
  /** What people call it. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** SHA-256, hex. */
  readonly secretHash: string;
  readonly addedBy: string;
  /** ISO 8601, as all moments here. */
  readonly addedAt: string;
  readonly expiresAt: string;
  /** The key that this one takes over from. */
  readonly replaces?: string;
  readonly revokedAt?: string;
  /** The last day, in UTC, on which it was used; to the day. */
  readonly lastUsedOn?: string;
}

export type AccessKeyEvent =
  | { readonly type: 'AccessKeyAdded'; readonly data: { readonly key: AccessKey } }
  | {
      readonly type: 'AccessKeyRevoked';
      readonly data: { readonly keyId: string; readonly revokedAt: string };
    }
  | {
      readonly type: 'AccessKeyExpiryChanged';
      readonly data: { readonly keyId: string; readonly expiresAt: string };
    }
  | {
      readonly type: 'AccessKeyUsed';
      readonly data: { readonly keyId: string; readonly usedOn: string };
    };

export type AccessKeyCommand =
  | { readonly type: 'AddAccessKey'; readonly key: AccessKey }
  | {
      readonly type: 'RotateAccessKey';
      readonly keyId: string;
      /** Of the new key; its name and roles are those of the old one. */
      readonly next: Pick<AccessKey, 'keyId' | 'secretHash' | 'addedBy' | 'addedAt' | 'expiresAt'>;
      /** Until when the old key is good, too. */
      readonly overlapUntil: string;
    }
  | { readonly type: 'RevokeAccessKey'; readonly keyId: string; readonly now: string }
  | { readonly type: 'NoteAccessKeyUse'; readonly keyId: string; readonly usedOn: string };

export const ACCESS_KEYS_MAX = 1_000;

/** Whether the key opens anything at this moment. */
export function isGood({ revokedAt, expiresAt }: AccessKey, now: string): boolean {
  return revokedAt === undefined && now < expiresAt;
}

export function evolveAccessKeys(
  keys: readonly AccessKey[],
  { type, data }: AccessKeyEvent,
): readonly AccessKey[] {
  switch (type) {
    case 'AccessKeyAdded':
      return [...keys, data.key];
    case 'AccessKeyRevoked':
      return changed(keys, data.keyId, { revokedAt: data.revokedAt });
    case 'AccessKeyExpiryChanged':
      return changed(keys, data.keyId, { expiresAt: data.expiresAt });
    case 'AccessKeyUsed':
      return changed(keys, data.keyId, { lastUsedOn: data.usedOn });
  }
}

/** @throws Rejection `not_found`, `invalid_state`, `limit_exceeded`. */
export function decideAccessKeys(
  command: AccessKeyCommand,
  keys: readonly AccessKey[],
): readonly AccessKeyEvent[] {
  switch (command.type) {
    case 'AddAccessKey':
      return added(command.key, keys);
    case 'RotateAccessKey':
      return rotated(command, keys);
    case 'RevokeAccessKey': {
      const { keyId, now } = command;
      const { revokedAt } = keyWith(keyId, keys);
      if (revokedAt !== undefined) return [];
      return [{ type: 'AccessKeyRevoked', data: { keyId, revokedAt: now } }];
    }
    case 'NoteAccessKeyUse': {
      const { keyId, usedOn } = command;
      const { lastUsedOn = '' } = keyWith(keyId, keys);
      return usedOn > lastUsedOn ? [{ type: 'AccessKeyUsed', data: { keyId, usedOn } }] : [];
    }
  }
}

function added(key: AccessKey, keys: readonly AccessKey[]): readonly AccessKeyEvent[] {
  if (keys.filter((one) => isGood(one, key.addedAt)).length >= ACCESS_KEYS_MAX) {
    throw new Rejection(
      'limit_exceeded',
      `a tenant has at most ${ACCESS_KEYS_MAX} keys; revoke some first`,
      { limit: 'accessKeysMax' },
    );
  }
  return [{ type: 'AccessKeyAdded', data: { key } }];
}

function rotated(
  { keyId, next, overlapUntil }: AccessKeyCommand & { readonly type: 'RotateAccessKey' },
  keys: readonly AccessKey[],
): readonly AccessKeyEvent[] {
  const old = keyWith(keyId, keys);
  if (!isGood(old, next.addedAt)) {
    throw new Rejection(
      'invalid_state',
      `key ${keyId} is ${old.revokedAt === undefined ? 'expired' : 'revoked'}: add a new one`,
      { keyId },
    );
  }
  const { name, roles } = old;
  const events = added({ ...next, name, roles, replaces: keyId }, keys);
  if (old.expiresAt <= overlapUntil) return events;
  return [...events, { type: 'AccessKeyExpiryChanged', data: { keyId, expiresAt: overlapUntil } }];
}

function keyWith(keyId: string, keys: readonly AccessKey[]): AccessKey {
  const key = keys.find((one) => one.keyId === keyId);
  if (key === undefined) throw new Rejection('not_found', `there is no key ${keyId}`, { keyId });
  return key;
}

function changed(
  keys: readonly AccessKey[],
  keyId: string,
  change: Partial<AccessKey>,
): readonly AccessKey[] {
  return keys.map((key) => (key.keyId === keyId ? { ...key, ...change } : key));
}
