import { describe, expect, it } from '@jest/globals';
import { built, lines } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { compactionRange } from './compaction-range.js';
import { sourceFromRecords } from './source-from-records.js';

function spoken(): StreamBuilder {
  return new StreamBuilder().started().input('u1', 'go').answer('m1', { text: 'one' }).completed();
}

function contextOf(stream: StreamBuilder) {
  return built(sourceFromRecords(stream.records, stream.sessionId));
}

const NOTE = /^user: A part of this conversation was taken out\. Tool call (\w) \(shell\)/;

function notes(stream: StreamBuilder): readonly string[] {
  return lines(stream).filter((line) => NOTE.test(line));
}

describe('writes that a revert has hidden', () => {
  it('are told in one note each: what was carried out, and what nobody knows', () => {
    const stream = spoken();
    const { revision } = stream;
    stream.input('u2', 'wrong').answer('m2', { calls: ['a', 'b', 'c', 'd'] });
    stream.done('a', 'done').startedCall('b').unknown('b', 'ownerLost');
    stream
      .startedCall('c')
      .refused('c', 'no')
      .add('ToolCallSkipped', { callId: 'd', reason: 'denied' });
    stream.completed().reverted(revision).input('u3', 'right');
    const told = notes(stream);
    expect(told).toHaveLength(2);
    expect(told[0]).toContain('arguments: {"n":1} It was carried out and has not been undone.');
    expect(told[1]).toContain('It may or may not have run; check before retrying.');
    expect(told[1]).toContain('Operation key: op-b.');
    expect(contextOf(stream).unresolved).toMatchObject([{ callId: 'b', status: 'unknown' }]);
  });

  it('keep their note where a model has read it, and a later outcome follows', () => {
    const stream = spoken();
    const { revision } = stream;
    stream
      .input('u2', 'wrong')
      .answer('m2', { calls: ['a'] })
      .startedCall('a');
    stream.unknown('a', 'ownerLost').completed().reverted(revision);
    stream.input('u3', 'right').answer('m3', { text: 'three' });
    const before = lines(stream);
    expect(before.at(-2)).toMatch(NOTE);
    stream.late('a', 'it ran').input('u4', 'more');
    const after = lines(stream);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toEqual([
      'user: more',
      'user: Later outcome of tool call a: it ran',
    ]);
  });

  it('are told of no more when the revert is cleared', () => {
    const stream = spoken();
    const { revision } = stream;
    stream
      .input('u2', 'wrong')
      .answer('m2', { calls: ['a'] })
      .done('a', 'done')
      .completed();
    const before = lines(stream);
    stream.reverted(revision);
    expect(notes(stream)).toHaveLength(1);
    stream.cleared(stream.revision);
    expect(lines(stream)).toEqual(before);
  });

  it('are no reads: these have changed nothing', () => {
    const stream = spoken();
    const { revision } = stream;
    stream.input('u2', 'wrong').answer('m2', { calls: ['a'], call: { effect: 'readOnly' } });
    stream.done('a').completed().reverted(revision);
    expect(notes(stream)).toEqual([]);
  });

  it('without an outcome are named by a later summary', () => {
    const stream = spoken();
    const { revision } = stream;
    stream
      .input('u2', 'wrong')
      .answer('m2', { calls: ['a', 'b'] })
      .done('b');
    stream.startedCall('a').unknown('a', 'ownerLost').completed().reverted(revision);
    stream.input('u3', 'right').answer('m3', { text: 'three' }).completed();
    stream.input('u4', 'more').answer('m4', { text: 'four' }).completed();
    const range = compactionRange(sourceFromRecords(stream.records, 's1'), { keepTokens: 0 });
    if (range === 'nothing_to_compact') throw new Error(range);
    expect(range.openCalls).toEqual(['a']);
    stream.compacted('k', range, 'so far').input('u5', 'go on');
    expect(lines(stream).join('\n')).toContain('shell (a): The outcome of this tool call');
    stream.late('a', 'it ran').answer('m5', { text: 'five' });
    expect(lines(stream).join('\n')).toContain('Later outcome of tool call a: it ran');
  });
});

describe('facts that a revert has hidden', () => {
  const goal = (version: number, text: string) =>
    ({ factId: 'g', version, kind: 'goal', text }) as const;

  it('are told to no model, neither as a whole nor as a change', () => {
    const stream = new StreamBuilder().started().facts(goal(1, 'ship'));
    stream.input('u1', 'go').answer('m1', { text: 'one' }).completed();
    const { revision } = stream;
    stream.facts(goal(2, 'burn')).input('u2', 'wrong').answer('m2', { text: 'two' }).completed();
    expect(lines(stream).join('\n')).toContain('burn');
    stream.reverted(revision).input('u3', 'right').answer('m3', { text: 'three' });
    expect(lines(stream).join('\n')).not.toContain('burn');
    stream.facts(goal(3, 'sail'));
    const text = lines(stream).join('\n');
    expect(text).toContain('ship');
    expect(text).toContain('sail');
    expect(text).not.toContain('burn');
  });
});
