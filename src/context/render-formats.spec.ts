import { describe, expect, it } from '@jest/globals';
import { contextOf } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import {
  type GivenAnswerBlock,
  PNG,
  recordAnswer,
  resultOf,
  withInput,
} from '../../test/context/whole-session.js';
import { CONTEXT_FORMATS } from './format-names.js';

const NEW_FORMATS = ['openai-responses', 'gemini', 'ai-sdk', 'langchain'] as const;

/** A block of each format that only its provider can read, in the answer of that provider. */
const OWN: Record<(typeof NEW_FORMATS)[number], { readonly api: string; readonly block: object }> =
  {
    'openai-responses': {
      api: 'openai-responses',
      block: { type: 'reasoning', summary: [], encrypted_content: 'sealed' },
    },
    gemini: { api: 'gemini', block: { text: 'sealed', thought: true } },
    'ai-sdk': {
      api: 'ai-sdk',
      block: { type: 'reasoning', text: 'sealed', providerOptions: { p: { signature: 's' } } },
    },
    langchain: {
      api: 'langchain',
      block: { type: 'thinking', thinking: 'sealed', signature: 's' },
    },
  };

function answered(api: string, blocks: readonly GivenAnswerBlock[]): StreamBuilder {
  const answerer = { provider: 'p', api, model: 'model-1' };
  return recordAnswer(new StreamBuilder().started().input('u1', 'go'), 'm1', answerer, blocks);
}

function texts(stream: StreamBuilder, request: object): string {
  return JSON.stringify(contextOf(stream, request).messages);
}

describe.each(NEW_FORMATS)('%s', (format) => {
  const { api, block } = OWN[format];
  const own: GivenAnswerBlock = { type: 'provider', block: block as never };
  const stream = (): StreamBuilder => answered(api, [own, { type: 'text', text: 'hi' }]);

  it("gives a provider's own block back to the same provider and model", () => {
    expect(texts(stream(), { format })).toContain('sealed');
    expect(texts(stream(), { format, provider: 'p', model: 'model-1' })).toContain('sealed');
  });

  it.each([
    ['another model', { model: 'model-2' }],
    ['another provider', { provider: 'q', model: 'model-1' }],
  ])('drops it whole for %s, says so, and keeps the text', (_case, request) => {
    const { messages, leftOut } = contextOf(stream(), { format, ...request });
    expect(JSON.stringify(messages)).not.toContain('sealed');
    expect(JSON.stringify(messages)).toContain('"hi"');
    expect(leftOut).toMatchObject([{ kind: 'provider_block', messageId: 'm1' }]);
  });

  it('never shows it in the words of another format', () => {
    const others = CONTEXT_FORMATS.filter((other) => other !== format && other !== 'neutral');
    for (const other of others) {
      expect(texts(stream(), { format: other })).not.toContain('sealed');
    }
  });

  it('leaves out an answer that is nothing but thinking', () => {
    const { leftOut } = contextOf(answered(api, [own]), { format });
    expect(leftOut.map(({ kind }) => kind)).toEqual(['blank_message']);
  });

  it('leaves out an input without a word, and names a medium that no provider takes', () => {
    const svg = {
      type: 'image',
      mediaType: 'image/svg+xml',
      base64: 'AA==',
      name: 'a.svg',
    } as const;
    const blank = withInput(new StreamBuilder().started(), [{ type: 'text', text: ' ' }]);
    expect(contextOf(blank, { format }).leftOut).toMatchObject([{ kind: 'blank_message' }]);
    expect(texts(withInput(new StreamBuilder().started(), [svg]), { format })).toContain(
      '[image: image/svg+xml, a.svg]',
    );
  });

  it('names an artifact that nobody has resolved', () => {
    const artifact = { hash: 'h1', sizeBytes: 3, mediaType: 'image/png' };
    const image = { type: 'image', mediaType: 'image/png', artifact } as const;
    expect(texts(withInput(new StreamBuilder().started(), [image]), { format })).toContain(
      '[image: image/png, h1]',
    );
  });

  it('sends arguments that are no object as their text', () => {
    const call: GivenAnswerBlock = { type: 'toolCall', tool: 'read', argsText: '{"a":' };
    const sent = texts(answered(api, [call]), { format }).replaceAll('\\', '');
    expect(sent).toContain('INVALID_JSON');
  });

  it('gives calls of one name that share an id ids of their own, and their results too', () => {
    const twin = { type: 'toolCall', tool: 'read', providerCallId: 'Agent:0' } as const;
    const twins = answered(api, [twin, twin]);
    resultOf(resultOf(twins, 'm1-c0', 'A'), 'm1-c1', 'B');
    const { messages, repairs } = contextOf(twins, { format });
    const sent = JSON.stringify(messages);
    expect(sent.split('"Agent:0"')).toHaveLength(3);
    expect(sent.split('"Agent:0__2"')).toHaveLength(3);
    expect(repairs.map(({ action }) => action)).toEqual(['rewrite_ids']);
  });
});

describe('openai-responses', () => {
  it('keeps call ids apart in the whole input, since outputs are matched there', () => {
    const call = { type: 'toolCall', tool: 'read', providerCallId: 'Agent:0' } as const;
    const stream = answered('openai-responses', [call]);
    resultOf(stream, 'm1-c0', 'A');
    const answerer = { provider: 'p', api: 'openai-responses', model: 'model-1' };
    resultOf(recordAnswer(stream, 'm2', answerer, [call]), 'm2-c0', 'B');
    const ids = contextOf(stream, { format: 'openai-responses' }).messages.flatMap(
      ({ call_id }) => call_id ?? [],
    );
    expect(ids).toEqual(['Agent:0', 'Agent:0', 'Agent:0__2', 'Agent:0__2']);
  });

  it('sends no reasoning that nothing follows, and none that is not sealed', () => {
    const sealed = { type: 'reasoning', summary: [], encrypted_content: 'sealed' };
    const bare = { type: 'reasoning', id: 'rs_1', summary: [] };
    const stream = answered('openai-responses', [
      { type: 'provider', block: bare },
      { type: 'text', text: 'hi' },
      { type: 'provider', block: sealed },
    ]);
    const { messages, repairs } = contextOf(stream, { format: 'openai-responses' });
    expect(messages.map(({ type, role }) => role ?? type)).toEqual(['user', 'assistant']);
    expect(repairs).toEqual([]);
  });
});

describe('gemini', () => {
  const call = { type: 'toolCall', tool: 'read', providerCallId: 'a' } as const;

  it('of generation 3 signs a foreign call once and for all, also when it is long past', () => {
    const stream = answered('openai-chat', [call, { ...call, providerCallId: 'b' }]);
    resultOf(resultOf(stream, 'm1-c0', 'A'), 'm1-c1', 'B');
    const request = { format: 'gemini', options: { gemini3: true } } as const;
    const before = contextOf(stream, request).messages;
    expect(before[1]!.parts).toMatchObject([
      { thoughtSignature: 'skip_thought_signature_validator' },
      { functionCall: { id: 'b' } },
    ]);
    const after = contextOf(stream.input('u2', 'more'), request).messages;
    expect(after.slice(0, 3)).toEqual(before);
    expect(contextOf(stream, { format: 'gemini' }).messages[1]!.parts).not.toContain('skip');
  });

  it('answers a call that had no id without one', () => {
    const block = { functionCall: { name: 'read', args: {} }, thoughtSignature: 'c2ln' };
    const own = { type: 'toolCall', tool: 'read', args: {}, block } as const;
    const stream = resultOf(answered('gemini', [own]), 'm1-c0', 'A');
    expect(contextOf(stream, { format: 'gemini' }).messages.slice(1)).toEqual([
      { role: 'model', parts: [block] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'A' } } }] },
    ]);
  });

  it('says where the media of a result are', () => {
    const stream = resultOf(answered('gemini', [call]), 'm1-c0', [PNG]);
    expect(contextOf(stream, { format: 'gemini' }).messages.slice(2)).toMatchObject([
      {
        parts: [
          {
            functionResponse: {
              response: { output: 'See attached content in the next user message.' },
            },
          },
        ],
      },
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] },
    ]);
  });
});

describe('ai-sdk', () => {
  it('keeps the mark of an error whose result has media, and sends these behind it', () => {
    const call = { type: 'toolCall', tool: 'read', providerCallId: 'a' } as const;
    const content = [{ type: 'text', text: 'broken' }, PNG] as const;
    const stream = resultOf(answered('ai-sdk', [call]), 'm1-c0', content, true);
    expect(contextOf(stream, { format: 'ai-sdk' }).messages.slice(2)).toMatchObject([
      { role: 'tool', content: [{ output: { type: 'error-text', value: 'broken' } }] },
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'AA==' }] },
    ]);
  });
});

describe('langchain', () => {
  it('keeps the text of an answer with calls a text, so that adapters read the calls', () => {
    const stream = answered('anthropic', [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
      { type: 'toolCall', tool: 'read', providerCallId: 'a' },
    ]);
    expect(contextOf(stream, { format: 'langchain' }).messages[1]).toMatchObject({
      data: { content: 'one\ntwo', tool_calls: [{ id: 'a', name: 'read' }] },
    });
  });

  it('puts calls into the content beside thinking, where adapters look for them then', () => {
    const stream = answered('langchain', [
      { type: 'provider', block: { type: 'thinking', thinking: 'hm', signature: 's' } },
      { type: 'toolCall', tool: 'read', providerCallId: 'a', args: { n: 1 } },
    ]);
    expect(contextOf(stream, { format: 'langchain' }).messages[1]).toMatchObject({
      data: {
        content: [{ type: 'thinking' }, { type: 'tool_use', id: 'a', input: { n: 1 } }],
      },
    });
  });
});
