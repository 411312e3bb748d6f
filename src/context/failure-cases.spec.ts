import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { type WireMessage, built, contextOf, lines } from '../../test/context/built.js';
import { failureCase, prefixesOf, streamOf } from '../../test/context/failure-case-stream.js';
import { canonicalJson } from './canonical-json.js';
import { sourceFromRecords } from './source-from-records.js';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly tool_use_id?: string;
  readonly content?: readonly Block[];
}

function blocksOf(message: WireMessage): readonly Block[] {
  return message.content as readonly Block[];
}

function resultsIn(messages: readonly WireMessage[]): readonly Block[] {
  return messages.flatMap(blocksOf).filter((block) => block.type === 'tool_result');
}

const anthropic = { format: 'anthropic' } as const;

describe('parallel calls left open by an interrupt', () => {
  const given = failureCase('fc-01');

  it('fc-01.1: three calls, three results, in their order, directly behind', () => {
    const { messages } = contextOf(streamOf(given), anthropic);
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(blocksOf(messages[2]!).map((block) => block.tool_use_id)).toEqual(['c1', 'c2', 'c3']);
  });

  it('fc-01.2: what is unknown is called unknown, and nobody is blamed', () => {
    const results = resultsIn(contextOf(streamOf(given), anthropic).messages);
    for (const { content } of results.slice(1)) {
      const text = content![0]!.text!;
      expect(text).toContain('It may or may not have run');
      expect(text).not.toMatch(/fail|user|did not run|not started/i);
    }
    expect(results[0]!.content![0]!.text).toBe('exit 127');
  });

  it('fc-01.3: the build changes no stored event', () => {
    const stream = streamOf(given);
    const before = JSON.stringify(stream.records);
    contextOf(stream, anthropic);
    expect(JSON.stringify(stream.records)).toBe(before);
  });

  it('fc-01.4: two builds give the same bytes, also from a copy made by another process', () => {
    const stream = streamOf(given);
    const copy = spawnSync('cat', { input: JSON.stringify(stream.records), encoding: 'utf8' });
    const other = sourceFromRecords(JSON.parse(copy.stdout), 's1');
    expect(canonicalJson(built(other, anthropic))).toBe(
      canonicalJson(contextOf(stream, anthropic)),
    );
  });

  it('fc-01.5: every prefix is closed, and a call that was not started says so', () => {
    for (const stream of prefixesOf(given)) {
      const calls = stream.records.flatMap(({ event }) =>
        event.type === 'ToolCallRequested' ? [event.data.callId] : [],
      );
      const startedCalls = stream.records.flatMap(({ event }) =>
        event.type === 'ToolCallStarted' ? [event.data.callId] : [],
      );
      const results = resultsIn(contextOf(stream, anthropic).messages);
      expect(results.map((result) => result.tool_use_id)).toEqual(calls);
      for (const result of results) {
        const text = result.content![0]!.text!;
        const isStarted = startedCalls.includes(result.tool_use_id!);
        expect(text.startsWith('The tool call was not started.')).toBe(!isStarted);
      }
    }
  });
});

describe('a result without its call', () => {
  const stream = streamOf(failureCase('fc-02'));

  it('fc-02.1: building does not throw', () => {
    expect(() => contextOf(stream)).not.toThrow();
  });

  it('fc-02.2: the context holds no result for it', () => {
    expect(lines(stream)).toEqual(['user: go on', 'user: and now?']);
  });

  it('fc-02.3: the report names it', () => {
    expect(contextOf(stream).leftOut).toMatchObject([{ kind: 'orphan_result', callId: 'c-lost' }]);
  });
});

describe('one result, one source', () => {
  const given = failureCase('fc-03');
  const { messages } = contextOf(streamOf(given), anthropic);

  it('fc-03.1: each call id is in exactly one result', () => {
    expect(resultsIn(messages).map((result) => result.tool_use_id)).toEqual(['sh1', 'rd1']);
  });

  it('fc-03.2: the sequence of messages is the one that was recorded', () => {
    const shape = messages.map((message) => {
      const call = blocksOf(message).find((block) => block.type === 'tool_use');
      const result = blocksOf(message).find((block) => block.type === 'tool_result');
      if (call !== undefined) return `${message.role}[call ${call.id}]`;
      return result === undefined ? message.role : `${message.role}[result ${result.tool_use_id}]`;
    });
    expect(shape).toEqual(given.values!.shape);
  });
});

describe('tool messages survive a restart', () => {
  const stream = streamOf(failureCase('fc-04'));

  it('fc-04.1: both calls are there with their results, in place', () => {
    expect(lines(stream).slice(1, 5)).toEqual([
      'assistant: null [f1]',
      'tool: page',
      'assistant: null [w1]',
      'tool: saved',
    ]);
  });

  it('fc-04.2: the context after a restart has the bytes of the one before', () => {
    const stored = JSON.parse(JSON.stringify(stream.records));
    const after = built(sourceFromRecords(stored, 's1'));
    expect(canonicalJson(after)).toBe(canonicalJson(contextOf(stream)));
  });
});

describe('a record that no provider accepts', () => {
  const stream = streamOf(failureCase('fc-05'));
  const context = contextOf(stream, anthropic);

  it('fc-05.1: the tool name is short enough, and the pair stays a pair', () => {
    const call = context.messages.flatMap(blocksOf).find((block) => block.type === 'tool_use')!;
    expect(call.name!.length).toBeLessThanOrEqual(200);
    expect(call.name!.startsWith('x'.repeat(150))).toBe(true);
    expect(resultsIn(context.messages).map((result) => result.tool_use_id)).toEqual([call.id]);
  });

  it('fc-05.2: a lone surrogate is rendered as U+FFFD', () => {
    expect(JSON.stringify(context.messages)).toContain('cut here: \uFFFD');
    expect(JSON.stringify(context.messages)).not.toMatch(/\\ud83d/);
  });

  it('fc-05.3: the log keeps both as received, and both repairs are named', () => {
    const log = JSON.stringify(stream.records);
    expect(log).toContain('x'.repeat(201));
    expect(log).toContain('\\ud83d');
    const rules = context.repairs.map((repair) => repair.rule);
    expect(rules).toContain('X1');
    expect(rules).toContain('X2');
  });
});

describe('user text that looks like a command', () => {
  const stream = streamOf(failureCase('fc-06'));

  it('fc-06.1: both inputs are in the context, word for word', () => {
    expect(lines(stream)[0]).toBe('user: /etc/hosts has a wrong entry, fix it');
    expect(lines(stream)[2]).toBe('user: ? I mean line 3');
  });

  it('fc-06.2: the roles alternate, without invented text', () => {
    const roles = contextOf(stream, anthropic).messages.map((message) => message.role);
    expect(roles).toEqual(['user', 'assistant', 'user']);
  });
});

describe('a fresh date behind a stable prefix', () => {
  const stream = streamOf(failureCase('fc-07'));
  const request = { instructions: 'You are a careful agent.' };
  const first = contextOf(stream, { ...request, now: '2026-05-08T09:00:00Z' });
  const second = contextOf(stream, { ...request, now: '2026-06-05T02:42:13Z' });

  it('fc-07.1: nothing says that today is the day of the recording', () => {
    expect(JSON.stringify(second)).not.toContain('2026-05-08');
  });

  it('fc-07.2: the new date stands in it once', () => {
    expect(JSON.stringify(second).split('2026-06-05')).toHaveLength(2);
  });

  it('fc-07.3: from the instructions to m1 the bytes are the same', () => {
    const prefix = (messages: readonly WireMessage[]): string =>
      JSON.stringify(messages.slice(0, messages.findIndex(({ role }) => role === 'assistant') + 1));
    expect(prefix(second.messages)).toBe(prefix(first.messages));
    expect(second.messages.at(-1)).not.toEqual(first.messages.at(-1));
  });
});

it('fc-13.1: the model goes on after a finished tool without any invented text', () => {
  expect(lines(streamOf(failureCase('fc-13')))).toEqual([
    'user: x',
    'assistant: null [c1]',
    'tool: y',
  ]);
});

describe('a failed compaction', () => {
  const source = sourceFromRecords(streamOf(failureCase('fc-16')).records, 's1');

  it('fc-16.1: hides nothing', () => {
    expect(built(source).messages).toEqual([
      { role: 'user', content: 'never touch the prod folder' },
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: 'go' },
    ]);
  });

  it('fc-16.2: moves no watermark', () => {
    expect(source.summary).toBeUndefined();
    expect(source.records[0]!.revision).toBe(0);
  });
});
