import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  childSessionId,
  derivedId,
  eventId,
  importedSessionId,
  messageIdOfInput,
  operationKey,
  sessionOfStream,
  sessionStream,
  toolCallId,
} from './derived-ids.js';

const UUID_5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const idArbitrary = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });

describe('derived ids', () => {
  it.each([
    [
      'an event',
      eventId('acme', 'session-1', 'AcceptInput', 'input-1', 0),
      '0808d49f-c318-5f0f-a312-7bf207faf310',
    ],
    [
      'a tool call',
      toolCallId('session-1', 'message-1', 0),
      'a3bf9cb4-4bb7-5a69-9388-aa7aba6d847d',
    ],
    [
      'the message of an input',
      messageIdOfInput('session-1', 'input-1'),
      '47eacca9-a91f-5484-a666-dadc8bee7130',
    ],
    [
      'a child session',
      childSessionId('session-1', 'call-1'),
      '89edd366-766a-523c-bcca-7b53bccb0b36',
    ],
    [
      'an imported session',
      importedSessionId('acme', 'claude-code', 'a1b2'),
      '3ec4a0f9-550b-5052-900c-5bfded227c0d',
    ],
  ])('of %s are the same for ever', (_, id, expected) => {
    expect(id).toBe(expected);
    expect(id).toMatch(UUID_5);
  });

  it('are different in different scopes, whatever the parts contain', () => {
    fc.assert(
      fc.property(fc.array(idArbitrary, { minLength: 4, maxLength: 4 }), fc.nat(99), (ids, n) => {
        const [tenant, session, name, other] = ids as [string, string, string, string];
        const all = [
          eventId(tenant, session, 'AcceptInput', name, n),
          eventId(tenant, session, 'AcceptInput', name, n + 1),
          eventId(tenant, session, 'WithdrawInput', name, n),
          eventId(tenant, session, 'AcceptInput', `${name}x`, n),
          eventId(tenant, `${session}x`, 'AcceptInput', name, n),
          eventId(`${tenant}x`, session, 'AcceptInput', name, n),
          toolCallId(session, name, n),
          toolCallId(session, name, n + 1),
          toolCallId(session, `${name}x`, n),
          toolCallId(`${session}x`, name, n),
          messageIdOfInput(session, name),
          childSessionId(session, name),
          importedSessionId(tenant, other, name),
        ];
        expect(new Set(all).size).toBe(all.length);
      }),
      { numRuns: 100 },
    );
  });

  it('keep their parts apart', () => {
    expect(derivedId('a', 'bc')).not.toBe(derivedId('ab', 'c'));
    expect(derivedId('a","b')).not.toBe(derivedId('a', 'b'));
    expect(derivedId('1')).not.toBe(derivedId(1));
    expect(derivedId('a')).not.toBe(derivedId('a', ''));
  });
});

describe('the operation key', () => {
  it('is the same for ever, for every attempt: it is made of ids only', () => {
    const key = operationKey('acme', 'session-1', 'call-1');
    expect(key).toBe('hf1jqwaxjn63ksu2nlvwrpfyhp6plllghu27xgaxurp4ui4memi5psq');
    expect(operationKey('acme', 'session-1', 'call-1')).toBe(key);
  });

  it('has 55 characters that every header and address can carry', () => {
    fc.assert(
      fc.property(idArbitrary, idArbitrary, idArbitrary, (tenant, session, call) => {
        expect(operationKey(tenant, session, call)).toMatch(/^hf1[a-z2-7]{52}$/);
      }),
      { numRuns: 100 },
    );
  });

  it('differs by tenant, session and call', () => {
    const keys = [
      operationKey('acme', 'session-1', 'call-1'),
      operationKey('acme', 'session-1', 'call-2'),
      operationKey('acme', 'session-2', 'call-1'),
      operationKey('other', 'session-1', 'call-1'),
      operationKey('acme', 'session-1call-1', ''),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the name of a stream', () => {
  it('tells tenant and session, whatever the session is called', () => {
    const tenantArbitrary = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
    const sessionArbitrary = fc.stringMatching(/^[A-Za-z0-9._:-]{1,20}$/);
    fc.assert(
      fc.property(tenantArbitrary, sessionArbitrary, (tenantId, sessionId) => {
        expect(sessionOfStream(sessionStream(tenantId, sessionId))).toEqual({
          tenantId,
          sessionId,
        });
      }),
      { numRuns: 200 },
    );
  });

  it('cannot be made for a tenant that would be mistaken for another one', () => {
    expect(() => sessionStream('acme.eu', 'session-1')).toThrow('acme.eu');
    expect(() => sessionStream('', 'session-1')).toThrow('tenant');
    expect(sessionOfStream('tenant-acme')).toBeUndefined();
    expect(sessionOfStream('session-acme')).toBeUndefined();
  });
});
