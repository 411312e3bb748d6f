import { describe, expect, it } from '@jest/globals';
import { validate } from '@holdfast/provider-rules';
import fc from 'fast-check';
import { type BuiltContext, built, tools } from '../../test/context/built.js';
import { GeneratedSession, anyRecords, steps } from '../../test/context/generated-stream.js';
import { buildContext } from './build-context.js';
import { canonicalJson } from './canonical-json.js';
import { CONTEXT_FORMATS, type ContextFormat } from './format-names.js';
import type { HistoryRecord } from './history-record.js';
import { sourceFromRecords } from './source-from-records.js';

const runs = { numRuns: 20 };
const wire = CONTEXT_FORMATS.filter((format) => format !== 'neutral');

function textOf(records: readonly HistoryRecord[], format: ContextFormat, sessionId = 's1') {
  return canonicalJson(buildContext(sourceFromRecords(records, sessionId), { format }, tools));
}

/** Ids of calls and of results, in the order of the messages. */
function pairs(context: BuiltContext): { calls: string[]; results: string[] } {
  const calls: string[] = [];
  const results: string[] = [];
  for (const message of context.messages) {
    for (const call of message.tool_calls ?? []) calls.push(call.id);
    if (message.role === 'tool') results.push(String(message.tool_call_id));
  }
  return { calls, results };
}

describe('for every prefix of every generated stream', () => {
  it('the context is valid, closed, and has the same bytes twice', () => {
    fc.assert(
      fc.property(steps(24), fc.boolean(), (all, junk) => {
        const { records } = new GeneratedSession(junk).play(all).stream;
        for (let length = 0; length <= records.length; length += 1) {
          const source = sourceFromRecords(records.slice(0, length), 's1');
          for (const format of wire) {
            const context = built(source, { format, now: '2026-06-05' });
            expect(validate(format, context.messages)).toEqual([]);
          }
          const { calls, results } = pairs(built(source));
          expect(results).toEqual(calls);
        }
        for (const format of CONTEXT_FORMATS) {
          expect(textOf(records, format)).toBe(textOf(structuredClone(records), format));
        }
      }),
      { numRuns: 12 },
    );
  });

  it('every call of a message that is shown has exactly one result, of its own', () => {
    fc.assert(
      fc.property(steps(30), (all) => {
        const { records } = new GeneratedSession(true).play(all).stream;
        const { messages } = built(sourceFromRecords(records, 's1'), { format: 'neutral' });
        const called = messages.flatMap(({ role, content }) =>
          role === 'assistant'
            ? (content as { type: string; callId: string }[])
                .filter((block) => block.type === 'toolCall')
                .map((block) => block.callId)
            : [],
        );
        const answered = messages.flatMap(({ role, callId }) => (role === 'tool' ? [callId] : []));
        expect(answered).toEqual(called);
        expect(new Set(called).size).toBe(called.length);
      }),
      runs,
    );
  });
});

describe('any list of events', () => {
  it('reordered and doubled, still gives a valid context', () => {
    fc.assert(
      fc.property(steps(25), fc.infiniteStream(fc.nat()), (all, dice) => {
        const { records } = new GeneratedSession(true).play(all).stream;
        const mixed = records
          .flatMap((record) => (dice.next().value! % 4 === 0 ? [record, record] : [record]))
          .map((record) => [dice.next().value!, record] as const)
          .sort(([one], [other]) => one - other)
          .map(([, record]) => record);
        for (const format of wire) {
          const context = built(sourceFromRecords(mixed, 's1'), { format });
          expect(validate(format, context.messages)).toEqual([]);
        }
      }),
      runs,
    );
  });

  it('of any shape at all, never throws', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        for (const format of CONTEXT_FORMATS) {
          for (const sessionId of ['s1', 's2']) textOf(records, format, sessionId);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('a fork at the head', () => {
  it('has the bytes of its parent, once every call has an outcome', () => {
    fc.assert(
      fc.property(steps(30), (all) => {
        const parent = new GeneratedSession(false).play(all).stream;
        const unresolved = built(sourceFromRecords(parent.records, 's1')).unresolved;
        const pending = built(sourceFromRecords(parent.records, 's1')).delivers;
        fc.pre(unresolved.length === 0 && pending.length === 0);
        const child = new GeneratedSession(false, 'child', parent).stream;
        for (const format of wire) {
          const ofParent = built(sourceFromRecords(parent.records, 's1'), { format });
          const ofChild = built(sourceFromRecords(child.records, 'child'), { format });
          expect(canonicalJson(ofChild.messages)).toBe(canonicalJson(ofParent.messages));
        }
      }),
      runs,
    );
  });

  it('and all that is written to it later, gives valid contexts', () => {
    fc.assert(
      fc.property(steps(20), steps(15), (all, more) => {
        const parent = new GeneratedSession(true).play(all).stream;
        const child = new GeneratedSession(true, 'child', parent).play(more).stream;
        for (const format of wire) {
          const context = built(sourceFromRecords(child.records, 'child'), { format });
          expect(validate(format, context.messages)).toEqual([]);
        }
      }),
      runs,
    );
  });
});
