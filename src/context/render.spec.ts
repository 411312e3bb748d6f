import { describe, expect, it } from '@jest/globals';
import type { AssistantBlock, InputBlock, ToolContent } from '../domain/content.js';
import { built, contextOf, tools } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { buildContext } from './build-context.js';
import { sourceFromRecords } from './source-from-records.js';

const THINKING = { type: 'thinking', thinking: '', signature: 'sig' };
const PNG = { type: 'image', mediaType: 'image/png', base64: 'AA==' } as const;

function withInput(...content: InputBlock[]): StreamBuilder {
  return new StreamBuilder()
    .started()
    .add('InputAccepted', { inputId: 'u', delivery: 'steer', resume: true, content, author: 'a' })
    .claimed(['u']);
}

function withAnswer(
  blocks: readonly AssistantBlock[],
  data: { provider?: string; api?: string; model?: string } = {},
): StreamBuilder {
  const stream = new StreamBuilder().started().input('u1', 'go').modelCall('m1');
  return stream
    .add('AssistantMessageRecorded', {
      modelCallId: 'mc-m1',
      messageId: 'm1',
      part: 0,
      final: true,
      provider: 'anthropic',
      api: 'anthropic-messages',
      model: 'model-1',
      ...data,
      blocks,
    })
    .settled('m1');
}

function withResult(content: ToolContent): StreamBuilder {
  const stream = new StreamBuilder()
    .started()
    .input('u1', 'go')
    .answer('m1', { calls: ['c'] });
  return stream.startedCall('c').add('ToolResultRecorded', {
    callId: 'c',
    attempt: 1,
    epoch: 1,
    status: 'completed',
    resultHash: 'h',
    result: { isError: false, content },
  });
}

describe("a provider's own blocks", () => {
  const blocks: readonly AssistantBlock[] = [
    { type: 'provider', block: THINKING },
    { type: 'text', text: 'hi' },
  ];
  const answer = (request = {}): unknown =>
    contextOf(withAnswer(blocks), { format: 'anthropic', ...request }).messages[1]!.content;
  const text = { type: 'text', text: 'hi' };

  it('go back verbatim to the same provider and model, empty signed thinking too', () => {
    expect(answer()).toEqual([THINKING, text]);
    expect(answer({ provider: 'anthropic', model: 'model-1' })).toEqual([THINKING, text]);
  });

  it.each([
    ['another model', { model: 'model-2' }],
    ['another provider', { provider: 'bedrock', model: 'model-1' }],
  ])('are dropped whole for %s, and reported', (_case, request) => {
    expect(answer(request)).toEqual([text]);
    const { leftOut } = contextOf(withAnswer(blocks), { format: 'anthropic', ...request });
    expect(leftOut).toMatchObject([{ kind: 'provider_block', messageId: 'm1' }]);
  });

  it('are dropped where the thinking is bound to a prefix that nobody recorded', () => {
    expect(answer({ options: { boundPrefix: true } })).toEqual([text]);
  });

  it('of Anthropic never reach another format', () => {
    expect(contextOf(withAnswer(blocks)).messages[1]).toEqual({ role: 'assistant', content: 'hi' });
  });

  it('that are fields of a Chat message go back into the message', () => {
    const own: readonly AssistantBlock[] = [
      { type: 'provider', block: { reasoning_content: 'because' } },
      { type: 'text', text: 'hi' },
    ];
    const stream = withAnswer(own, { provider: 'deepseek', api: 'openai-completions' });
    expect(contextOf(stream).messages[1]).toEqual({
      reasoning_content: 'because',
      role: 'assistant',
      content: 'hi',
    });
    expect(contextOf(stream, { model: 'other' }).messages[1]).toEqual({
      role: 'assistant',
      content: 'hi',
    });
  });

  it('cannot smuggle in a call without a result', () => {
    const smuggled = { type: 'tool_use', id: 'x', name: 'shell', input: {} };
    const stream = withAnswer([
      { type: 'provider', block: smuggled },
      { type: 'text', text: 'hi' },
    ]);
    expect(contextOf(stream, { format: 'anthropic' }).messages[1]!.content).toEqual([text]);
  });
});

describe('call ids that the provider refuses', () => {
  const stream = (): StreamBuilder =>
    new StreamBuilder()
      .started()
      .input('u1', 'go')
      .answer('m1', { calls: ['a', 'b'], call: { providerCallId: 'functions.run:0|x' } })
      .done('a', 'A')
      .done('b', 'B');

  it('become legal and unique for Anthropic, and the results follow', () => {
    const context = contextOf(stream(), { format: 'anthropic' });
    const ids = (index: number, key: string): unknown[] =>
      (context.messages[index]!.content as Record<string, unknown>[]).map((block) => block[key]);
    expect(ids(1, 'id')).toEqual(['functions_run_0_x', 'functions_run_0_x__2']);
    expect(ids(2, 'tool_use_id')).toEqual(ids(1, 'id'));
    expect(context.repairs.map(({ action }) => action)).toEqual(['rewrite_ids', 'rewrite_ids']);
  });

  it('and for Chat', () => {
    const { messages } = contextOf(stream());
    const ids = messages[1]!.tool_calls!.map((call) => call.id);
    expect(new Set(ids).size).toBe(2);
    expect(messages.slice(2).map((message) => message.tool_call_id)).toEqual(ids);
    expect(messages.slice(2).map((message) => message.content)).toEqual(['A', 'B']);
  });
});

describe('media', () => {
  it('are sent in the shape of the provider', () => {
    const stream = withInput({ type: 'text', text: 'look' }, PNG);
    expect(contextOf(stream, { format: 'anthropic' }).messages[0]!.content).toEqual([
      { type: 'text', text: 'look' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
    ]);
    expect(contextOf(stream).messages[0]!.content).toEqual([
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
    ]);
  });

  it('of a tool result follow the results in Chat, which takes only text there', () => {
    const { messages, repairs } = contextOf(withResult([PNG]));
    expect(messages.slice(2)).toEqual([
      {
        role: 'tool',
        tool_call_id: 'c',
        content: 'See attached content in the next user message.',
      },
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
      },
    ]);
    expect(repairs).toEqual([]);
  });

  it('of a kind that the provider does not take are named', () => {
    const svg = {
      type: 'image',
      mediaType: 'image/svg+xml',
      base64: 'AA==',
      name: 'a.svg',
    } as const;
    expect(contextOf(withInput(svg), { format: 'anthropic' }).messages[0]!.content).toEqual([
      { type: 'text', text: '[image: image/svg+xml, a.svg]' },
    ]);
  });

  it('that are artifacts are sent when somebody resolves them, and named otherwise', () => {
    const artifact = { hash: 'h1', sizeBytes: 3, mediaType: 'image/png' };
    const stream = withInput({ type: 'image', mediaType: 'image/png', artifact });
    const artifacts = new Map([['h1', { url: 'https://files.example/h1' }]]);
    const resolved = built(sourceFromRecords(stream.records, 's1', artifacts), {
      format: 'anthropic',
    });
    expect(resolved.messages[0]!.content).toEqual([
      { type: 'image', source: { type: 'url', url: 'https://files.example/h1' } },
    ]);
    expect(contextOf(stream).messages[0]!.content).toEqual([
      { type: 'text', text: '[image: image/png, h1]' },
    ]);
  });
});

describe('the request around the conversation', () => {
  it('gives the instructions where the format wants them, and tools as they came', () => {
    const stream = new StreamBuilder().started().input('u1', 'hi');
    const request = { instructions: 'Be brief.', tools: [{ name: 'shell' }] };
    const anthropic = contextOf(stream, { ...request, format: 'anthropic' });
    expect(anthropic.system).toBe('Be brief.');
    expect(anthropic.tools).toEqual(request.tools);
    expect(anthropic.messages).toHaveLength(1);
    const chat = contextOf(stream, request);
    expect(chat.system).toBeUndefined();
    expect(chat.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
  });

  it('recorded under one date, restored later: the new date once, the old prompt nowhere', () => {
    const stream = new StreamBuilder().started('2026-05-08T00:00:17Z');
    stream.add('ImportedRecordKept', {
      kind: 'system',
      count: 1,
      excerpt: 'You are old. Today is 2026-05-08.',
    });
    stream.input('u1', 'hi').answer('m1', { text: 'hello' });
    for (const format of ['openai-chat', 'anthropic', 'neutral'] as const) {
      const now = '2026-05-11';
      const text = JSON.stringify(contextOf(stream, { format, now, instructions: 'You are new.' }));
      expect(text.split('2026-05-11')).toHaveLength(2);
      expect(text).not.toContain('2026-05-08');
      expect(text).not.toContain('You are old');
      expect(text.split('You are new.')).toHaveLength(2);
    }
  });

  it('has a hash that changes with every part of what is sent, and with nothing else', () => {
    const stream = new StreamBuilder().started().input('u1', 'hi');
    const ids = [
      {},
      { instructions: 'x' },
      { tools: [] },
      { now: '2026' },
      { format: 'anthropic' as const },
    ].map((request) => contextOf(stream, request).contentHash);
    expect(new Set(ids).size).toBe(ids.length);
    expect(contextOf(stream, { budgetTokens: 10_000 }).contentHash).toBe(ids[0]);
  });

  it('says what is waited for', () => {
    const stream = new StreamBuilder()
      .started()
      .input('u1', 'go')
      .answer('m1', { calls: ['a', 'b'] });
    stream.startedCall('a').unknown('a', 'deadline').done('b');
    expect(contextOf(stream).unresolved).toEqual([
      { callId: 'a', tool: 'shell', status: 'unknown', effect: 'keyedWrite', opKey: 'op-a' },
    ]);
  });

  it('refuses what no repair can heal, and names the rule', () => {
    const calls = Array.from({ length: 129 }, (_, index) => `c${index}`);
    const stream = new StreamBuilder().started().input('u1', 'go').answer('m1', { calls });
    const source = sourceFromRecords(stream.records, 's1');
    expect(buildContext(source, { format: 'openai-chat' }, tools)).toMatchObject({
      problem: 'context_invalid',
      violations: [{ rule: 'C7', kind: 'too_many_tool_calls' }],
    });
    expect(buildContext(source, { format: 'anthropic' }, tools)).not.toHaveProperty('problem');
  });

  it('refuses options that the format does not have', () => {
    const source = sourceFromRecords([], 's1');
    const options = { midSytem: true } as never;
    expect(buildContext(source, { format: 'anthropic', options }, tools)).toMatchObject({
      problem: 'invalid_options',
      message: expect.stringContaining('midSytem') as unknown as string,
    });
  });

  it('gives a session without a word the placeholder that a provider needs', () => {
    const stream = new StreamBuilder().started();
    expect(contextOf(stream).messages).toEqual([
      { role: 'user', content: '(conversation continues)' },
    ]);
  });
});
