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

const call = fc.record({
  id: anyId,
  name: toolName,
  args: fc.constantFrom<unknown>({}, { a: 1 }, '{"a":', null, []),
});

const ai = fc.record({
  type: fc.constant('ai'),
  data: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record(
        {
          content: fc.oneof(text as fc.Arbitrary<unknown>, fc.constant(null)),
          tool_calls: fc.oneof(
            { weight: 9, arbitrary: list(call, 3) as fc.Arbitrary<unknown> },
            junk,
          ),
          additional_kwargs: fc.constantFrom({}, { refusal: 'no' }),
        },
        { requiredKeys: ['content'] },
      ) as fc.Arbitrary<unknown>,
    },
    { weight: 1, arbitrary: junk },
  ),
});

const tool = fc.record({
  type: fc.constant('tool'),
  data: fc.record({
    tool_call_id: anyId,
    content: fc.oneof({ weight: 6, arbitrary: resultText as fc.Arbitrary<unknown> }, junk),
  }),
});

const other = fc.record({
  type: fc.constantFrom('human', 'human', 'human', 'system', 'generic', 'remove'),
  data: fc.record({
    content: fc.oneof({ weight: 9, arbitrary: text as fc.Arbitrary<unknown> }, junk),
  }),
});

export const langChain: HistoryMaker = {
  messy: messages(ai, tool, tool, other),
  options: fc.constant({}),
  userTexts: (history) =>
    given(
      history.flatMap((message) =>
        isFields(message) && message.type === 'human' && isFields(message.data)
          ? partTexts(message.data.content)
          : [],
      ),
    ),
  validStart: [
    { type: 'human', data: { content: 'q' } },
    {
      type: 'ai',
      data: { content: '', tool_calls: [{ id: 'a', name: 'read', args: {} }] },
    },
    { type: 'tool', data: { content: 'one', tool_call_id: 'a' } },
    { type: 'ai', data: { content: 'done', tool_calls: [] } },
  ],
  mayRemain: () => NOTHING,
};
