import { describe, expect, it } from '@jest/globals';
import { contextOf, lines, resultText } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';

const started = (): StreamBuilder => new StreamBuilder().started();
const UNKNOWN_START = 'Tool execution was interrupted';

function kindsLeftOut(stream: StreamBuilder): string[] {
  return contextOf(stream).leftOut.map(({ kind }) => kind);
}

describe('freezing', () => {
  const seen = (): StreamBuilder =>
    started()
      .input('u1', 'pay')
      .answer('m1', { calls: ['a'] })
      .startedCall('a')
      .unknown('a', 'ownerLost')
      .answer('m2', { text: 'I will wait.' });

  it('puts a late result in the place of a placeholder that no model has read', () => {
    const stream = started()
      .input('u1', 'pay')
      .answer('m1', { calls: ['a'] })
      .startedCall('a')
      .unknown('a', 'ownerLost')
      .late('a', 'paid');
    expect(lines(stream).slice(-1)).toEqual(['tool: paid']);
  });

  it('keeps a placeholder that a model has read, and tells the outcome at the tail', () => {
    const stream = seen().late('a', 'paid');
    expect(resultText(stream, 'a')).toContain(UNKNOWN_START);
    expect(lines(stream).at(-1)).toBe('user: Later outcome of tool call a: paid');
  });

  it('leaves the note where the model call stands that has read it', () => {
    const stream = seen()
      .late('a', 'paid')
      .answer('m3', { text: 'Paid, then.' })
      .accepted('u2', 'thanks')
      .answer('m4', { text: 'Welcome.', deliver: ['u2'] });
    expect(lines(stream).slice(-4)).toEqual([
      'user: Later outcome of tool call a: paid',
      'assistant: Paid, then.',
      'user: thanks',
      'assistant: Welcome.',
    ]);
  });

  it('takes an outcome that came between the context and its model call for unread', () => {
    const stream = started()
      .input('u1', 'pay')
      .answer('m1', { calls: ['a'] })
      .startedCall('a')
      .unknown('a', 'ownerLost');
    const inputRevision = stream.revision;
    stream.late('a', 'paid').answer('m2', { text: 'waiting', inputRevision });
    expect(resultText(stream, 'a')).toContain(UNKNOWN_START);
    expect(lines(stream).at(-1)).toBe('user: Later outcome of tool call a: paid');
  });

  it('does not freeze for a model call that was never sent', () => {
    const stream = started()
      .input('u1', 'pay')
      .answer('m1', { calls: ['a'] })
      .startedCall('a')
      .unknown('a', 'ownerLost')
      .modelCall('m2')
      .settled('m2', 'notSent')
      .late('a', 'paid');
    expect(lines(stream).slice(-1)).toEqual(['tool: paid']);
  });

  it('says nothing more while an outcome stays unknown', () => {
    const stream = seen().add('ToolEscalated', {
      callId: 'a',
      escalationId: 'e',
      to: 'operator',
      dueAt: '2026-05-09T00:00:00Z',
      reason: 'noPolicy',
      blocking: false,
    });
    expect(lines(stream).at(-1)).toBe('assistant: I will wait.');
  });

  it('names a contradiction', () => {
    const stream = seen()
      .resolved('a', 'notApplied')
      .answer('m3', { text: 'Not paid.' })
      .late('a', 'paid')
      .add('ToolConflictDetected', { callId: 'a', kind: 'notAppliedContradicted' });
    expect(lines(stream).at(-1)).toBe(
      'user: Later outcome of tool call a: paid This contradicts the earlier report. ' +
        'Do not repeat the operation; an operator has been informed.',
    );
  });

  it("gives the provider's id with the note, which is the only one that the model knows", () => {
    const stream = started()
      .input('u1', 'pay')
      .answer('m1', { calls: ['a'], call: { providerCallId: 'toolu_1' } })
      .startedCall('a')
      .unknown('a', 'ownerLost')
      .answer('m2', { text: 'waiting' })
      .late('a', 'paid');
    expect(lines(stream).at(-1)).toBe(
      'user: Later outcome of tool call a: paid Its id in this conversation: toolu_1.',
    );
  });

  it('a note never stands inside a group of calls and results', () => {
    const stream = seen()
      .answer('m3', { calls: ['b', 'c'] })
      .done('b')
      .late('a', 'paid')
      .done('c')
      .answer('m4', { text: 'both done' });
    expect(lines(stream).slice(-5)).toEqual([
      'assistant: null [b c]',
      'tool: ok',
      'tool: ok',
      'user: Later outcome of tool call a: paid',
      'assistant: both done',
    ]);
  });
});

describe('an interrupted model call', () => {
  it('is left out when none of its calls was started', () => {
    const stream = started()
      .input('u1', 'go')
      .modelCall('m1')
      .part('m1', 0, { text: 'I will', calls: ['a'], final: false })
      .settled('m1', 'interrupted');
    expect(lines(stream)).toEqual(['user: go']);
    expect(kindsLeftOut(stream)).toEqual(['partial_message']);
  });

  it('is shown when a call was started, without what was unfinished', () => {
    const stream = started().input('u1', 'go').modelCall('m1');
    stream.part('m1', 0, { text: 'First', calls: ['a'], final: false }).done('a', 'A');
    stream
      .part('m1', 1, { calls: ['b'], call: { argsText: '{"x":' }, final: false })
      .part('m1', 2, { text: 'and then I', final: false })
      .settled('m1', 'interrupted');
    expect(lines(stream)).toEqual(['user: go', 'assistant: First [a]', 'tool: A']);
    expect(kindsLeftOut(stream)).toEqual([
      'incomplete_call',
      'incomplete_call',
      'unfinished_block',
    ]);
  });

  it('shows a requested call of such a message as not started', () => {
    const stream = started()
      .input('u1', 'go')
      .modelCall('m1')
      .part('m1', 0, { calls: ['a', 'b'], final: false })
      .done('a', 'A')
      .settled('m1', 'interrupted');
    expect(lines(stream).slice(1)).toEqual([
      'assistant: null [a b]',
      'tool: A',
      'tool: The tool call was not started. It had no effect.',
    ]);
  });

  it('stays left out for later model calls, and a late answer of its call is told', () => {
    const stream = started()
      .input('u1', 'go')
      .modelCall('m1')
      .part('m1', 0, { calls: ['a'], final: false })
      .settled('m1', 'interrupted')
      .answer('m2', { text: 'again' })
      .late('a', 'it ran');
    expect(lines(stream)).toEqual([
      'user: go',
      'assistant: again',
      'user: Later outcome of tool call a: it ran',
    ]);
  });

  it('is never merged into another message', () => {
    const stream = started()
      .input('u1', 'go')
      .modelCall('m1')
      .part('m1', 0, { text: 'half', calls: ['a'], final: false })
      .done('a')
      .settled('m1', 'interrupted')
      .answer('m2', { text: 'whole' });
    expect(lines(stream).slice(1)).toEqual(['assistant: half [a]', 'tool: ok', 'assistant: whole']);
  });
});
