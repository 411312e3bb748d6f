import { describe, expect, it } from '@jest/globals';
import { validate } from '@holdfast/provider-rules';
import { contextOf } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import type { Json } from '../domain/content.js';
import type { NativeSummary } from '../domain/events/compaction-events.js';
import { compactionRange } from './compaction-range.js';
import { CONTEXT_FORMATS, type ContextFormat } from './format-names.js';
import { sourceFromRecords } from './source-from-records.js';

const ANTHROPIC: NativeSummary = {
  provider: 'anthropic',
  model: 'claude-a',
  blocks: [{ type: 'compaction', content: 'NATIVE' }],
};
const RESPONSES: NativeSummary = {
  provider: 'openai',
  api: 'openai-responses',
  model: 'gpt-a',
  blocks: [{ type: 'compaction', encrypted_content: 'NATIVE' }],
};

function compacted(native: NativeSummary | undefined, turns = 4): StreamBuilder {
  const stream = new StreamBuilder().started();
  stream.facts({ factId: 'g', version: 1, kind: 'goal', text: 'THE GOAL' });
  for (let turn = 0; turn < turns; turn += 1) {
    stream.input(`u${turn}`, `question ${turn}`).answer(`m${turn}`, { text: `answer ${turn}` });
  }
  const source = sourceFromRecords(stream.records, 's1');
  const range = compactionRange(source, { keepGroups: 1 });
  if (range === 'nothing_to_compact') throw new Error(range);
  return stream.compacted('k', range, 'READABLE', native);
}

function shown(native: NativeSummary, format: ContextFormat, provider: string, model: string) {
  const context = contextOf(compacted(native), { format, provider, model });
  if (format !== 'neutral') expect(validate(format, context.messages)).toEqual([]);
  const text = JSON.stringify(context.messages);
  expect(text).toContain('THE GOAL');
  return { isNative: text.includes('NATIVE'), isReadable: text.includes('READABLE') };
}

const NATIVE_ONLY = { isNative: true, isReadable: false };
const READABLE_ONLY = { isNative: false, isReadable: true };

describe('a summary that a provider has made for itself', () => {
  it('stands in place of the readable one for the model that made it', () => {
    expect(shown(ANTHROPIC, 'anthropic', 'anthropic', 'claude-a')).toEqual(NATIVE_ONLY);
    expect(shown(RESPONSES, 'openai-responses', 'openai', 'gpt-a')).toEqual(NATIVE_ONLY);
    const request = { format: 'anthropic', provider: 'anthropic', model: 'claude-a' } as const;
    const { messages } = contextOf(compacted(ANTHROPIC), request);
    expect(messages).toContainEqual({ role: 'assistant', content: ANTHROPIC.blocks });
  });

  it('goes to no other model, provider or format: the readable one stands there', () => {
    expect(shown(ANTHROPIC, 'anthropic', 'anthropic', 'claude-b')).toEqual(READABLE_ONLY);
    expect(shown(ANTHROPIC, 'anthropic', 'bedrock', 'claude-a')).toEqual(READABLE_ONLY);
    expect(shown(RESPONSES, 'openai-responses', 'openai', 'gpt-b')).toEqual(READABLE_ONLY);
    for (const format of CONTEXT_FORMATS) {
      if (format !== 'anthropic') {
        expect(shown(ANTHROPIC, format, 'anthropic', 'claude-a')).toEqual(READABLE_ONLY);
      }
      if (format !== 'openai-responses') {
        expect(shown(RESPONSES, format, 'openai', 'gpt-a')).toEqual(READABLE_ONLY);
      }
    }
  });

  it.each([
    ['no block of that kind', { ...ANTHROPIC, blocks: [{ type: 'text', text: 'NATIVE' }] }],
    ['an empty one', { ...ANTHROPIC, blocks: [{ type: 'compaction', content: ' ' }] }],
    ['no list', { ...ANTHROPIC, blocks: 'NATIVE' as unknown as readonly Json[] }],
  ])('is passed over when it is %s', (_, native) => {
    expect(shown(native, 'anthropic', 'anthropic', 'claude-a')).toEqual(READABLE_ONLY);
  });

  it('is never dropped for the budget', () => {
    const stream = compacted(ANTHROPIC);
    for (let turn = 0; turn < 30; turn += 1) {
      stream
        .input(`v${turn}`, 'more '.repeat(100))
        .answer(`n${turn}`, { text: 'yes '.repeat(100) });
    }
    const request = { format: 'anthropic', provider: 'anthropic', model: 'claude-a' } as const;
    const { messages, dropped } = contextOf(stream, { ...request, budgetTokens: 2_000 });
    expect(dropped!.items).toBeGreaterThan(10);
    expect(messages).toContainEqual({ role: 'assistant', content: ANTHROPIC.blocks });
  });
});

describe('a compaction item inside an answer', () => {
  const cases = [
    ['anthropic', 'anthropic', { type: 'compaction', content: 'NATIVE' }],
    ['openai-responses', 'openai', { type: 'compaction', encrypted_content: 'NATIVE' }],
  ] as const;

  it.each(cases)(
    'of %s goes back to the model that made it, and to no other',
    (api, provider, block) => {
      const stream = new StreamBuilder().started().input('u1', 'go').modelCall('m1', {});
      stream.add('AssistantMessageRecorded', {
        modelCallId: 'mc-m1',
        messageId: 'm1',
        part: 0,
        final: true,
        provider,
        api,
        model: 'model-a',
        blocks: [
          { type: 'provider', block },
          { type: 'text', text: 'done' },
        ],
      });
      stream.settled('m1', 'completed');
      const textFor = (format: ContextFormat, model: string) => {
        const context = contextOf(stream, { format, provider, model });
        if (format !== 'neutral') expect(validate(format, context.messages)).toEqual([]);
        return { text: JSON.stringify(context.messages), leftOut: context.leftOut };
      };
      expect(textFor(api, 'model-a').text).toContain('NATIVE');
      expect(textFor(api, 'model-b').text).not.toContain('NATIVE');
      expect(textFor(api, 'model-b').leftOut).toMatchObject([{ kind: 'provider_block' }]);
      for (const format of CONTEXT_FORMATS) {
        if (format !== api && format !== 'neutral') {
          expect(textFor(format, 'model-a').text).not.toContain('NATIVE');
        }
      }
    },
  );
});
