import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v5 } from 'uuid';
import { derivedId } from './derived-ids.js';
import { nameBasedUuid } from './name-based-uuid.js';

describe('nameBasedUuid', () => {
  it('gives the id that the package uuid gives, for any text', () => {
    const name = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 3_000 }));
    fc.assert(
      fc.property(fc.uuid(), name, (namespace, text) => {
        expect(nameBasedUuid(namespace)(text)).toBe(v5(text, namespace));
      }),
    );
  });

  it('gives the example of RFC 9562, appendix A.4', () => {
    expect(nameBasedUuid(v5.DNS)('www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('refuses a namespace that is no UUID', () => {
    expect(() => nameBasedUuid('holdfast')).toThrow('holdfast is no UUID');
  });
});

describe('derivedId', () => {
  it('keeps the ids that are already stored', () => {
    const namespace = v5('holdfast', v5.DNS);
    expect(derivedId('event', 'tenant', 7)).toBe(v5('["event","tenant",7]', namespace));
  });
});
