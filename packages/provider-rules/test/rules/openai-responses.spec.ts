import { describe, expect, it } from '@jest/globals';
import { repairWithReport } from '../../src/index.js';
import { checkExamples, INTERRUPTED } from './check.js';

type Fields = Record<string, unknown>;

const user = (words: string): Fields => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: words }],
});
const said = (id: string | undefined, words: string): Fields => ({
  type: 'message',
  role: 'assistant',
  ...(id === undefined ? {} : { id }),
  content: [{ type: 'output_text', text: words }],
});
const call = (callId: string, id?: string): Fields => ({
  type: 'function_call',
  ...(id === undefined ? {} : { id }),
  call_id: callId,
  name: 'read',
  arguments: '{}',
});
const output = (callId: string, words: string): Fields => ({
  type: 'function_call_output',
  call_id: callId,
  output: words,
});
const reasoning = (id?: string, content: string | null = 'ENC'): Fields => ({
  type: 'reasoning',
  ...(id === undefined ? {} : { id }),
  summary: [],
  encrypted_content: content,
});
const q = user('q');
const n = user('n');

describe('Responses', () => {
  checkExamples('openai-responses', [
    {
      name: 'other items may stand between a call and its output (R1)',
      history: [q, call('a'), call('b'), n, output('b', '2'), output('a', '1')],
      broken: [],
    },
    {
      name: 'a synthetic output stands right behind its call, real ones keep their place (R1)',
      history: [q, call('a'), call('b'), output('b', '2')],
      broken: ['R1 missing_tool_result'],
      repaired: [q, call('a'), output('a', INTERRUPTED), call('b'), output('b', '2')],
    },
    {
      name: 'an output may belong to a call on the server (R2)',
      options: { serverKnownCallIds: ['s'] },
      history: [output('s', '1'), n],
      broken: [],
    },
    {
      name: 'a second output goes (R12)',
      history: [q, call('a'), output('a', '1'), output('a', '2')],
      broken: ['R12 duplicate_tool_result'],
      repaired: [q, call('a'), output('a', '1')],
    },
    {
      name: 'a reused id is answered in the most recent run (6.2, R13)',
      history: [q, call('a'), n, call('a'), output('a', '1')],
      broken: ['R13 duplicate_tool_call_id', 'R1 missing_tool_result'],
      repaired: [q, call('a'), output('a', INTERRUPTED), n, call('a__2'), output('a__2', '1')],
    },
    {
      name: 'an output before all calls of its id answers the first open one (R3)',
      history: [q, output('a', '1'), call('a'), n, call('a'), output('a', '2')],
      broken: ['R3 result_before_call', 'R13 duplicate_tool_call_id'],
      repaired: [q, call('a'), output('a', '1'), n, call('a__2'), output('a__2', '2')],
    },
    {
      name: 'reasoning with an id needs a follower with an id (R4), and they feed each other (R5)',
      options: { reasoningOf: { fc_2: 'rs_1' } },
      history: [
        q,
        reasoning('rs_1'),
        call('a', 'call_a'),
        output('a', '1'),
        reasoning('rs_2'),
        call('b', 'fc_2'),
        output('b', '2'),
      ],
      broken: ['R9 bad_item_id'],
      repaired: [q, call('a'), output('a', '1'), call('b'), output('b', '2')],
    },
    {
      name: 'store false: reasoning without content goes with the ids of its followers (R6)',
      options: { store: false },
      history: [
        q,
        reasoning('rs_1', null),
        call('a', 'fc_1'),
        call('b', 'fc_2'),
        output('a', '1'),
        output('b', '2'),
      ],
      broken: ['R6 unpersisted_item'],
      repaired: [q, call('a'), call('b'), output('a', '1'), output('b', '2')],
    },
    {
      name: 'items that the server has are not sent again (R8)',
      options: { serverKnownItemIds: ['msg_1', 'rs_1'] },
      history: [reasoning('rs_1'), said('msg_1', 'x'), n],
      broken: ['R8 duplicate_item_id'],
      repaired: [n],
    },
    {
      name: 'a later item with other content only loses its id (R8)',
      history: [q, said('msg_1', 'x'), n, said('msg_1', 'y'), n],
      broken: ['R8 duplicate_item_id'],
      repaired: [q, said('msg_1', 'x'), n, said(undefined, 'y'), n],
    },
    {
      name: 'user text in an assistant part stays the user’s (R10)',
      history: [{ role: 'user', content: [{ type: 'output_text', text: 'hi', annotations: [] }] }],
      broken: ['R10 bad_content_type'],
      repaired: [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
    },
    {
      name: 'outputs of other call types have their own shapes',
      history: [
        { type: 'shell_call', call_id: 's' },
        { type: 'apply_patch_call', call_id: 'p' },
        { type: 'custom_tool_call', call_id: 'c', name: 'x', input: 'y' },
        n,
      ],
      broken: ['R1 missing_tool_result'],
      repaired: [
        { type: 'shell_call', call_id: 's' },
        {
          type: 'shell_call_output',
          call_id: 's',
          output: [{ stdout: '', stderr: INTERRUPTED, outcome: { type: 'exit', exit_code: 1 } }],
        },
        { type: 'apply_patch_call', call_id: 'p' },
        { type: 'apply_patch_call_output', call_id: 'p', status: 'failed', output: INTERRUPTED },
        { type: 'custom_tool_call', call_id: 'c', name: 'x', input: 'y' },
        { type: 'custom_tool_call_output', call_id: 'c', output: INTERRUPTED },
        n,
      ],
    },
  ]);

  it('leaves an open computer call to the caller: no text is a screenshot', () => {
    const history = [q, { type: 'computer_call', call_id: 'c' }, n];
    const report = repairWithReport('openai-responses', history);
    expect(report.history).toEqual(history);
    expect(report.violations).toEqual([{ rule: 'R1', kind: 'missing_tool_result', at: 1 }]);
  });
});
