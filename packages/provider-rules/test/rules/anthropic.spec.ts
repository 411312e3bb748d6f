import { describe, expect, it } from '@jest/globals';
import { prefixFingerprints, repairWithReport, validate } from '../../src/index.js';
import { checkExamples, INTERRUPTED } from './check.js';

type Fields = Record<string, unknown>;

const user = (...content: unknown[]): Fields => ({ role: 'user', content });
const assistant = (...content: unknown[]): Fields => ({ role: 'assistant', content });
const text = (words: string, more: Fields = {}): Fields => ({ type: 'text', text: words, ...more });
const use = (id: string): Fields => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (id: string, content: string): Fields => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
const open = (id: string): Fields => ({ ...result(id, INTERRUPTED), is_error: true });
const thinking = (signature: string, more: Fields = {}): Fields => ({
  type: 'thinking',
  thinking: 'plan',
  signature,
  ...more,
});
const short = { cache_control: { type: 'ephemeral' } };
const long = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const q = user(text('q'));
const n = user(text('n'));

describe('Anthropic Messages', () => {
  checkExamples('anthropic', [
    {
      name: 'two assistant messages with calls share one user message with results',
      history: [
        q,
        assistant(use('a')),
        assistant(use('b')),
        user(result('a', '1'), result('b', '2')),
      ],
      broken: [],
    },
    {
      name: 'a repaired turn is joined, its results are first and in call order (A1)',
      history: [
        q,
        assistant(use('a')),
        assistant(use('b')),
        user(text('and'), result('b', '2')),
        user(text('more')),
      ],
      broken: ['A1 missing_tool_result', 'A3 tool_result_not_first'],
      repaired: [
        q,
        assistant(use('a'), use('b')),
        user(open('a'), result('b', '2'), text('and'), text('more')),
      ],
    },
    {
      name: 'tool_use goes to the end of its own segment only (A4)',
      history: [
        q,
        assistant(thinking('1'), use('a'), text('x'), thinking('2'), use('b'), text('y')),
        user(result('a', '1'), result('b', '2')),
      ],
      broken: ['A4 tool_use_not_last'],
      repaired: [
        q,
        assistant(thinking('1'), text('x'), use('a'), thinking('2'), text('y'), use('b')),
        user(result('a', '1'), result('b', '2')),
      ],
    },
    {
      name: 'rewritten ids do not collide with legal ones (A7)',
      history: [
        q,
        assistant(use('a:b'), use('a_b'), use('a|b')),
        user(result('a:b', '1'), result('a_b', '2'), result('a|b', '3')),
      ],
      broken: ['A7 bad_tool_call_id'],
      repaired: [
        q,
        assistant(use('a_b__2'), use('a_b'), use('a_b__3')),
        user(result('a_b__2', '1'), result('a_b', '2'), result('a_b__3', '3')),
      ],
    },
    {
      name: 'an empty final assistant message may stay (A9)',
      history: [q, assistant()],
      broken: [],
    },
    {
      name: 'signed empty thinking is real, thinking of another model is not (A14)',
      options: { model: 'claude-b' },
      history: [
        q,
        assistant(thinking('1', { thinking: '', _model: 'claude-b' }), text('x')),
        n,
        assistant(thinking('2', { _model: 'claude-a' }), text('y')),
        n,
      ],
      broken: ['A14 bad_thinking_signature'],
      repaired: [
        q,
        assistant(thinking('1', { thinking: '', _model: 'claude-b' }), text('x')),
        n,
        assistant(text('y')),
        n,
      ],
    },
    {
      name: 'a paused turn goes back as it is (A12)',
      options: { prefill: false },
      history: [
        q,
        assistant(text('x'), { type: 'server_tool_use', id: 's', name: 'web', input: {} }),
      ],
      broken: [],
    },
    {
      name: 'thinking off: the final turn loses its thinking, earlier turns keep it (A18)',
      options: { thinking: false },
      history: [
        q,
        assistant(thinking('1'), text('x')),
        n,
        assistant(thinking('2'), use('a')),
        user(result('a', '1')),
      ],
      broken: ['A18 thinking_when_disabled'],
      repaired: [
        q,
        assistant(thinking('1'), text('x')),
        n,
        assistant(use('a')),
        user(result('a', '1')),
      ],
    },
    {
      name: 'a long cache mark behind a short one: one ttl in the whole request (A20)',
      history: [user(text('q', long)), assistant(text('x', short)), user(text('n', long))],
      broken: ['A20 cache_control_ttl_order'],
      repaired: [user(text('q', short)), assistant(text('x', short)), user(text('n', short))],
    },
    {
      name: 'a cache mark leaves thinking for the block before it (A21)',
      history: [q, assistant(text('x'), thinking('1', short), text('y')), n],
      broken: ['A21 cache_control_not_allowed'],
      repaired: [q, assistant(text('x', short), thinking('1'), text('y')), n],
    },
    {
      name: 'cache marks in tools and system count too (A19)',
      options: { cacheControlElsewhere: 3 },
      history: [user(text('q', short)), assistant(text('x')), user(text('n', short))],
      broken: ['A19 too_many_cache_control'],
      repaired: [q, assistant(text('x')), user(text('n', short))],
    },
    {
      name: 'calls and results in the wrong role go, and the call is closed (A26)',
      history: [user(text('q'), use('z')), assistant(text('x'), result('a', '1'), use('a')), n],
      broken: ['A26 block_in_wrong_role', 'A1 missing_tool_result'],
      repaired: [q, assistant(text('x'), use('a')), user(open('a'), text('n'))],
    },
    {
      name: 'a system message needs midSystem (A27)',
      options: { midSystem: true },
      history: [q, { role: 'system', content: 's' }, assistant(text('x')), n],
      broken: [],
    },
    {
      name: 'a repair drops the thinking behind it, if thinking is bound (A28)',
      options: { boundPrefix: true },
      history: [
        q,
        assistant(thinking('1'), use('a')),
        n,
        assistant(thinking('2'), text('x'), use('b')),
        user(result('b', '2')),
      ],
      broken: ['A1 missing_tool_result'],
      repaired: [
        q,
        assistant(thinking('1'), use('a')),
        user(open('a'), text('n')),
        assistant(text('x'), use('b')),
        user(result('b', '2')),
      ],
    },
  ]);

  it('reports system messages that it leaves out (A27)', () => {
    const system = { role: 'system', content: 's' };
    const report = repairWithReport('anthropic', [q, system, n]);
    expect(report.history).toEqual([user(text('q'), text('n'))]);
    expect(report.leftOut).toEqual([{ position: 1, message: system }]);
  });

  it('compares bound thinking with the fingerprint of its prefix (A28)', () => {
    const made = [
      q,
      assistant(thinking('1'), text('x')),
      n,
      assistant(thinking('2'), text('y')),
      n,
    ];
    const prefixes = prefixFingerprints(made);
    const stored = made.map((message, at) => ({
      ...message,
      content: (message.content as Fields[]).map((block) =>
        block.type === 'thinking' ? { ...block, _prefix: prefixes[at] } : block,
      ),
    }));
    const options = { boundPrefix: true };
    expect(validate('anthropic', stored, options)).toEqual([]);
    expect(validate('anthropic', [user(text('Q')), ...stored.slice(1)], {})).toEqual([]);

    const edited = [stored[0], stored[1], user(text('edited')), ...stored.slice(3)];
    expect(validate('anthropic', edited, options)).toEqual([
      { rule: 'A28', kind: 'thinking_prefix_changed', at: 3 },
    ]);
    const report = repairWithReport('anthropic', edited, options);
    expect(report.history).toEqual([...edited.slice(0, 3), assistant(text('y')), n]);
    expect(report.violations).toEqual([]);
  });

  it('cannot heal marks that stand elsewhere (A19)', () => {
    const report = repairWithReport('anthropic', [q], { cacheControlElsewhere: 5 });
    expect(report.violations.map(({ rule }) => rule)).toEqual(['A19']);
    expect(report.history).toEqual([q]);
  });
});
