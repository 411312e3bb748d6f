import { describe } from '@jest/globals';
import { checkExamples, INTERRUPTED } from './check.js';

type Fields = Record<string, unknown>;

const user = (...parts: unknown[]): Fields => ({ role: 'user', parts });
const model = (...parts: unknown[]): Fields => ({ role: 'model', parts });
const text = (words: string): Fields => ({ text: words });
const call = (id: string | undefined, name = 'a', more: Fields = {}): Fields => ({
  functionCall: { ...(id === undefined ? {} : { id }), name, args: {} },
  ...more,
});
const response = (id: string | undefined, name = 'a', output = 'ok'): Fields => ({
  functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output } },
});
const open = (id: string, name = 'a'): Fields => ({
  functionResponse: { id, name, response: { error: INTERRUPTED } },
});
const q = user(text('q'));
const n = user(text('n'));
const signature = { thoughtSignature: 'c2ln' };
const sentinel = { thoughtSignature: 'skip_thought_signature_validator' };

describe('Gemini', () => {
  checkExamples('gemini', [
    {
      name: 'several contents with calls share one content with responses (G3)',
      history: [q, model(call('1')), model(call('2')), user(response('1'), response('2'))],
      broken: [],
    },
    {
      name: 'responses in several contents become one (G3)',
      history: [q, model(call('1'), call('2')), user(response('2')), user(response('1'))],
      broken: ['G3 missing_tool_result', 'G2 orphan_tool_result', 'G2 not_adjacent'],
      repaired: [q, model(call('1'), call('2')), user(response('1'), response('2'))],
    },
    {
      name: 'a repaired turn is one content (6.2)',
      history: [q, model(call('1')), model(text('wait')), user(response('1'))],
      broken: ['G3 missing_tool_result', 'G2 orphan_tool_result', 'G2 not_adjacent'],
      repaired: [q, model(call('1'), text('wait')), user(response('1'))],
    },
    {
      name: 'a late response goes to its call, its text stays (G2)',
      history: [q, model(call('1')), n, model(text('ok')), user(response('1'), text('m'))],
      broken: [
        'G3 missing_tool_result',
        'G4 mixed_result_content',
        'G2 orphan_tool_result',
        'G2 not_adjacent',
      ],
      repaired: [q, model(call('1')), user(response('1')), n, model(text('ok')), user(text('m'))],
    },
    {
      name: 'without ids, name and position decide (G11)',
      history: [
        q,
        model(call(undefined, 'a'), call(undefined, 'b'), call(undefined, 'a')),
        user(
          response(undefined, 'a', '1'),
          response(undefined, 'a', '2'),
          response(undefined, 'b', '3'),
        ),
      ],
      broken: ['G11 result_order'],
      repaired: [
        q,
        model(call(undefined, 'a'), call(undefined, 'b'), call(undefined, 'a')),
        user(
          response(undefined, 'a', '1'),
          response(undefined, 'b', '3'),
          response(undefined, 'a', '2'),
        ),
      ],
    },
    {
      name: 'a response takes the name of its call (G11)',
      history: [q, model(call('1', 'a')), user(response('1', 'other'))],
      broken: ['G11 result_order'],
      repaired: [q, model(call('1', 'a')), user(response('1', 'a'))],
    },
    {
      name: 'too many responses (G3)',
      history: [q, model(call('1')), user(response('1', 'a', 'x'), response('1', 'a', 'y'))],
      broken: ['G3 duplicate_tool_result', 'G3 too_many_tool_results'],
      repaired: [q, model(call('1')), user(response('1', 'a', 'x'))],
    },
    {
      name: 'signatures are checked behind the last user text only (G5)',
      options: { gemini3: true },
      history: [
        q,
        model(call('1')),
        user(response('1')),
        model(text('ok')),
        n,
        model(call('2', 'a', signature), call('3')),
        user(response('2'), response('3')),
        model(call('4')),
        user(response('4')),
      ],
      broken: ['G5 missing_thought_signature'],
      repaired: [
        q,
        model(call('1')),
        user(response('1')),
        model(text('ok')),
        n,
        model(call('2', 'a', signature), call('3')),
        user(response('2'), response('3')),
        model(call('4', 'a', sentinel)),
        user(response('4')),
      ],
    },
    {
      name: 'empty text is fine on the Gemini API (G6)',
      history: [user(text('')), model(text('x')), n],
      broken: [],
    },
    {
      name: 'Vertex refuses empty text, nobody takes a part without a field (G6)',
      options: { vertex: true },
      history: [q, model(text(''), text('x')), n, model({}, { thought: true }), user(text('m'))],
      broken: ['G6 empty_text', 'G6 empty_part'],
      repaired: [q, model(text('x')), user(text('n'), text('m'))],
    },
    {
      name: 'a call in a user content is not trusted (G10)',
      history: [user(text('q'), call('1')), model(text('x')), n],
      broken: ['G10 bad_role'],
      repaired: [q, model(text('x')), n],
    },
    {
      name: 'a dropped orphan lets model neighbours join (6.2)',
      history: [q, model(text('x')), user(response('9')), model(call('1')), n],
      broken: ['G2 orphan_tool_result', 'G3 missing_tool_result'],
      repaired: [q, model(text('x'), call('1')), user(open('1')), n],
    },
  ]);
});
