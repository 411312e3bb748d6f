import { describe, expect, it } from '@jest/globals';
import {
  ACCESS_KEYS_MAX,
  type AccessKey,
  type AccessKeyCommand,
  decideAccessKeys,
  evolveAccessKeys,
  isGood,
} from './access-keys.js';
import { roleScopes, roles, scopesOf } from './access-scopes.js';

const key: AccessKey = {
  keyId: 'acme.1',
  name: 'agents',
  roles: ['worker'],
  secretHash: 'aa',
  addedBy: 'user:ada',
  addedAt: '2026-01-05T09:00:00.000Z',
  expiresAt: '2026-04-05T09:00:00.000Z',
};
const next = { ...key, keyId: 'acme.2', secretHash: 'bb', addedAt: '2026-02-01T00:00:00.000Z' };

function after(...commands: readonly AccessKeyCommand[]): readonly AccessKey[] {
  return commands.reduce<readonly AccessKey[]>(
    (keys, command) => decideAccessKeys(command, keys).reduce(evolveAccessKeys, keys),
    [],
  );
}

const add: AccessKeyCommand = { type: 'AddAccessKey', key };
const rotate: AccessKeyCommand = {
  type: 'RotateAccessKey',
  keyId: 'acme.1',
  next,
  overlapUntil: '2026-02-02T00:00:00.000Z',
};
const revoke: AccessKeyCommand = {
  type: 'RevokeAccessKey',
  keyId: 'acme.1',
  now: '2026-01-06T00:00:00.000Z',
};

describe('a key of a tenant', () => {
  it('is good from when it is added until it expires', () => {
    const [added] = after(add);
    expect(isGood(added!, '2026-04-05T08:59:59.999Z')).toBe(true);
    expect(isGood(added!, '2026-04-05T09:00:00.000Z')).toBe(false);
  });

  it('is good no more once it is revoked, and revoked once', () => {
    const keys = after(add, revoke);
    expect(isGood(keys[0]!, '2026-01-06T00:00:00.000Z')).toBe(false);
    expect(decideAccessKeys({ ...revoke, now: '2026-01-07T00:00:00.000Z' }, keys)).toEqual([]);
  });

  it('is followed by one with the same name and roles, and ends after the overlap', () => {
    expect(after(add, rotate)).toEqual([
      { ...key, expiresAt: '2026-02-02T00:00:00.000Z' },
      { ...next, name: 'agents', roles: ['worker'], replaces: 'acme.1' },
    ]);
  });

  it('never lives longer because of a rotation', () => {
    const keys = after(add, { ...rotate, overlapUntil: '2027-01-01T00:00:00.000Z' });
    expect(keys[0]!.expiresAt).toBe(key.expiresAt);
  });

  it.each<[string, readonly AccessKeyCommand[], AccessKeyCommand, string]>([
    ['rotated after it was revoked', [add, revoke], rotate, 'invalid_state'],
    [
      'rotated after it has expired',
      [{ ...add, key: { ...key, expiresAt: '2026-01-31T00:00:00.000Z' } }],
      rotate,
      'invalid_state',
    ],
    ['revoked when there is none', [], revoke, 'not_found'],
  ])('is not %s', (_, given, command, code) => {
    expect(() => decideAccessKeys(command, after(...given))).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it('is noted as used once a day', () => {
    const use: AccessKeyCommand = {
      type: 'NoteAccessKeyUse',
      keyId: key.keyId,
      usedOn: '2026-01-06',
    };
    const keys = after(add, use);
    expect(keys[0]!.lastUsedOn).toBe('2026-01-06');
    expect(decideAccessKeys(use, keys)).toEqual([]);
    expect(decideAccessKeys({ ...use, usedOn: '2026-01-05' }, keys)).toEqual([]);
  });

  it('is one of a limited number that are good', () => {
    const keys = Array.from({ length: ACCESS_KEYS_MAX }, (_, at) => ({
      ...key,
      keyId: `acme.${at}`,
    }));
    const more: AccessKeyCommand = { type: 'AddAccessKey', key: { ...key, keyId: 'acme.more' } };
    expect(() => decideAccessKeys(more, keys)).toThrow(
      expect.objectContaining({ code: 'limit_exceeded' }),
    );
    const [first, ...rest] = keys;
    const revoked = { ...first!, revokedAt: key.addedAt };
    expect(decideAccessKeys(more, [revoked, ...rest])).toHaveLength(1);
  });
});

describe('the roles', () => {
  it('let nobody both decide and erase, or manage keys and read content', () => {
    for (const role of roles) {
      const scopes = scopesOf([role]);
      expect([role, scopes.has('escalation:decide') && scopes.has('session:erase')]).toEqual([
        role,
        false,
      ]);
      expect([role, scopes.has('key:manage') && scopes.has('content:read')]).toEqual([role, false]);
    }
  });

  it('add up', () => {
    const both = scopesOf(['eraser', 'admin']);
    expect([...both].sort()).toEqual([...roleScopes.eraser, ...roleScopes.admin].sort());
  });
});
