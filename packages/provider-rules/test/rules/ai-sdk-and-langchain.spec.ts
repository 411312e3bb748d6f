import { describe, expect, it } from '@jest/globals';
import { repairWithReport } from '../../src/index.js';
import { checkExamples, INTERRUPTED } from './check.js';

type Fields = Record<string, unknown>;

const user = (content: string): Fields => ({ role: 'user', content });
const message = (role: string, ...content: unknown[]): Fields => ({ role, content });
const call = (toolCallId: string, more: Fields = {}): Fields => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read',
  input: {},
  ...more,
});
const result = (toolCallId: string, output: unknown): Fields => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'read',
  output,
});
const words = (value: string): Fields => ({ type: 'text', value });
const request = (toolCallId: string): Fields => ({
  type: 'tool-approval-request',
  approvalId: 'p',
  toolCallId,
});
const approval = { type: 'tool-approval-response', approvalId: 'p', approved: true };

describe('AI SDK', () => {
  checkExamples('ai-sdk', [
    {
      name: 'the provider’s own calls need no answer, approvals are left alone (V1)',
      history: [
        user('q'),
        message('assistant', call('w', { providerExecuted: true }), call('a')),
        message('tool', approval),
        message('tool', result('a', words('1'))),
      ],
      broken: [],
    },
    {
      name: 'a late result moves into the run of its call (V1)',
      history: [
        user('q'),
        message('assistant', call('a'), call('b')),
        message('tool', approval, result('b', words('2'))),
        user('n'),
        message('tool', result('a', words('1'))),
      ],
      broken: ['V1 missing_tool_result', 'V2 orphan_tool_result'],
      repaired: [
        user('q'),
        message('assistant', call('a'), call('b')),
        message('tool', approval, result('a', words('1')), result('b', words('2'))),
        user('n'),
      ],
    },
    {
      name: 'an approval is of one call, also where two have its id (V1, V4)',
      history: [
        message('assistant', request('a'), call('a'), call('a')),
        message('tool', approval),
      ],
      broken: ['V1 missing_tool_result', 'V4 duplicate_tool_call_id'],
      repaired: [
        message('assistant', request('a'), call('a'), call('a__2')),
        message('tool', approval, result('a__2', { type: 'error-text', value: INTERRUPTED })),
      ],
    },
    {
      name: 'an approved call at the end is run by the SDK, further up it is closed (V1)',
      history: [
        message('assistant', call('a'), request('a')),
        message('tool', approval),
        user('n'),
        message('assistant', call('b'), request('b')),
        message('tool', approval),
      ],
      broken: ['V1 missing_tool_result'],
      repaired: [
        message('assistant', call('a'), request('a')),
        message('tool', approval, result('a', { type: 'error-text', value: INTERRUPTED })),
        user('n'),
        message('assistant', call('b'), request('b')),
        message('tool', approval),
      ],
    },
    {
      name: 'bare outputs become typed ones (V6)',
      history: [
        message('assistant', call('a'), call('b'), call('c')),
        message('tool', result('a', 'x'), result('b', { y: 1 }), result('c', words('z'))),
      ],
      broken: ['V6 bad_tool_output'],
      repaired: [
        message('assistant', call('a'), call('b'), call('c')),
        message(
          'tool',
          result('a', words('x')),
          result('b', { type: 'json', value: { y: 1 } }),
          result('c', words('z')),
        ),
      ],
    },
    {
      name: 'version 7 may take system messages in the list (V3)',
      options: { allowSystemInMessages: true },
      history: [{ role: 'system', content: 's' }, user('q')],
      broken: [],
    },
  ]);

  it('hands system messages back for the system option (V3)', () => {
    const system = { role: 'system', content: 's' };
    const report = repairWithReport('ai-sdk', [system, user('q')]);
    expect(report.history).toEqual([user('q')]);
    expect(report.leftOut).toEqual([{ position: 0, message: system }]);
  });
});

const human = (content: string): Fields => ({ type: 'human', data: { content } });
const ai = (...ids: string[]): Fields => ({
  type: 'ai',
  data: {
    content: '',
    tool_calls: ids.map((id) => ({ id, name: 'read', args: {}, type: 'tool_call' })),
    invalid_tool_calls: [],
    response_metadata: { model: 'm' },
  },
});
const tool = (id: string, content: unknown, more: Fields = {}): Fields => ({
  type: 'tool',
  data: { content, tool_call_id: id, ...more },
});

describe('LangChain', () => {
  checkExamples('langchain', [
    {
      name: 'an empty list of calls is how LangChain stores every AI message (L5)',
      history: [human('q'), ai(), human('n')],
      broken: [],
    },
    {
      name: 'a late result moves, and other fields are carried over (L1)',
      history: [human('q'), ai('a', 'b'), human('n'), tool('b', '2', { artifact: [1] })],
      broken: ['L1 missing_tool_result', 'L2 orphan_tool_result'],
      repaired: [
        human('q'),
        ai('a', 'b'),
        tool('a', INTERRUPTED, { status: 'error' }),
        tool('b', '2', { artifact: [1] }),
        human('n'),
      ],
    },
    {
      name: 'media of a tool move to a human message (L9)',
      history: [ai('a'), tool('a', [{ type: 'image_url', image_url: 'x' }])],
      broken: ['L9 tool_content_not_text'],
      repaired: [
        ai('a'),
        tool('a', 'See attached content in the next user message.'),
        { type: 'human', data: { content: [{ type: 'image_url', image_url: 'x' }] } },
      ],
    },
  ]);
});
