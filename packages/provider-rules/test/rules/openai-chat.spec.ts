import { describe, expect, it } from '@jest/globals';
import { repairWithReport, shortenToolName, validate } from '../../src/index.js';
import { checkExamples, INTERRUPTED } from './check.js';

const user = (content: unknown): object => ({ role: 'user', content });
const toolResult = (id: string, content: unknown): object => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
const calls = (...ids: string[]): object => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: 'read', arguments: '{}' },
  })),
});
const image = (url: string): object => ({ type: 'image_url', image_url: { url } });

describe('Chat Completions', () => {
  checkExamples('openai-chat', [
    {
      name: 'a late real result moves into the run, which is then in call order (C1)',
      history: [user('q'), calls('a', 'b'), toolResult('b', '2'), user('n'), toolResult('a', '1')],
      broken: ['C1 missing_tool_result', 'C2 orphan_tool_result'],
      repaired: [user('q'), calls('a', 'b'), toolResult('a', '1'), toolResult('b', '2'), user('n')],
    },
    {
      name: 'a late real result takes the place of a synthetic one (6.2)',
      history: [
        user('q'),
        calls('a'),
        toolResult('a', INTERRUPTED),
        user('n'),
        toolResult('a', '1'),
      ],
      broken: ['C2 orphan_tool_result'],
      repaired: [user('q'), calls('a'), toolResult('a', '1'), user('n')],
    },
    {
      name: 'a reused id is answered in the most recent turn (6.2)',
      history: [user('q'), calls('a'), user('n'), calls('a'), toolResult('a', '1')],
      broken: ['C1 missing_tool_result'],
      repaired: [
        user('q'),
        calls('a'),
        toolResult('a', INTERRUPTED),
        user('n'),
        calls('a'),
        toolResult('a', '1'),
      ],
    },
    {
      name: 'a valid run keeps its own order when another turn is repaired (6.1)',
      history: [calls('a', 'b'), toolResult('b', '2'), toolResult('a', '1'), user('n'), calls('c')],
      broken: ['C1 missing_tool_result'],
      repaired: [
        calls('a', 'b'),
        toolResult('b', '2'),
        toolResult('a', '1'),
        user('n'),
        calls('c'),
        toolResult('c', INTERRUPTED),
      ],
    },
    {
      name: 'media of a run follow it in one user message, in call order (C9)',
      history: [
        calls('a', 'b'),
        toolResult('b', [image('2')]),
        toolResult('a', [image('1')]),
        user('n'),
      ],
      broken: ['C9 tool_content_not_text'],
      repaired: [
        calls('a', 'b'),
        toolResult('a', 'See attached content in the next user message.'),
        toolResult('b', 'See attached content in the next user message.'),
        user([image('1'), image('2')]),
        user('n'),
      ],
    },
    {
      name: 'null content is fine beside a refusal (C6)',
      history: [user('q'), { role: 'assistant', content: null, refusal: 'no' }, user('n')],
      broken: [],
    },
    {
      name: 'Mistral: ids have nine characters, and no user follows a tool (C11, C12)',
      options: { mistral: true },
      history: [user('q'), calls('call_1'), toolResult('call_1', '1'), user('n')],
      broken: ['C11 bad_tool_call_id', 'C12 not_alternating'],
      repaired: [
        user('q'),
        calls('001a5lpmx'),
        toolResult('001a5lpmx', '1'),
        { role: 'assistant', content: 'Done.' },
        user('n'),
      ],
    },
    {
      name: 'a lone surrogate becomes U+FFFD (X1)',
      history: [user('a\uD800b'), calls('a'), toolResult('a', '\uDC00')],
      broken: ['X1 ill_formed_text'],
      repaired: [user('a\uFFFDb'), calls('a'), toolResult('a', '\uFFFD')],
    },
    {
      name: 'an entry that is no message goes (X4)',
      history: [null, 'x', user('q'), { role: 'robot', content: 'x' }],
      broken: ['X4 bad_role'],
      repaired: [user('q')],
    },
    {
      name: 'an empty history gets the placeholder (X3)',
      history: [],
      broken: ['C0 empty_history'],
      repaired: [user('(conversation continues)')],
    },
  ]);

  it('shortens tool names in calls and results alike (X2)', () => {
    const name = 'n'.repeat(65);
    const short = shortenToolName('openai-chat', name);
    expect(short).toHaveLength(64);
    const call = { id: 'a', type: 'function', function: { name, arguments: '{}' } };
    const history = [
      { role: 'assistant', content: null, tool_calls: [call] },
      { ...toolResult('a', '1'), name },
    ];
    const report = repairWithReport('openai-chat', history);
    expect(JSON.stringify(report.history)).toBe(JSON.stringify(history).replaceAll(name, short));
    expect(report.violations).toEqual([]);
  });

  it('leaves more than 128 calls to the caller (C7)', () => {
    const ids = Array.from({ length: 129 }, (_, index) => `call_${index}`);
    const history = [user('q'), calls(...ids), ...ids.map((id) => toolResult(id, '1'))];
    const report = repairWithReport('openai-chat', history);
    expect(report.violations).toEqual([{ rule: 'C7', kind: 'too_many_tool_calls', at: 1 }]);
    expect(report.history).toEqual(history);
    expect(
      validate('openai-chat', [
        user('q'),
        calls(...ids.slice(1)),
        ...ids.slice(1).map((id) => toolResult(id, '1')),
      ]),
    ).toEqual([]);
  });
});
