import { describe, expect, it } from '@jest/globals';
import { contextOf, lines, resultText } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';

const started = (): StreamBuilder => new StreamBuilder().started();

function kindsLeftOut(stream: StreamBuilder): string[] {
  return contextOf(stream).leftOut.map(({ kind }) => kind);
}

describe('the conversation', () => {
  it('stands in the order in which things happened, each result behind its call', () => {
    const stream = started()
      .input('u1', 'go')
      .answer('m1', { text: 'looking', calls: ['a', 'b'] })
      .startedCall('b')
      .result('b', 'second')
      .done('a', 'first')
      .answer('m2', { text: 'done' });
    expect(lines(stream)).toEqual([
      'user: go',
      'assistant: looking [a b]',
      'tool: first',
      'tool: second',
      'assistant: done',
    ]);
  });

  it('shows an input where it was delivered, not where it was accepted', () => {
    const stream = started()
      .input('u1', 'go')
      .answer('m1', { calls: ['a'] })
      .accepted('u2', 'wait')
      .done('a')
      .answer('m2', { text: 'ok, waiting', deliver: ['u2'] });
    expect(lines(stream)).toEqual([
      'user: go',
      'assistant: null [a]',
      'tool: ok',
      'user: wait',
      'assistant: ok, waiting',
    ]);
  });

  it('holds what the next model call of an owned run will deliver, and names it', () => {
    const stream = started()
      .input('u1', 'go')
      .answer('m1', { calls: ['a'] })
      .done('a');
    stream.accepted('u2', 'also this').accepted('u3', 'later', 'queue');
    expect(lines(stream).at(-1)).toBe('user: also this');
    expect(contextOf(stream).delivers).toEqual(['u2']);
  });

  it('holds no pending input of a session that nobody runs', () => {
    const stream = started().input('u1', 'go').answer('m1', { text: 'hi' }).completed();
    stream.accepted('u2', 'next');
    expect(contextOf(stream).delivers).toEqual([]);
    expect(lines(stream)).toHaveLength(2);
  });

  it('joins the parts of a message at the place of the first one', () => {
    const stream = started()
      .input('u1', 'go')
      .modelCall('m1')
      .part('m1', 0, { text: 'one ', calls: ['a'], final: false })
      .done('a')
      .part('m1', 1, { text: 'two', calls: ['b'] })
      .settled('m1')
      .done('b', 'B');
    expect(lines(stream, { format: 'neutral' }).slice(1)).toEqual([
      expect.stringMatching(/^assistant: .*"one ".*"a".*"two".*"b"/) as unknown as string,
      'tool: ok',
      'tool: B',
    ]);
  });

  it('keeps the call ids of the provider on the wire, also when they repeat in later turns', () => {
    const stream = started()
      .input('u1', 'go')
      .answer('m1', { calls: ['a'], call: { providerCallId: 'Agent:0' } })
      .done('a', 'A')
      .answer('m2', { calls: ['b'], call: { providerCallId: 'Agent:0' } })
      .done('b', 'B');
    expect(lines(stream).slice(1)).toEqual([
      'assistant: null [Agent:0]',
      'tool: A',
      'assistant: null [Agent:0]',
      'tool: B',
    ]);
  });

  it('wraps arguments that are no JSON object', () => {
    const stream = started()
      .input('u1', 'go')
      .answer('m1', { calls: ['a'], call: { argsText: '{"path": "/tm' } })
      .done('a');
    const [call] = contextOf(stream).messages[1]!.tool_calls!;
    expect(JSON.parse(call!.function.arguments)).toEqual({ INVALID_JSON: '{"path": "/tm' });
  });
});

describe('what does not belong into the conversation', () => {
  it('drops messages of model calls with another purpose, and all that comes of their calls', () => {
    const stream = started().input('u1', 'go').answer('m1', { text: 'hi' });
    stream.add('ModelCallStarted', {
      modelCallId: 'mc-t',
      messageId: 't',
      runId: 'r1',
      epoch: 1,
      purpose: 'title',
      inputRevision: stream.revision,
      startedAt: '2026-05-08T00:00:00Z',
    });
    stream.part('t', 0, { text: 'A greeting', calls: ['a'] }).done('a', 'A');
    expect(lines(stream)).toEqual(['user: go', 'assistant: hi']);
    expect(kindsLeftOut(stream)).toEqual(['other_purpose']);
  });

  it('leaves out what a revert hides', () => {
    const stream = started().input('u1', 'go').answer('m1', { text: 'one' }).completed();
    const { revision } = stream;
    stream.input('u2', 'wrong').answer('m2', { text: 'two' }).completed();
    stream.reverted(revision).input('u3', 'right');
    expect(lines(stream)).toEqual(['user: go', 'assistant: one', 'user: right']);
    expect(kindsLeftOut(stream)).toEqual(['hidden']);
  });

  it('never calls a call "not started" because a revert hides its result', () => {
    const stream = started()
      .input('u1', 'go')
      .answer('m1', { calls: ['a'] });
    const { revision } = stream;
    stream.done('a', 'deleted 3 files').reverted(revision);
    expect(resultText(stream, 'a')).toBe('deleted 3 files');
  });

  it('reports an input whose content is not in the log', () => {
    const stream = started().claimed(['lost']).answer('m1', { text: 'hi' });
    expect(contextOf(stream).leftOut).toMatchObject([
      { kind: 'input_without_content', inputId: 'lost' },
    ]);
  });
});

describe('facts', () => {
  const goal = { factId: 'g', version: 1, kind: 'goal', text: 'ship it' } as const;
  const rule = { factId: 'r', version: 1, kind: 'constraint', text: 'never touch prod' } as const;

  it('stand at the head as they were when the first model call was made', () => {
    const stream = started().facts(rule, goal).input('u1', 'go').answer('m1', { text: 'ok' });
    expect(lines(stream)).toEqual([
      'user: Facts of this session:\n- goal (g): ship it\n- constraint (r): never touch prod',
      'user: go',
      'assistant: ok',
    ]);
  });

  it('that change later follow where the next model call reads them, and stay there', () => {
    const stream = started().facts(goal, rule).input('u1', 'go').answer('m1', { text: 'ok' });
    const head = lines(stream)[0];
    stream
      .facts(
        { ...goal, version: 2, text: 'ship on Monday' },
        { ...rule, version: 2, retired: true },
      )
      .accepted('u2', 'and?')
      .answer('m2', { text: 'Monday', deliver: ['u2'] });
    expect(lines(stream)).toEqual([
      head,
      'user: go',
      'assistant: ok',
      'user: and?',
      'user: Facts recorded since; they replace earlier words of the same name:\n' +
        '- goal (g): ship on Monday\n- constraint (r) no longer holds.',
      'assistant: Monday',
    ]);
  });

  it('are told as a whole again when another model is asked', () => {
    const stream = started().facts(goal).input('u1', 'go').answer('m1', { text: 'ok' });
    stream.facts({ ...goal, version: 2, text: 'ship on Monday' });
    expect(lines(stream, { model: 'model-2' })[0]).toContain('ship on Monday');
    expect(lines(stream, { model: 'model-1' })[0]).toContain('ship it');
  });
});
