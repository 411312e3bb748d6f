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

const toolArguments = fc.constantFrom<unknown>('{}', '{"a":1}', '{"a":', '[]', '', undefined, {
  a: 1,
});

const call = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      id: anyId,
      type: fc.constant('function'),
      function: fc.record({ name: toolName, arguments: toolArguments }),
    }) as fc.Arbitrary<unknown>,
  },
  { weight: 1, arbitrary: junk },
);

const assistant = fc.record(
  {
    role: fc.constant('assistant'),
    content: fc.oneof(text as fc.Arbitrary<unknown>, fc.constantFrom(null, undefined, 5)),
    tool_calls: fc.oneof({ weight: 9, arbitrary: list(call, 3) as fc.Arbitrary<unknown> }, junk),
    refusal: fc.constantFrom(null, 'no'),
  },
  { requiredKeys: ['role'] },
);

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };

const toolContent = fc.oneof(
  { weight: 6, arbitrary: resultText as fc.Arbitrary<unknown> },
  {
    weight: 1,
    arbitrary: list(fc.constantFrom<unknown>({ type: 'text', text: 't' }, image, 'x', 7), 3),
  },
  { weight: 1, arbitrary: junk },
);

const tool = fc.record(
  { role: fc.constant('tool'), tool_call_id: anyId, content: toolContent, name: toolName },
  { requiredKeys: ['role', 'tool_call_id', 'content'] },
);

const user = fc.record({
  role: fc.constantFrom('user', 'user', 'user', 'system', 'developer', 'robot'),
  content: fc.oneof({ weight: 9, arbitrary: text as fc.Arbitrary<unknown> }, junk),
});

export const openAiChat: HistoryMaker = {
  messy: messages(assistant, tool, tool, user),
  options: fc.record({ mistral: fc.boolean() }, { requiredKeys: [] }),
  userTexts: (history) =>
    given(
      history.flatMap((message) =>
        isFields(message) && message.role === 'user' ? partTexts(message.content) : [],
      ),
    ),
  validStart: [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      content: null,
      tool_calls: ['aaaaaaaaa', 'bbbbbbbbb'].map((id) => ({
        id,
        type: 'function',
        function: { name: 'read', arguments: '{}' },
      })),
    },
    { role: 'tool', tool_call_id: 'bbbbbbbbb', content: 'two' },
    { role: 'tool', tool_call_id: 'aaaaaaaaa', content: 'one' },
    { role: 'assistant', content: 'done' },
  ],
  mayRemain: () => NOTHING,
};
