import { describe, expect, it } from '@jest/globals';
import { validate } from '@holdfast/provider-rules';
import fc from 'fast-check';
import { type BuiltContext, built, contextOf, tools } from '../../test/context/built.js';
import { GeneratedSession, steps } from '../../test/context/generated-stream.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { buildContext } from './build-context.js';
import { canonicalJson } from './canonical-json.js';
import { sourceFromRecords } from './source-from-records.js';

const SHORT = { type: 'ephemeral' };
const LONG = { type: 'ephemeral', ttl: '1h' };
const request = { format: 'anthropic', instructions: 'Be brief.', now: '2026-06-05' } as const;

/** Places of the marks: `system`, `tools`, or the number of the message. */
function marksOf({ system, tools: sentTools, messages }: BuiltContext): string[] {
  const has = (value: unknown): boolean => JSON.stringify(value ?? null).includes('cache_control');
  return [
    ...(has(sentTools) ? ['tools'] : []),
    ...(has(system) ? ['system'] : []),
    ...messages.flatMap((message, index) => (has(message) ? [String(index)] : [])),
  ];
}

function withoutMarks(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, field: unknown) => (key === 'cache_control' ? undefined : field)),
  );
}

function conversation(): StreamBuilder {
  const stream = new StreamBuilder().started();
  stream.facts({ factId: 'f1', version: 1, kind: 'goal', text: 'x', retired: false });
  stream.input('u1', 'go').answer('m1', { text: 'yes', calls: ['c1'] });
  stream
    .done('c1', 'A')
    .answer('m2', { calls: ['c2'] })
    .done('c2', 'B');
  return stream;
}

describe('cache marks', () => {
  it('stand behind system, facts, what the last answer read, and the newest stable message', () => {
    const context = contextOf(conversation(), { ...request, cache: {} });
    expect(marksOf(context)).toEqual(['system', '0', '3', '5']);
    expect(context.system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: SHORT }]);
    expect(context.messages[6]!.content).toEqual([
      { type: 'text', text: 'Current date: 2026-06-05' },
    ]);
    expect(context.messages[5]!.content).toMatchObject([
      { type: 'tool_result', cache_control: SHORT },
    ]);
  });

  it('of the next request find again what this one has written', () => {
    const stream = conversation();
    const before = marksOf(contextOf(stream, { ...request, cache: {} })).at(-1);
    stream.answer('m3', { calls: ['c3'] }).done('c3', 'C');
    expect(marksOf(contextOf(stream, { ...request, cache: {} }))).toContain(before);
  });

  it('carry the life that was asked for', () => {
    const context = contextOf(conversation(), { ...request, cache: { ttl: '1h' } });
    expect(context.system).toMatchObject([{ cache_control: LONG }]);
    expect(JSON.stringify(context.messages)).not.toContain(JSON.stringify(SHORT));
  });

  it('stand behind the tools where there are no instructions', () => {
    const asked = {
      format: 'anthropic',
      tools: [{ name: 'a' }, { name: 'b' }],
      cache: {},
    } as const;
    const context = contextOf(conversation(), asked);
    expect(context.tools).toEqual([{ name: 'a' }, { name: 'b', cache_control: SHORT }]);
    expect(context.system).toBeUndefined();
    expect(asked.tools[1]).toEqual({ name: 'b' });
  });

  it("leave room for the caller's own, and never outlive them", () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const own = [
      { name: 'a', ...mark },
      { name: 'b', ...mark },
      { name: 'c', ...mark },
    ];
    const context = contextOf(conversation(), { ...request, tools: own, cache: { ttl: '1h' } });
    expect(context.tools).toEqual(own);
    expect(marksOf(context)).toEqual(['tools', '5']);
    expect(context.messages[5]!.content).toMatchObject([{ cache_control: SHORT }]);
  });

  it('are refused when the caller has used more than there are', () => {
    const source = sourceFromRecords(conversation().records, 's1');
    const options = { cacheControlElsewhere: 5 };
    expect(buildContext(source, { ...request, options, cache: {} }, tools)).toMatchObject({
      problem: 'context_invalid',
      violations: [{ rule: 'A19' }],
    });
  });

  it('exist for no other format', () => {
    for (const format of ['openai-chat', 'openai-responses', 'gemini', 'neutral'] as const) {
      const context = contextOf(conversation(), { ...request, format, cache: {} });
      expect(marksOf(context)).toEqual([]);
      expect(context.contentHash).toBe(
        contextOf(conversation(), { ...request, format }).contentHash,
      );
    }
  });

  it('are legal in every session, the same twice, and change nothing else', () => {
    fc.assert(
      fc.property(steps(24), fc.boolean(), (all, junk) => {
        const { records } = new GeneratedSession(junk).play(all).stream;
        const source = sourceFromRecords(records, 's1');
        const marked = built(source, { ...request, cache: { ttl: '1h' } });
        const again = built(structuredClone(source), { ...request, cache: { ttl: '1h' } });
        expect(canonicalJson(again)).toBe(canonicalJson(marked));
        expect(marksOf(marked).length).toBeLessThanOrEqual(4);
        const elsewhere = { cacheControlElsewhere: 1 };
        expect(validate('anthropic', marked.messages, elsewhere)).toEqual([]);
        expect(withoutMarks(marked.messages)).toEqual(built(source, request).messages);
      }),
      { numRuns: 40 },
    );
  });
});
