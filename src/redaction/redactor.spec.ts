import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canaries } from '../../test/support/canary-secrets.js';
import { NO_POLICY, type RedactionPolicy } from '../domain/redaction/redaction-policy.js';
import { redactEvent } from './redact-event.js';
import { withoutSecrets } from './redacting-stream.js';
import { KNOWN_RULES, RedactionRules } from './redaction-rules.js';
import { OWN_PATTERNS_MS_MAX, Redactor } from './redactor.js';
import { PatternError, compilePattern } from './tenant-patterns.js';

const hmac = (secret: string) => createHmac('sha256', 'session').update(secret).digest('hex');

function redactor(policy: Partial<RedactionPolicy> = {}, nowMs = () => 0): Redactor {
  return new Redactor({ rules: new RedactionRules({ ...NO_POLICY, ...policy }), hmac, nowMs });
}

const masked = (value: unknown, policy?: Partial<RedactionPolicy>) =>
  redactor(policy).redact(value).value;

describe('known secrets', () => {
  it.each(canaries.map(({ rule, text, secret }) => [rule, text, secret]))(
    '%s is masked where it stands, and nothing around it',
    (rule, text, secret) => {
      const said = `Before it. ${text}, behind it.`;
      const { value, redactions } = redactor().redact(said);
      expect(value).toBe(said.replace(secret, `[redacted:${rule}:1]`));
      expect(redactions).toEqual([{ path: '', rule, n: 1, hmac: hmac(secret) }]);
    },
  );

  it('are of at least fifty kinds, all of them with a rule of their own', () => {
    expect(canaries.length).toBeGreaterThanOrEqual(50);
    const covered = new Set(canaries.map(({ rule }) => rule));
    const uncovered = KNOWN_RULES.filter((rule) => !covered.has(rule));
    expect(uncovered).toEqual(['entropy', 'overflow', 'signed']);
  });

  it('are not seen in what agents talk about all day', () => {
    const harmless = [
      'https://example.com/path?query=value#anchor and http://localhost:4680/v1/sessions',
      'commit 3f786850e387550fdab836ed7e6dc881de23001b, sha256:9f86d081884c7d659a2feaa0c55ad015',
      'the key is under the mat; tokens: 12345, password reset, secret santa, skillful-sk-work',
      'id 018f3b2e-7c4d-7a1b-9c3d-2e4f6a8b0c1d of user AKIA, monkey_live_test, sk-learn',
      '[redacted:github:1] and [redacted:private-key:2]',
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
      'function authorization(bearer) { return token.length > 20 }',
    ];
    for (const text of harmless)
      expect(redactor().redact(text)).toEqual({ value: text, redactions: [] });
  });

  it('take time that grows with the text only', () => {
    const hostile = [
      '-----BEGIN PRIVATE KEY-----'.repeat(4_000),
      `${'server='.repeat(10_000)};`,
      `password: ${'a1'.repeat(50_000)}`,
      `${'eyJ-'.repeat(30_000)}.`,
      'ops_eyJ+'.repeat(15_000),
      `password= ${'host=a;'.repeat(15_000)}`,
      `https://${'a:'.repeat(50_000)}`,
      `${'authorization: bearer '.repeat(5_000)}`,
    ];
    // Of the processor, so that a busy machine does not count; eight times the text, squared, is 64.
    const cpuMs = (text: string): number => {
      const before = process.cpuUsage();
      redactor().redact(text);
      return process.cpuUsage(before).user / 1_000;
    };
    for (const text of hostile) {
      const once = cpuMs(text);
      const name = text.slice(0, 20);
      expect([name, cpuMs(text.repeat(8)) < 40 * once + 400]).toEqual([name, true]);
    }
  });
});

describe('a value', () => {
  const [one, two] = [canaries[0]!, canaries[1]!];

  it('without secrets comes back as the same object', () => {
    const value = { a: ['b', { c: 'nothing in here' }], d: 1, e: null };
    expect(masked(value)).toBe(value);
  });

  it('says where each secret was; equal ones have the same number and hash', () => {
    const value = { a: one.secret, b: [{ 'c/d': `${two.secret} ${one.secret}` }] };
    const { value: after, redactions } = redactor().redact(value);
    expect(after).toEqual({
      a: `[redacted:${one.rule}:1]`,
      b: [{ 'c/d': `[redacted:${two.rule}:2] [redacted:${one.rule}:1]` }],
    });
    expect(redactions.map(({ path, n }) => [path, n])).toEqual([
      ['/a', 1],
      ['/b/0/c~1d', 2],
      ['/b/0/c~1d', 1],
    ]);
    expect(redactions[0]!.hmac).toBe(redactions[2]!.hmac);
    expect(JSON.stringify(redactions)).not.toContain(one.secret);
  });

  it('is masked in its names, too, and no path tells them', () => {
    const { value, redactions } = redactor().redact({ [one.secret]: { x: two.secret } });
    expect(JSON.stringify([value, redactions])).not.toContain(one.secret);
  });

  it('is found in JSON within JSON, too', () => {
    const said = JSON.stringify(`first line\n${one.secret}`);
    expect(masked(said)).toBe(JSON.stringify(`first line\n[redacted:${one.rule}:1]`));
  });

  it('is judged by the name that it has', () => {
    const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
    expect(masked({ secretAccessKey: secret })).toEqual({
      secretAccessKey: '[redacted:aws-secret-key:1]',
    });
    expect(masked({ Authorization: 'Bearer abcdefgh-1234' })).toEqual({
      Authorization: 'Bearer [redacted:authorization-header:1]',
    });
  });

  it('keeps long random tokens next to telling words, unless the tenant wants them masked', () => {
    const said = 'password = "q8Zr1mVx0LtY7uBn3KcW5sDf"';
    const { value, redactions } = redactor().redact(said);
    expect(value).toBe(said);
    expect(redactions).toMatchObject([{ rule: 'entropy', flagged: true }]);
    expect(masked(said, { entropy: 'mask' })).toBe('password = "[redacted:entropy:1]"');
    expect(masked({ apiToken: 'q8Zr1mVx0LtY7uBn3KcW5sDf' }, { entropy: 'mask' })).toEqual({
      apiToken: '[redacted:entropy:1]',
    });
  });

  it('of base64 is looked into where it is text', () => {
    const base64 = Buffer.from(`key ${one.secret}`).toString('base64');
    const block = { type: 'document', mediaType: 'text/plain', base64 };
    const after = masked(block) as typeof block;
    expect(Buffer.from(after.base64, 'base64').toString()).toBe(`key [redacted:${one.rule}:1]`);
    expect(masked({ ...block, mediaType: 'image/png' })).toMatchObject({ base64 });
  });

  it('that a provider has signed goes as a whole, another one is masked', () => {
    const thinking = { type: 'thinking', thinking: `It is ${one.secret}.`, signature: 'c2ln' };
    const message = {
      blocks: [
        { type: 'provider', block: thinking },
        { type: 'provider', block: { ...thinking, thinking: 'Nothing here.' } },
        { type: 'provider', block: { type: 'note', text: one.secret } },
        { type: 'toolCall', ordinal: 0, block: { thoughtSignature: 'x', args: one.secret } },
      ],
    };
    const { value, redactions } = redactor().redact(message);
    expect(value).toEqual({
      blocks: [
        { type: 'provider', block: { ...thinking, thinking: 'Nothing here.' } },
        { type: 'provider', block: { type: 'note', text: `[redacted:${one.rule}:1]` } },
        { type: 'toolCall', ordinal: 0 },
      ],
    });
    expect(redactions.map(({ rule }) => rule)).toContain('signed');
  });
});

describe("a tenant's own patterns", () => {
  const patterns = [{ name: 'employee', pattern: 'emp-[0-9]{6}', ignoreCase: true }];

  it('are masked under their names', () => {
    expect(masked({ a: 'EMP-123456 and emp-123456' }, { patterns })).toEqual({
      a: '[redacted:employee:1] and [redacted:employee:2]',
    });
  });

  it('must be of a kind that takes linear time, and match something', () => {
    for (const pattern of ['(a)\\1', '(?=a)b', 'a*', '(']) {
      expect(() => compilePattern({ name: 'x', pattern })).toThrow(PatternError);
    }
  });

  it('let nothing pass that they had no time for', () => {
    let now = 0;
    const slow = redactor({ patterns }, () => (now += OWN_PATTERNS_MS_MAX + 1));
    const { value, redactions } = slow.redact({ a: 'searched', b: 'not searched' });
    expect(value).toEqual({ a: 'searched', b: '[redacted:overflow:1]' });
    expect(redactions).toMatchObject([{ path: '/b', rule: 'overflow' }]);
    expect([...slow.withheld]).toEqual([['not searched', undefined]]);
    slow.withheld.set('not searched', 'abcd');
    const again = slow.redact({ b: 'not searched' });
    expect(again.value).toEqual({ b: '[redacted:overflow:abcd:1]' });
  });

  it('are given up within one text, too, when each match looks to its end', () => {
    let now = 0;
    const text = 'x'.repeat(2_000);
    const hostile = [{ name: 'hostile', pattern: 'x(?:[^y]*y)?' }];
    const slow = redactor({ patterns: hostile }, () => (now += 1));
    const { value } = slow.redact({ a: text });
    expect(value).toEqual({ a: '[redacted:overflow:1]' });
    expect([...slow.withheld]).toEqual([[text, undefined]]);
    expect(now).toBeLessThan(3 * OWN_PATTERNS_MS_MAX);
  });
});

describe('an event', () => {
  it('is masked in every field that is content, and in none that it is found or compared by', () => {
    const { secret } = canaries[0]!;
    const data = { callId: secret, argsHash: secret, note: secret, fieldOfTomorrow: secret };
    const { event } = redactEvent({ type: 'ToolCallProgressed', data }, redactor());
    expect(event.data).toMatchObject({ callId: secret, argsHash: secret });
    expect(JSON.stringify(event).split(secret)).toHaveLength(3);
  });
});

describe('a long text', () => {
  it('is masked as it comes, whatever pieces it comes in', async () => {
    const secrets = canaries.map(({ text }) => text);
    const line = `${'words and words '.repeat(2_000)}\n`;
    const whole = secrets.map((secret) => `${line}${secret}\n`).join('');
    const bytes = Buffer.from(whole);
    async function* pieces() {
      for (let from = 0; from < bytes.length; from += 7_919) {
        yield await Promise.resolve(bytes.subarray(from, from + 7_919));
      }
    }
    const written: Uint8Array[] = [];
    for await (const piece of withoutSecrets(pieces(), redactor())) written.push(piece);
    const after = Buffer.concat(written).toString();
    for (const { secret } of canaries) expect(after).not.toContain(secret);
    expect(after.split(line)).toHaveLength(secrets.length + 1);
  });
});
