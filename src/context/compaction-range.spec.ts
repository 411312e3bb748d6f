import { describe, expect, it } from '@jest/globals';
import { validate } from '@holdfast/provider-rules';
import fc from 'fast-check';
import { built, lines } from '../../test/context/built.js';
import { failureCase, streamOf } from '../../test/context/failure-case-stream.js';
import { GeneratedSession, steps } from '../../test/context/generated-stream.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { builtInSummary } from './built-in-summary.js';
import { canonicalJson } from './canonical-json.js';
import { type CompactionRange, compactionRange, legalCuts } from './compaction-range.js';
import { buildHistory } from './history.js';
import { sourceFromRecords } from './source-from-records.js';

function sourceOf(stream: StreamBuilder) {
  return sourceFromRecords(stream.records, stream.sessionId);
}

function rangeOf(stream: StreamBuilder, request = {}): CompactionRange {
  const range = compactionRange(sourceOf(stream), request);
  if (range === 'nothing_to_compact') throw new Error(range);
  return range;
}

/** The event at the head of the kept tail. */
function tailEvent(stream: StreamBuilder, range: CompactionRange) {
  return stream.records.find((record) => record.revision === range.keptFrom.revision)!.event;
}

describe('a cut at a legal place', () => {
  const given = failureCase('fc-15');

  it('fc-15.1: the kept tail of s1 starts at u2', () => {
    const stream = streamOf(given, 's1');
    const range = rangeOf(stream, { keepTokens: 300 });
    expect(tailEvent(stream, range)).toMatchObject({
      type: 'InputDelivered',
      data: { inputId: 'u2' },
    });
    expect(range.coveredTo.revision).toBe(range.keptFrom.revision - 1);
  });

  it('fc-15.2: s2 has nothing to compact, and its context stays as it is', () => {
    const stream = streamOf(given, 's2');
    const before = canonicalJson(built(sourceOf(stream)));
    expect(compactionRange(sourceOf(stream), { keepTokens: 300 })).toBe('nothing_to_compact');
    expect(canonicalJson(built(sourceOf(stream)))).toBe(before);
  });

  it('fc-15.3: for every size of the tail it starts at a user input and holds whole pairs', () => {
    const stream = streamOf(given, 's1');
    const whole = rangeOf(stream, { keepTokens: 0 }).tokensBefore;
    let cuts = 0;
    for (let keepTokens = 0; keepTokens <= whole + 10; keepTokens += 7) {
      const range = compactionRange(sourceOf(stream), { keepTokens });
      if (range === 'nothing_to_compact') continue;
      cuts += 1;
      const later = new StreamBuilder('s1', stream.records).compacted('k', range, 'so far');
      const [, first, ...rest] = lines(later);
      expect(first).toMatch(/^user: /);
      expect(rest.filter((line) => line.startsWith('tool: '))).toHaveLength(
        rest.filter((line) => line.includes('[c')).length,
      );
    }
    expect(cuts).toBeGreaterThan(whole / 7 - 2);
  });
});

describe('what a compaction may not cover', () => {
  const two = (): StreamBuilder =>
    new StreamBuilder()
      .started()
      .input('u1', 'one')
      .answer('m1', { calls: ['a'] });

  it('a group whose call may still get an outcome', () => {
    const stream = two().startedCall('a').unknown('a', 'ownerLost').answer('m2', { text: 'hm' });
    stream.completed().input('u2', 'two').answer('m3', { text: 'ok' });
    expect(compactionRange(sourceOf(stream), {})).toBe('nothing_to_compact');
  });

  it('an input that no model has read', () => {
    const stream = two().done('a').answer('m2', { text: 'ok' }).completed();
    stream.accepted('u2', 'two').accepted('u3', 'three').claimed(['u2', 'u3']);
    const range = rangeOf(stream, { keepTokens: 0 });
    expect(tailEvent(stream, range)).toMatchObject({ data: { inputId: 'u2' } });
  });

  it('an abandoned call goes into the summary and is listed behind it', () => {
    const stream = two().startedCall('a').unknown('a', 'ownerLost').resolved('a', 'abandoned');
    stream
      .answer('m2', { text: 'lost' })
      .completed()
      .input('u2', 'two')
      .answer('m3', { text: 'k' });
    const range = rangeOf(stream);
    expect(range.openCalls).toEqual(['a']);
    stream.compacted('k1', range, 'They tried.');
    expect(lines(stream)[0]).toBe(
      'user: Summary of the earlier conversation:\nThey tried.\n\n' +
        'Tool calls of that part without a known outcome:\n' +
        '- shell (a): The outcome of this tool call could not be established. It may or may not ' +
        'have taken effect; do not repeat it without checking. Operation key: op-a.',
    );
    stream.answer('m4', { text: 'fine' }).late('a', 'it had worked');
    expect(lines(stream).at(-1)).toBe('user: Later outcome of tool call a: it had worked');
    stream.completed().input('u3', 'three').answer('m5', { text: 'great' });
    expect(rangeOf(stream).openCalls).toEqual([]);
  });

  it('an outcome that a note tells later is kept with its note', () => {
    const stream = two().startedCall('a').unknown('a', 'ownerLost').answer('m2', { text: 'hm' });
    stream.late('a', 'it worked').completed().input('u2', 'two').answer('m3', { text: 'ok' });
    stream.compacted('k1', rangeOf(stream), 'They tried.');
    expect(lines(stream).slice(1)).toEqual([
      'user: two',
      'user: Later outcome of tool call a: it worked',
      'assistant: ok',
    ]);
  });

  it('a tool loop with thinking is covered whole or not at all', () => {
    const stream = new StreamBuilder().started().input('u1', 'go');
    stream.answer('m1', { calls: ['a'], thinking: true }).done('a');
    stream
      .answer('m2', { calls: ['b'] })
      .done('b')
      .answer('m3', { text: 'done' });
    stream
      .answer('m4', { calls: ['c'] })
      .done('c')
      .answer('m5', { text: 'more' });
    const items = buildHistory(sourceOf(stream)).items;
    expect(legalCuts(items, true)).toEqual([4, 5]);
  });
});

describe('the range', () => {
  const long = (): StreamBuilder => {
    const stream = new StreamBuilder().started();
    for (const turn of [1, 2, 3, 4]) {
      stream
        .input(`u${turn}`, `question ${turn} `.repeat(20))
        .answer(`m${turn}`, { calls: [`c${turn}`] });
      stream.done(`c${turn}`, 'output '.repeat(200)).answer(`n${turn}`, { text: `answer ${turn}` });
      stream.completed();
    }
    return stream;
  };

  it('keeps the groups that are asked for', () => {
    const stream = long();
    expect(tailEvent(stream, rangeOf(stream, { keepGroups: 4 }))).toMatchObject({
      data: { inputId: 'u3' },
    });
    expect(tailEvent(stream, rangeOf(stream, { keepGroups: 1 }))).toMatchObject({
      data: { inputId: 'u4' },
    });
  });

  it('can begin inside a turn when the caller allows it', () => {
    const stream = new StreamBuilder().started().input('u1', 'go');
    for (const turn of [1, 2, 3])
      stream.answer(`m${turn}`, { calls: [`c${turn}`] }).done(`c${turn}`);
    expect(compactionRange(sourceOf(stream), {})).toBe('nothing_to_compact');
    const range = rangeOf(stream, { withinTurn: true, keepGroups: 1 });
    expect(tailEvent(stream, range).type).toBe('AssistantMessageRecorded');
  });

  it('gives the covered part as text, the earlier summary first', () => {
    const stream = long();
    stream.compacted('k1', rangeOf(stream, { keepGroups: 4 }), 'Two questions.');
    stream.input('u5', 'last').answer('m5', { text: 'five' });
    const { text, coveredFrom } = rangeOf(stream);
    expect(text.startsWith('Summary of what was before:\nTwo questions.\n\nUser: question 3')).toBe(
      true,
    );
    expect(text).toContain('Tool call shell (c4) {"n":1}\nResult: output output');
    expect(coveredFrom).toEqual(sourceOf(stream).summary!.keptFrom);
  });

  it('has a built-in summary that keeps what users wrote and cuts what tools said', () => {
    const range = rangeOf(long(), { keepGroups: 3 });
    const summary = builtInSummary(range);
    for (const turn of [1, 2, 3]) expect(summary).toContain(`question ${turn} `.repeat(20).trim());
    expect(summary).toContain('more characters]');
    expect(summary.length).toBeLessThan(range.text.length / 2);
    expect(builtInSummary(range)).toBe(summary);
  });

  it('keeps what users wrote word for word through two compactions while there are no facts', () => {
    const constraint = `Never pay more than 120.00 EUR. ${'And here is why. '.repeat(100)}The end.`;
    const stream = new StreamBuilder();
    stream.input('u1', constraint).answer('m1', { text: 'Understood. '.repeat(80) });
    stream.input('u2', 'Go on.').answer('m2', { text: 'Done.' });
    const first = builtInSummary(rangeOf(stream, { keepGroups: 1 }));
    expect(first).toContain(constraint);
    stream.compacted('k1', rangeOf(stream, { keepGroups: 1 }), first);
    stream.input('u3', 'And then?').answer('m3', { text: 'Then this.' });
    const second = rangeOf(stream, { keepGroups: 1 });
    expect(builtInSummary(second)).toContain(constraint);
    expect(builtInSummary({ ...second, items: rangeOf(stream).items, hasFacts: true })).toContain(
      'Never pay more than 120.00 EUR.',
    );
  });
});

describe('for every prefix of every generated stream', () => {
  it('each legal cut gives a valid context that loses nothing of the tail', () => {
    let cuts = 0;
    fc.assert(
      fc.property(steps(25), fc.boolean(), (all, withinTurn) => {
        const { records } = new GeneratedSession(true).play(all).stream;
        for (let length = 1; length <= records.length; length += 3) {
          const prefix = records.slice(0, length);
          const { items } = buildHistory(sourceFromRecords(prefix, 's1'));
          const range = compactionRange(sourceFromRecords(prefix, 's1'), { withinTurn });
          if (range === 'nothing_to_compact') continue;
          cuts += 1;
          const later = new StreamBuilder('s1', prefix).compacted('last', range, 'so far');
          const source = sourceFromRecords(later.records, 's1');
          const kept = buildHistory(source).items.filter(({ kind }) => kind !== 'context');
          const expected = items
            .slice(items.length - (items.length - range.items.length))
            .filter(({ kind }) => kind !== 'context');
          expect(kept.map(nameOf)).toEqual(expected.map(nameOf));
          for (const format of ['openai-chat', 'anthropic'] as const) {
            expect(validate(format, built(source, { format }).messages)).toEqual([]);
          }
        }
      }),
      // One seed, so that there always is something to cut.
      { numRuns: 20, seed: 1 },
    );
    expect(cuts).toBeGreaterThan(10);
  });
});

function nameOf(item: ReturnType<typeof buildHistory>['items'][number]): string {
  if (item.kind === 'user') return item.inputId;
  return item.kind === 'assistant' ? canonicalJson(item.blocks) : '';
}
