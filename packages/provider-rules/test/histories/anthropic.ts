import fc from 'fast-check';
import {
  anyId,
  given,
  isFields,
  junk,
  list,
  messages,
  NOTHING,
  partTexts,
  resultText,
  text,
  toolName,
  type HistoryMaker,
} from './pieces.js';

const mark = fc.constantFrom(
  { type: 'ephemeral' },
  { type: 'ephemeral', ttl: '5m' },
  { type: 'ephemeral', ttl: '1h' },
);

function marked(block: fc.Arbitrary<object>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 5, arbitrary: block },
    {
      weight: 1,
      arbitrary: fc.tuple(block, mark).map(([one, cache_control]) => ({ ...one, cache_control })),
    },
  );
}

const textBlock = marked(text.map((one) => ({ type: 'text', text: one })));

const toolUse = marked(
  fc.record({
    type: fc.constant('tool_use'),
    id: anyId,
    name: toolName,
    input: fc.constantFrom<unknown>({}, { a: 1 }, '{"a":', null),
  }),
);

const thinking = marked(
  fc.record(
    {
      type: fc.constant('thinking'),
      thinking: fc.constantFrom<unknown>('plan', '', 5),
      signature: fc.constantFrom('s1', 's2', 's3', ''),
      _model: fc.constantFrom('claude-a', 'claude-b'),
      _prefix: fc.constantFrom('elsewhere'),
    },
    { requiredKeys: ['type', 'thinking', 'signature'] },
  ),
);

const redacted = fc.constantFrom<unknown>(
  { type: 'redacted_thinking', data: 'x' },
  { type: 'redacted_thinking' },
);

const serverBlock = fc.constantFrom<unknown>(
  { type: 'server_tool_use', id: 'srv1', name: 'web_search', input: {} },
  { type: 'web_search_tool_result', tool_use_id: 'srv1', content: [] },
  { type: 'mcp_tool_result', tool_use_id: 'srv2', content: [] },
);

const toolResult = marked(
  fc.record({
    type: fc.constant('tool_result'),
    tool_use_id: anyId,
    content: fc.oneof(
      resultText as fc.Arbitrary<unknown>,
      resultText.map((one) => [{ type: 'text', text: one, cache_control: { type: 'ephemeral' } }]),
    ),
  }),
);

const misplaced = fc.oneof(toolUse, toolResult, thinking, junk);

const assistant = fc.record({
  role: fc.constant('assistant'),
  content: fc.oneof(
    text as fc.Arbitrary<unknown>,
    list(
      fc.oneof(
        { weight: 4, arbitrary: toolUse },
        { weight: 4, arbitrary: textBlock },
        { weight: 3, arbitrary: thinking },
        { weight: 1, arbitrary: redacted },
        { weight: 1, arbitrary: serverBlock },
        { weight: 1, arbitrary: misplaced },
      ),
      5,
    ),
  ),
});

const user = fc.record({
  role: fc.constantFrom('user', 'user', 'user', 'user', 'user', 'system', 'robot'),
  content: fc.oneof(
    { weight: 3, arbitrary: text as fc.Arbitrary<unknown> },
    {
      weight: 6,
      arbitrary: list(
        fc.oneof(
          { weight: 5, arbitrary: toolResult },
          { weight: 2, arbitrary: textBlock },
          { weight: 1, arbitrary: misplaced },
        ),
        4,
      ),
    },
    { weight: 1, arbitrary: junk },
  ),
});

export const anthropic: HistoryMaker = {
  messy: messages(assistant, user),
  options: fc.record(
    {
      strictAlternation: fc.boolean(),
      prefill: fc.boolean(),
      thinking: fc.boolean(),
      thinkingRequired: fc.boolean(),
      model: fc.constantFrom('claude-a', 'claude-b'),
      midSystem: fc.boolean(),
      cacheControlElsewhere: fc.nat(5),
      boundPrefix: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  userTexts: (history) =>
    given(
      history.flatMap((message) =>
        isFields(message) && message.role === 'user'
          ? partTexts(textsOnly(message.content)).filter((one) => one.trim() !== '')
          : [],
      ),
    ),
  validStart: [
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '', signature: 's0' },
        { type: 'text', text: 'checking' },
        { type: 'tool_use', id: 'a', name: 'read', input: {} },
        { type: 'tool_use', id: 'b', name: 'read', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'b', content: 'two' },
        { type: 'tool_result', tool_use_id: 'a', content: 'one' },
        { type: 'text', text: 'and?' },
      ],
    },
    { role: 'assistant', content: 'done' },
  ],
  mayRemain: (_history, options) =>
    (options as { cacheControlElsewhere?: number }).cacheControlElsewhere === 5
      ? new Set(['A19'])
      : NOTHING,
};

function textsOnly(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter(
    (block: unknown) => typeof block === 'string' || (isFields(block) && block.type === 'text'),
  );
}
