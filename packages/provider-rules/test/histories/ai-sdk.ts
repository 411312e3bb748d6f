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

const call = fc.record(
  {
    type: fc.constant('tool-call'),
    toolCallId: anyId,
    toolName,
    input: fc.constant({}),
    providerExecuted: fc.constantFrom(true, false),
  },
  { requiredKeys: ['type', 'toolCallId', 'toolName', 'input'] },
);

const output = fc.oneof(
  {
    weight: 6,
    arbitrary: resultText.map((value) => ({ type: 'text', value })) as fc.Arbitrary<unknown>,
  },
  { weight: 2, arbitrary: resultText.map((value) => ({ type: 'error-text', value })) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('bare', { type: 'text' }, { type: 'other' }) },
  { weight: 1, arbitrary: junk },
);

const result = fc.record({ type: fc.constant('tool-result'), toolCallId: anyId, toolName, output });
const approval = fc.constant({ type: 'tool-approval-response', approvalId: 'p', approved: true });
const request = fc.record({
  type: fc.constant('tool-approval-request'),
  approvalId: fc.constant('p'),
  toolCallId: anyId,
});

const assistant = fc.record({
  role: fc.constant('assistant'),
  content: fc.oneof(
    text as fc.Arbitrary<unknown>,
    list(
      fc.oneof(
        call as fc.Arbitrary<unknown>,
        result,
        request,
        text.map((one) => ({ type: 'text', text: one })),
        junk,
      ),
      4,
    ),
  ),
});

const tool = fc.record({
  role: fc.constant('tool'),
  content: fc.oneof(
    { weight: 12, arbitrary: list(fc.oneof(result as fc.Arbitrary<unknown>, result, approval), 3) },
    { weight: 1, arbitrary: junk },
  ),
});

const user = fc.record({
  role: fc.constantFrom('user', 'user', 'user', 'system', 'robot'),
  content: text,
});

export const aiSdk: HistoryMaker = {
  messy: messages(assistant, tool, tool, user),
  options: fc.record({ allowSystemInMessages: fc.boolean() }, { requiredKeys: [] }),
  userTexts: (history) =>
    given(
      history.flatMap((message) =>
        isFields(message) && message.role === 'user' ? partTexts(message.content) : [],
      ),
    ),
  validStart: [
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'read',
          output: { type: 'json', value: 1 },
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  ],
  mayRemain: () => NOTHING,
};
