import { describe, expect, it } from '@jest/globals';
import { contextOf, lines } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { compactionRange } from './compaction-range.js';
import { sourceFromRecords } from './source-from-records.js';

const NOW = '2026-05-08T00:00:17Z';

/** A call was told as unknown, and a person then ordered another attempt. */
function retried(): StreamBuilder {
  const stream = new StreamBuilder()
    .started()
    .input('u1', 'pay')
    .answer('m1', { calls: ['a'] });
  stream.startedCall('a').unknown('a', 'ownerLost').answer('m2', { text: 'I asked somebody.' });
  return stream.completed();
}

/** Compacts all but the last turn, after the model was told that the call is finished. */
function compacted(stream: StreamBuilder): StreamBuilder {
  const source = sourceFromRecords(stream.records, 's1');
  const range = compactionRange(source, {});
  if (range === 'nothing_to_compact') throw new Error(range);
  return stream.compacted('k', range, 'so far');
}

describe('a call whose request was summarised', () => {
  it('is told when a person declares what a probe could not find', () => {
    const stream = retried().resolved('a', 'abandoned', 'expiry').input('u2', 'and?');
    stream.answer('m3', { text: 'unknown' });
    compacted(stream).resolved('a', 'applied', 'human');
    expect(lines(stream).at(-1)).toBe(
      'user: Later outcome of tool call a: No direct result was recorded. ' +
        'A later check showed that the tool call took effect.',
    );
    expect(contextOf(stream).unresolved).toEqual([]);
  });

  it('is told with the result of a later attempt', () => {
    const stream = retried().resolved('a', 'notApplied').input('u2', 'and?');
    stream.answer('m3', { text: 'not paid' });
    compacted(stream)
      .add('ToolCallStarted', {
        callId: 'a',
        attempt: 2,
        epoch: 1,
        startedAt: NOW,
        dispatchBy: NOW,
        deadline: NOW,
        basis: 'human',
      })
      .result('a', 'paid');
    expect(lines(stream).at(-1)).toBe('user: Later outcome of tool call a: paid');
  });

  it('is named when a second answer contradicts the first', () => {
    const stream = new StreamBuilder()
      .started()
      .input('u1', 'go')
      .answer('m1', { calls: ['a'] });
    stream.done('a', 'one').answer('m2', { text: 'ok' }).completed();
    stream.input('u2', 'next').answer('m3', { text: 'ok' });
    compacted(stream).add('ToolConflictDetected', { callId: 'a', kind: 'resultMismatch' });
    expect(lines(stream).at(-1)).toBe(
      'user: Later outcome of tool call a: The result of this tool call is not part of the kept ' +
        'history. Do not assume that it succeeded or failed; check before relying on it. ' +
        'This contradicts the earlier report. Do not repeat the operation; an operator has been ' +
        'informed.',
    );
  });

  it('is not confused with a result that never had a call', () => {
    const stream = retried().resolved('a', 'applied').input('u2', 'and?');
    compacted(stream.answer('m3', { text: 'paid' })).late('nobody', 'orphan');
    expect(lines(stream).at(-1)).toBe('assistant: paid');
    expect(contextOf(stream).leftOut).toMatchObject([{ kind: 'orphan_result', callId: 'nobody' }]);
  });
});
