import { describe, expect, it } from '@jest/globals';
import { validate } from '@holdfast/provider-rules';
import { type BuiltContext, contextOf, lines, tools } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { buildContext } from './build-context.js';
import { sourceFromRecords } from './source-from-records.js';

const OUTPUT = 'output '.repeat(600);

/** Turns with one tool output each; the last call of the last turn was just answered. */
function session(turns: number): StreamBuilder {
  const stream = new StreamBuilder().started();
  stream.facts({ factId: 'r', version: 1, kind: 'constraint', text: 'never touch prod' });
  for (let turn = 1; turn <= turns; turn += 1) {
    stream.input(`u${turn}`, `question ${turn}`).answer(`m${turn}`, { calls: [`c${turn}`] });
    stream.done(`c${turn}`, turn === 3 ? OUTPUT.repeat(5) : OUTPUT);
    if (turn < turns) stream.answer(`n${turn}`, { text: 'answer '.repeat(60) }).completed();
  }
  return stream;
}

/** A budget that is this share of what the whole context needs. */
function within(stream: StreamBuilder, share: number): BuiltContext {
  const { estimatedTokens } = contextOf(stream, { model: 'other' });
  return contextOf(stream, {
    model: 'other',
    budgetTokens: Math.floor(estimatedTokens * share),
  });
}

describe('a conversation over its budget', () => {
  it('is left alone when it fits', () => {
    const context = within(session(6), 1);
    expect(context.trimmed).toEqual([]);
    expect(context.compactionNeeded).toBe(false);
  });

  it('first gets its largest old outputs replaced by references', () => {
    const stream = session(6);
    const context = within(stream, 0.8);
    expect(context.trimmed.map(({ callId }) => callId)).toEqual(['c3']);
    expect(context.compactionNeeded).toBe(true);
    expect(context.dropped).toBeUndefined();
    const results = context.messages.filter(({ role }) => role === 'tool');
    expect(results).toHaveLength(6);
    expect(results[2]!.content).toBe(
      '[The result of this tool call was left out here to save space: 21000 characters. ' +
        "It is kept in the session's log under c3.]",
    );
    expect(results[5]!.content).toBe(OUTPUT);
  });

  it('then loses whole groups, oldest first, and says where', () => {
    const stream = session(30);
    const context = within(stream, 0.08);
    const { messages, dropped } = context;
    expect(dropped!.items).toBeGreaterThan(5);
    expect(dropped!.callIds[0]).toBe('c1');
    expect(messages[0]!.content).toContain('never touch prod');
    expect(messages[1]!.content).toContain('left out here to save space');
    expect(messages.at(-3)!.content).toBe('question 30');
    expect(messages.at(-1)!.content).toBe(OUTPUT);
    expect(validate('openai-chat', messages)).toEqual([]);
  });

  it('stays within what it promises, at every budget that can be kept', () => {
    const stream = session(12);
    for (let share = 0.95; share > 0.15; share -= 0.05) {
      const context = within(stream, share);
      const again = contextOf(stream, { model: 'other' }).estimatedTokens * share;
      expect(context.estimatedTokens).toBeLessThanOrEqual(Math.ceil(again));
      expect(JSON.stringify(context.messages)).toContain('question 12');
      expect(JSON.stringify(context.messages)).toContain(OUTPUT);
    }
  });

  it('cuts in few steps: a little more text does not change what was cut', () => {
    const cut = (length: number): string => {
      const stream = session(12);
      stream.answer('last', { text: 'x'.repeat(length) });
      const source = sourceFromRecords(stream.records, 's1');
      const request = { format: 'openai-chat', model: 'other', budgetTokens: 9_000 } as const;
      const context = buildContext(source, request, tools) as unknown as BuiltContext;
      return JSON.stringify(context.trimmed.map(({ callId }) => callId));
    };
    const sets = new Set(Array.from({ length: 20 }, (_, step) => cut(step * 100)));
    expect(sets.size).toBeLessThanOrEqual(2);
  });

  it('is refused with the numbers when even the last group does not fit', () => {
    const source = sourceFromRecords(session(3).records, 's1');
    const request = { format: 'openai-chat', budgetTokens: 50 } as const;
    const result = buildContext(source, request, tools);
    expect(result).toMatchObject({ problem: 'budget_too_small', budgetTokens: 50 });
    expect((result as { neededTokens: number }).neededTokens).toBeGreaterThan(OUTPUT.length / 4);
  });

  const LONG = 'long '.repeat(2_000);
  const tooLarge: readonly (readonly [string, () => StreamBuilder])[] = [
    [
      'goal and constraints',
      () => session(3).facts({ factId: 'g', version: 1, kind: 'goal', text: LONG }),
    ],
    ['an input that no model has seen', () => session(3).input('late', LONG)],
    ['an input that is not delivered yet', () => session(3).accepted('waiting', LONG)],
    [
      'the last complete calls',
      () =>
        session(3)
          .answer('z', { calls: ['z'] })
          .done('z', LONG),
    ],
    [
      'an open call',
      () =>
        session(3)
          .answer('z', { text: LONG, calls: ['z'] })
          .startedCall('z'),
    ],
  ];

  it.each(tooLarge)(
    'is refused when %s alone are over the budget, and not one token more',
    (_, make) => {
      const source = sourceFromRecords(make().records, 's1');
      const request = { format: 'openai-chat', model: 'other' } as const;
      const refused = buildContext(source, { ...request, budgetTokens: 1_500 }, tools);
      expect(refused).toMatchObject({ problem: 'budget_too_small', budgetTokens: 1_500 });
      const { neededTokens } = refused as { neededTokens: number };
      expect(neededTokens).toBeGreaterThan(LONG.length / 4);
      const ready = buildContext(source, { ...request, budgetTokens: neededTokens }, tools);
      expect(JSON.stringify(ready)).toContain(LONG.trim());
      const short = buildContext(source, { ...request, budgetTokens: neededTokens - 1 }, tools);
      expect(short).toMatchObject({ problem: 'budget_too_small', neededTokens });
    },
  );

  it('never loses an input without an answer, nor an open call', () => {
    const stream = session(8);
    stream
      .answer('w', { calls: ['w1'] })
      .startedCall('w1')
      .unknown('w1', 'ownerLost');
    stream.accepted('v', 'hurry '.repeat(30));
    const text = JSON.stringify(within(stream, 0.4).messages);
    expect(text).toContain('hurry');
    expect(text).toContain('Operation key: op-w1');
  });

  it('keeps a long tool loop with thinking in one piece', () => {
    const stream = new StreamBuilder().started();
    for (let turn = 1; turn <= 4; turn += 1) {
      stream.input(`u${turn}`, `question ${turn}`).answer(`m${turn}`, {
        calls: [`c${turn}`],
        thinking: true,
        settled: 'open',
      });
      stream
        .done(`c${turn}`, 'short')
        .answer(`n${turn}`, { text: 'y'.repeat(2_000), settled: 'open' })
        .completed();
    }
    stream.input('u5', 'last');
    const { estimatedTokens } = contextOf(stream, { format: 'anthropic' });
    const { messages, dropped } = contextOf(stream, {
      format: 'anthropic',
      budgetTokens: Math.floor(estimatedTokens * 0.7),
    });
    expect(dropped!.callIds).toEqual(['c1', 'c2']);
    expect(JSON.stringify(messages)).not.toContain('question 2');
    expect(JSON.stringify(messages)).toContain('sig-m3');
  });
});

it('a trimmed result names the artifact that holds the whole', () => {
  const stream = new StreamBuilder()
    .started()
    .input('u1', 'go')
    .answer('m1', { calls: ['a'] });
  const artifact = { hash: 'hash-1', sizeBytes: 90_000, mediaType: 'text/plain' };
  stream.startedCall('a').add('ToolResultRecorded', {
    callId: 'a',
    attempt: 1,
    epoch: 1,
    status: 'completed',
    resultHash: 'h',
    result: { isError: false, content: OUTPUT, artifact },
  });
  expect(lines(stream).at(-1)).toContain('[Full result: artifact hash-1, text/plain, 90000 bytes]');
  stream.answer('m2', { calls: ['b'] }).done('b', 'ok');
  const text = JSON.stringify(contextOf(stream, { model: 'x', budgetTokens: 800 }).messages);
  expect(text).toContain('under a, artifact hash-1.]');
});
