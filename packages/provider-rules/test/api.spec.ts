import { describe, expect, it } from '@jest/globals';
import {
  atomicGroups,
  fnv1a,
  legalCuts,
  legalIds,
  PROVIDERS,
  repair,
  repairWithReport,
  RULES,
  shortenId,
  SYNTHETIC_REASONS,
  SYNTHETIC_TEXTS,
  validate,
  VIOLATION_KINDS,
  withoutAnnotations,
  type ProviderName,
} from '../src/index.js';

const user = { role: 'user', content: 'q' };
const calls = {
  role: 'assistant',
  content: null,
  tool_calls: ['a', 'a'].map((id) => ({
    id,
    type: 'function',
    function: { name: 'read', arguments: '{}' },
  })),
};

describe('providers and options', () => {
  it('refuses what it does not know, and says what is allowed', () => {
    expect(() => validate('openai' as ProviderName, [])).toThrow(
      new TypeError(`Unknown provider "openai"; allowed: ${PROVIDERS.join(', ')}.`),
    );
    expect(() => repair('gemini', [], { gemini4: true } as never)).toThrow(
      new TypeError('Unknown option "gemini4" for gemini; allowed: gemini3, vertex.'),
    );
    expect(() => repair('langchain', [], { x: 1 } as never)).toThrow(/allowed: none/);
    expect(() => validate('gemini', [], { vertex: 'yes' } as never)).toThrow(
      new TypeError('Option "vertex" for gemini must be a boolean, got "yes".'),
    );
    expect(() => validate('gemini', [], [] as never)).toThrow(/must be an object, got an array/);
  });

  it('takes undefined options as unset', () => {
    expect(
      validate('gemini', [{ role: 'user', parts: [{ text: 'q' }] }], { vertex: undefined }),
    ).toEqual([]);
  });
});

describe('synthetic results', () => {
  it('ask the caller for the reason of each open call', () => {
    const asked: unknown[] = [];
    const repaired = repair(
      'openai-chat',
      [user, calls],
      {},
      {
        resultFor: (callId, call) => {
          asked.push([callId, call]);
          if (call.ordinal === 0) return 'rejected';
          return { reason: 'resolved_applied', text: 'It was applied. Operation key: k1.' };
        },
      },
    );
    expect(asked).toEqual([
      ['a', { id: 'a', name: 'read', position: 1, ordinal: 0 }],
      ['a', { id: 'a', name: 'read', position: 1, ordinal: 1 }],
    ]);
    expect(repaired.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: SYNTHETIC_TEXTS.rejected },
      { role: 'tool', tool_call_id: 'a__2', content: 'It was applied. Operation key: k1.' },
    ]);
  });

  it.each(SYNTHETIC_REASONS)('of reason %s set the error flag, but for good news', (reason) => {
    const use = { type: 'tool_use', id: 'a', name: 'read', input: {} };
    const history = [{ role: 'assistant', content: [use] }];
    const [, results] = repair('anthropic', history, {}, { resultFor: () => reason });
    const flag = reason === 'resolved_applied' ? {} : { is_error: true };
    expect(results).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: SYNTHETIC_TEXTS[reason], ...flag },
      ],
    });
  });
});

describe('the report', () => {
  it('lists every repair with rule, position and reason', () => {
    const stray = { role: 'tool', tool_call_id: 'x', content: 'lost' };
    const { repairs, violations } = repairWithReport('openai-chat', [user, calls, user, stray]);
    expect(violations).toEqual([]);
    expect(repairs.map(({ rule, position, action }) => [rule, position, action])).toEqual([
      ['C2', 3, 'drop_orphan_result'],
      ['C1', 1, 'synthetic_result'],
      ['C1', 1, 'synthetic_result'],
      ['C4', 1, 'rewrite_ids'],
    ]);
    expect(repairs.every(({ reason }) => reason.length > 0)).toBe(true);
  });

  it('uses rules and kinds that RULES and VIOLATION_KINDS know', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    expect(
      RULES.flatMap(({ kinds }) => kinds).every((kind) => VIOLATION_KINDS.includes(kind)),
    ).toBe(true);
    expect(new Set(RULES.flatMap(({ kinds }) => kinds)).size).toBe(VIOLATION_KINDS.length);
  });
});

describe('any JSON', () => {
  it.each(PROVIDERS)('text instead of a list becomes the user’s message: %s', (provider) => {
    const repaired = repair(provider, 'hello');
    expect(JSON.stringify(repaired)).toContain('hello');
    expect(validate(provider, repaired)).toEqual([]);
  });

  it.each(PROVIDERS)('may be nested deeper than the stack: %s', (provider) => {
    const depth = 20_000;
    const deep = JSON.parse(`${'['.repeat(depth)}"\\ud800"${']'.repeat(depth)}`) as unknown;
    for (const history of [[deep], [{ role: 'user', content: deep, parts: deep, data: deep }]]) {
      expect(validate(provider, repair(provider, history))).toEqual([]);
    }
  });
});

describe('ids', () => {
  it('are shortened to the limit, by a hash of the whole id', () => {
    expect(fnv1a('')).toBe(0x811c9dc5);
    expect(fnv1a('a')).toBe(0xe40c292c);
    expect(shortenId('short', 40)).toBe('short');
    const long = `call_${'x'.repeat(46)}`;
    expect(shortenId(long, 40)).toBe('call_xxxxxxxxxxxxxxxxxxxxxxxxxxx_1tfpzlu');
    expect([...shortenId('😀'.repeat(50), 40)]).toHaveLength(40);
  });

  it('stay if they are legal and free, else take the first free name', () => {
    expect(legalIds('anthropic', ['a', 'a', 'a__2', 'b:c', ''])).toEqual([
      'a',
      'a__3',
      'a__2',
      'b_c',
      'call',
    ]);
  });
});

describe('annotations', () => {
  it('go before sending, and nothing else does', () => {
    const input = { _kept: 1 };
    const history = [
      { role: 'assistant', _id: 7, content: [{ type: 'tool_use', _model: 'm', input }] },
      user,
    ];
    const bare = withoutAnnotations(history);
    expect(bare).toEqual([{ role: 'assistant', content: [{ type: 'tool_use', input }] }, user]);
    expect(bare[1]).toBe(user);
  });
});

describe('cuts', () => {
  const answers = ['1', '2'].map((content) => ({ role: 'tool', tool_call_id: 'a', content }));

  it('never part a call from its results', () => {
    expect(legalCuts('openai-chat', [user, calls, ...answers, user])).toEqual([0, 1, 4, 5]);
    expect(legalCuts('openai-chat', [user, calls, user, ...answers])).toEqual([0, 1, 5]);
    expect(atomicGroups('openai-chat', [user, calls, answers[0]])).toEqual([
      { start: 0, end: 1, hasOpenCall: false },
      { start: 1, end: 3, hasOpenCall: true },
    ]);
  });

  it('keep a tool loop with thinking whole', () => {
    const thinking = { type: 'thinking', thinking: '', signature: 's' };
    const use = { type: 'tool_use', id: 'a', name: 'read', input: {} };
    const loop = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [thinking, use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '1' }] },
      { role: 'assistant', content: 'done' },
    ];
    expect(legalCuts('anthropic', [...loop, user])).toEqual([0, 4, 5]);
    const bare = [loop[0], { role: 'assistant', content: [use] }, ...loop.slice(2)];
    expect(legalCuts('anthropic', [...bare, user])).toEqual([0, 1, 3, 4, 5]);
  });

  it('keep reasoning with what follows it', () => {
    const items = [
      { role: 'user', content: 'q' },
      { type: 'reasoning', summary: [], encrypted_content: 'E' },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: '1' },
      { role: 'assistant', content: 'done' },
    ];
    expect(legalCuts('openai-responses', items)).toEqual([0, 1, 4, 5]);
  });
});
