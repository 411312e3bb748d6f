import { describe, expect, it } from '@jest/globals';
import { type ProviderName, validate } from '@holdfast/provider-rules';
import { type BuiltContext, built, contextOf } from '../../../test/context/built.js';
import { type ResponseSample, responseSamples } from '../../../test/context/response-samples.js';
import { StreamBuilder } from '../../../test/context/stream-builder.js';
import { recordAnswer, resultOf } from '../../../test/context/whole-session.js';
import { CONTEXT_FORMATS } from '../../context/format-names.js';
import { sourceFromRecords } from '../../context/source-from-records.js';
import type { Json } from '../../domain/content.js';
import { assistantBlocksFault } from '../record-assistant-message/assistant-blocks.js';
import { type ReadResponse, readResponse } from './read-response.js';

function read(body: Json): ReadResponse {
  const found = readResponse(body);
  if (found === undefined) throw new Error('the shape is not known');
  return found;
}

/** The session after the answer, its calls done: what the next request is made of. */
function recorded({ provider, body }: ResponseSample, times = 1): StreamBuilder {
  const { api, blocks } = read(body);
  const stream = new StreamBuilder().started().input('u1', 'go');
  for (let round = 1; round <= times; round += 1) {
    recordAnswer(stream, `m${round}`, { provider, api, model: 'model-1' }, blocks);
    blocks
      .filter(({ type }) => type === 'toolCall')
      .forEach((_, index) => resultOf(stream, `m${round}-c${index}`, `result ${index}`));
  }
  return stream;
}

function answers(context: BuiltContext, { sent }: ResponseSample): readonly unknown[] {
  return context.messages.slice(1, 1 + sent.length);
}

describe.each(responseSamples.map((sample) => [sample.api, sample] as const))(
  'an answer of %s',
  (api, sample) => {
    it('is read with its text and its calls', () => {
      const { blocks } = read(sample.body);
      const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
      expect(texts.join(' ')).toBe(sample.text);
      const calls = blocks.flatMap((block) =>
        block.type === 'toolCall' ? [{ tool: block.tool, args: block.args }] : [],
      );
      expect(calls).toEqual(sample.calls);
      expect(assistantBlocksFault(blocks)).toBeUndefined();
    });

    it('comes back in the next context as it was', () => {
      const context = contextOf(recorded(sample), { format: api });
      expect(answers(context, sample)).toEqual(sample.sent);
      expect(context.repairs).toEqual([]);
      expect(context.leftOut).toEqual([]);
    });

    it('comes back to another model as text and calls alone', () => {
      const context = contextOf(recorded(sample), { format: api, model: 'model-2' });
      const sent = JSON.stringify(context.messages);
      expect(sent).not.toMatch(/sealed|EqQB|gAAAA|dGV4dA|Y2FsbA|c2ln|plan/);
      expect(sent).toContain('I look.');
      expect(sent).toContain('result 0');
    });

    it('is legal wherever the record breaks off, and what was sent keeps its bytes', () => {
      const { records } = recorded(sample, 2);
      const options = api === 'gemini' ? { gemini3: true } : undefined;
      const request = { format: api, model: 'model-1', options };
      const whole = built(sourceFromRecords(records, 's1'), request).messages;
      for (let length = 0; length <= records.length; length += 1) {
        const { messages } = built(sourceFromRecords(records.slice(0, length), 's1'), request);
        expect(validate(api as ProviderName, messages, options)).toEqual([]);
        if (records[length]?.event.type !== 'ModelCallStarted') continue;
        expect(whole.slice(0, messages.length)).toEqual(messages);
      }
    });

    it('is legal in every format, also when it comes twice', () => {
      for (const format of CONTEXT_FORMATS) {
        if (format === 'neutral') continue;
        const { messages } = contextOf(recorded(sample, 2), { format });
        expect(validate(format, messages)).toEqual([]);
        expect(JSON.stringify(messages)).toContain('I look.');
      }
    });
  },
);

describe('a response', () => {
  it('of no known shape is not read', () => {
    const bareChatMessage = { role: 'assistant', content: 'hi', tool_calls: [{ id: 'c' }] };
    const others = [{ type: 'human', data: {} }, { messages: [] }, bareChatMessage];
    for (const body of [null, 'text', [], {}, ...others]) {
      expect(readResponse(body as Json)).toBeUndefined();
    }
  });

  it('with arguments that are no JSON keeps the text of them', () => {
    const call = { id: 'c', type: 'function', function: { name: 'read', arguments: '{"a":' } };
    const body = {
      choices: [{ message: { role: 'assistant', content: null, tool_calls: [call] } }],
    };
    expect(read(body).blocks).toEqual([
      { type: 'toolCall', tool: 'read', providerCallId: 'c', argsText: '{"a":', block: call },
    ]);
  });

  it('keeps all digits of an id in arguments, and the text of a number that nothing holds', () => {
    const argumentsIn = (text: string) => {
      const call = { id: 'c', type: 'function', function: { name: 'read', arguments: text } };
      return read({ choices: [{ message: { role: 'assistant', tool_calls: [call] } }] }).blocks;
    };
    expect(argumentsIn('{"id":12345678901234567890}')).toMatchObject([
      { args: { id: '12345678901234567890' } },
    ]);
    expect(argumentsIn('{"n":1e999}')).toMatchObject([{ argsText: '{"n":1e999}' }]);
  });

  it('that refuses says so', () => {
    const message = { role: 'assistant', content: null, refusal: 'I cannot.' };
    expect(read({ choices: [{ message }] }).blocks).toEqual([{ type: 'text', text: 'I cannot.' }]);
    const refusal = { type: 'message', content: [{ type: 'refusal', refusal: 'I cannot.' }] };
    expect(read({ output: [refusal] }).blocks).toEqual([{ type: 'text', text: 'I cannot.' }]);
  });

  it('of a filter that cut everything off is an empty answer', () => {
    expect(read({ candidates: [{ finishReason: 'SAFETY' }] })).toEqual({
      api: 'gemini',
      blocks: [],
    });
  });

  it('of an SDK with citations set to null is plain text', () => {
    const body = { role: 'assistant', content: [{ type: 'text', text: 'hi', citations: null }] };
    expect(read(body)).toEqual({ api: 'anthropic', blocks: [{ type: 'text', text: 'hi' }] });
  });

  it('of one step of the AI SDK is read like its message', () => {
    const content: Json = [
      { type: 'reasoning', text: 'plan', providerMetadata: { p: { signature: 's' } } },
      { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: '{"path":"a"}' },
      { type: 'source', sourceType: 'url', id: 's', url: 'https://x.example' },
    ];
    for (const finishReason of ['tool-calls', { unified: 'tool-calls', raw: 'tool_use' }]) {
      expect(read({ content, finishReason })).toEqual({
        api: 'ai-sdk',
        blocks: [
          {
            type: 'provider',
            block: { type: 'reasoning', text: 'plan', providerOptions: { p: { signature: 's' } } },
          },
          { type: 'toolCall', tool: 'read', providerCallId: 'c', args: { path: 'a' } },
        ],
      });
    }
  });

  it('of several steps is refused: each is a model call of its own', () => {
    const message = { role: 'assistant', content: 'one' };
    expect(readResponse({ response: { messages: [message, message] } })).toBeUndefined();
  });

  it('that LangChain serialised is read like a stored one', () => {
    const kwargs = {
      content: '',
      tool_calls: [{ name: 'read', args: { path: 'a' }, id: 'c', type: 'tool_call' }],
      invalid_tool_calls: [{ name: 'read', args: '{"a":', id: 'd', error: 'no JSON' }],
    };
    const id = ['langchain_core', 'messages', 'AIMessage'];
    expect(read({ lc: 1, type: 'constructor', id, kwargs })).toEqual({
      api: 'langchain',
      blocks: [
        { type: 'toolCall', tool: 'read', providerCallId: 'c', args: { path: 'a' } },
        { type: 'toolCall', tool: 'read', providerCallId: 'd', argsText: '{"a":' },
      ],
    });
  });
});
