import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type HttpProbe, httpProbeFaults, readProbeAnswer } from './http-probe.js';
import { filledUrl } from './http-request.js';

const PROBE: HttpProbe = {
  method: 'GET',
  urlTemplate: 'https://api.example.com/orders/{opKey}?ref={externalRef}',
  rules: [
    { status: [200], pointer: '/state', in: ['done', 'shipped'], answer: 'found' },
    { status: [200], pointer: '/state', equals: 'pending', answer: 'inProgress' },
    { status: [404], pointer: '/code', equals: 'no_such_order', answer: 'notFound' },
    { status: [410], pointer: '/gone', exists: false, answer: 'notFound' },
    { status: [409, 401, 500], answer: 'found' },
  ],
  externalRefPointer: '/id',
};

describe('reading what a target answers', () => {
  it.each([
    [200, { state: 'done' }, 'found'],
    [200, { state: 'shipped' }, 'found'],
    [200, { state: 'pending' }, 'inProgress'],
    [200, { state: 'lost' }, 'unclear'],
    [200, undefined, 'unclear'],
    [404, { code: 'no_such_order' }, 'notFound'],
    [404, { code: 'no_such_route' }, 'unclear'],
    [404, undefined, 'unclear'],
    [410, {}, 'notFound'],
    [410, { gone: 1 }, 'unclear'],
    [409, undefined, 'found'],
    [401, undefined, 'error'],
    [403, undefined, 'error'],
    [429, undefined, 'error'],
    [500, undefined, 'error'],
    [302, undefined, 'error'],
  ] as const)('status %i with %j means %s', (status, body, answer) => {
    expect(readProbeAnswer(PROBE, status, body).answer).toBe(answer);
  });

  it('keeps the mapped fields and nothing else', () => {
    expect(readProbeAnswer(PROBE, 200, { state: 'done', id: 'order-7', card: '4111' })).toEqual({
      answer: 'found',
      externalRef: 'order-7',
      excerpt: '"done"',
    });
    const hostile = { state: 'done', id: 'x'.repeat(300) };
    expect(readProbeAnswer(PROBE, 200, hostile).externalRef).toBeUndefined();
  });
});

describe('an address with values of a tool in it', () => {
  const template = 'https://api.example.com:8443/orders/{opKey}/by/{externalRef}?ref={externalRef}';

  it('encodes each value as one segment or one query value', () => {
    expect(filledUrl(template, { opKey: 'a/b', externalRef: 'c&d=é' })).toBe(
      'https://api.example.com:8443/orders/a%2Fb/by/c%26d%3D%C3%A9?ref=c%26d%3D%C3%A9',
    );
  });

  it.each(['', '.', '..', 'x'.repeat(10_000), '\ud800'])('refuses %j', (externalRef) => {
    expect(filledUrl(template, { opKey: 'key', externalRef })).toBeUndefined();
  });

  it('lets no value change scheme, host, port or depth of the path', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        '/',
        '..',
        '.',
        '?',
        '#',
        '@',
        ':',
        '\\',
        '\r\n',
        '\0',
        '%2e',
        '%',
        'a',
      ),
      maxLength: 40,
    });
    fc.assert(
      fc.property(hostile, hostile, (opKey, externalRef) => {
        const url = filledUrl(template, { opKey, externalRef });
        if (url === undefined) return true;
        const { origin, pathname, hash, searchParams } = new URL(url);
        return (
          origin === 'https://api.example.com:8443' &&
          pathname.split('/').length === 5 &&
          hash === '' &&
          [...searchParams].length === 1 &&
          searchParams.get('ref') === externalRef
        );
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('a probe as somebody wrote it', () => {
  it('is sound', () => {
    expect(httpProbeFaults(PROBE)).toEqual([]);
    expect(httpProbeFaults({ ...PROBE, method: 'POST', readOnly: true })).toEqual([]);
    const headers = { Authorization: { secret: 'orders' }, 'X-Mode': 'status' };
    expect(httpProbeFaults({ ...PROBE, headers })).toEqual([]);
  });

  it.each([
    [{ method: 'DELETE' }, /method must be/],
    [{ method: 'POST' }, /readOnly: true/],
    [{ urlTemplate: 'https://api.example.com/orders' }, /must name the operation/],
    [{ urlTemplate: 'https://{opKey}.example.com/' }, /fixed texts/],
    [{ urlTemplate: 'https://{externalRef}/x' }, /fixed texts/],
    [{ urlTemplate: 'https://a.test/{who}/{opKey}' }, /\{who\} is not known/],
    [{ urlTemplate: 'https://me@a.test/{opKey}' }, /no user/],
    [{ urlTemplate: 'https://a.test/x#{opKey}' }, /fragment/],
    [{ urlTemplate: 'https://a.test/x?{opKey}=1' }, /not in their names/],
    [{ urlTemplate: 'file:///{opKey}' }, /must be https/],
    [{ headers: { Cookie: 'a' } }, /Cookie cannot be set/],
    [{ headers: { Authorization: 'Bearer x' } }, /is stored as it is/],
    [{ rules: [] }, /1 to 32 rules/],
    [{ rules: [{ status: [99], answer: 'found' }] }, /status codes/],
    [{ rules: [{ status: [200], answer: 'done' }] }, /answer must be/],
    [{ rules: [{ status: [200], equals: 1, answer: 'found' }] }, /needs a pointer/],
    [{ rules: [{ status: [200], pointer: 'state', answer: 'found' }] }, /JSON pointer/],
    [{ rule: [] }, /httpProbe.rule is not known/],
  ])('%j is a fault', (change, fault) => {
    expect(httpProbeFaults({ ...PROBE, ...change }).join('\n')).toMatch(fault);
  });
});
