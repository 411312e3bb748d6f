import fc from 'fast-check';
import {
  anyId,
  given,
  isFields,
  junk,
  list,
  messages,
  NOTHING,
  resultText,
  text,
  toolName,
  type HistoryMaker,
} from './pieces.js';

const itemId = fc.constantFrom<unknown>('fc_1', 'fc_2', 'ctc_1', 'msg_1', 'rs_1', 'x_1', null, 7);
const reasoningId = fc.constantFrom('rs_1', 'rs_2', 'bad_1');

const functionCall = fc.record(
  {
    type: fc.constantFrom('function_call', 'function_call', 'custom_tool_call'),
    id: itemId,
    call_id: anyId,
    name: toolName,
    arguments: fc.constant('{}'),
  },
  { requiredKeys: ['type', 'call_id', 'name', 'arguments'] },
);

const otherCall = fc.record({
  type: fc.constantFrom(
    'computer_call',
    'local_shell_call',
    'shell_call',
    'apply_patch_call',
    'tool_search_call',
    'program',
  ),
  call_id: anyId,
});

const output = fc.record(
  {
    type: fc.constantFrom(
      'function_call_output',
      'function_call_output',
      'function_call_output',
      'shell_call_output',
      'tool_search_output',
    ),
    id: fc.constantFrom('out_1', 'out_2'),
    call_id: anyId,
    output: fc.oneof({ weight: 6, arbitrary: resultText as fc.Arbitrary<unknown> }, junk),
  },
  { requiredKeys: ['type', 'call_id', 'output'] },
);

const localOutput = fc.record({
  type: fc.constant('local_shell_call_output'),
  id: anyId,
  output: resultText,
});

const reasoning = fc.record(
  {
    type: fc.constant('reasoning'),
    id: reasoningId,
    summary: fc.constant([]),
    encrypted_content: fc.constantFrom<unknown>('ENC', '', null),
    _owner: fc.constantFrom('openai/a', 'openai/b'),
  },
  { requiredKeys: ['type', 'summary'] },
);

const part = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      type: fc.constantFrom('input_text', 'output_text', 'text'),
      text,
    }) as fc.Arbitrary<unknown>,
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      { type: 'refusal', refusal: 'no' },
      { type: 'input_image', image_url: 'data:,' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ),
  },
  { weight: 1, arbitrary: junk },
);

const content = fc.oneof(
  text as fc.Arbitrary<unknown>,
  { weight: 3, arbitrary: list(part, 3) },
  fc.constantFrom(null, 5),
);

const assistantMessage = fc.record(
  {
    type: fc.constant('message'),
    role: fc.constant('assistant'),
    id: fc.constantFrom('msg_1', 'msg_2', 'x'),
    content,
  },
  { requiredKeys: ['role', 'content'] },
);

// Without ids: a copy of a message that the server has, or that stands twice, goes by R8.
const otherMessage = fc.record(
  {
    type: fc.constant('message'),
    role: fc.constantFrom('user', 'user', 'user', 'system', 'robot'),
    content,
  },
  { requiredKeys: ['role', 'content'] },
);

const rest = fc.constantFrom<unknown>(
  { type: 'item_reference', id: 'msg_9' },
  { type: 'item_reference', id: 'rs_1' },
  { type: 'item_reference' },
  { type: 'compaction', id: 'cmp_1', encrypted_content: 'E', _owner: 'openai/b' },
  { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  { type: 'tool_search_call', execution: 'server', call_id: null },
);

const NO_SHAPE = new Set<unknown>(['computer_call', 'tool_search_call']);

export const openAiResponses: HistoryMaker = {
  messy: messages(
    functionCall,
    functionCall,
    otherCall,
    output,
    output,
    localOutput,
    reasoning,
    assistantMessage,
    otherMessage,
    rest,
  ),
  options: fc.record(
    {
      store: fc.boolean(),
      encryptedOwner: fc.constantFrom('openai/a', 'openai/b'),
      reasoningOf: fc.constantFrom({ fc_1: 'rs_1' }, { fc_1: 'rs_1', fc_2: 'rs_2', msg_9: 'rs_2' }),
      serverKnownCallIds: fc.constantFrom([], ['a'], ['c', 'a__2']),
      serverKnownItemIds: fc.constantFrom([], ['rs_1'], ['msg_1', 'fc_2']),
      adjacentPairs: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  userTexts: (history) => given(history.flatMap(userTextsOf)),
  validStart: [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'q' }] },
    { type: 'reasoning', summary: [], encrypted_content: 'ENC' },
    { type: 'function_call', call_id: 'first', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'first', output: 'one' },
    { role: 'assistant', content: 'done' },
  ],
  mayRemain: (history) =>
    history.some((item) => isFields(item) && NO_SHAPE.has(item.type)) ? new Set(['R1']) : NOTHING,
};

function userTextsOf(item: unknown): string[] {
  if (!isFields(item) || item.role !== 'user') return [];
  if (item.type !== undefined && item.type !== 'message') return [];
  if (typeof item.content === 'string') return [item.content];
  if (!Array.isArray(item.content)) return [];
  return item.content.flatMap((one: unknown) => {
    if (typeof one === 'string') return [one];
    if (!isFields(one)) return [];
    const found = one.text ?? one.refusal;
    return typeof found === 'string' ? [found] : [];
  });
}
