/**
 * One turn: user input of 300 bytes, assistant message with one tool call of 800, tool result of
 * 4 KB, final answer of 500 bytes, usage of both model calls. Its texts depend on its number only, so
 * that what is read back can be checked.
 */
import { randomUUID } from 'node:crypto';

const INPUT_BYTES = 300;
const ASSISTANT_TEXT_BYTES = 500;
const ARGUMENT_BYTES = 300;
const RESULT_BYTES = 4_000;
const ANSWER_BYTES = 500;
const MODEL = 'claude-sonnet-4-5';
const USAGE = { input_tokens: 1_200, cache_read_input_tokens: 8_000, output_tokens: 210 };

export function turnTexts(number) {
  return {
    input: filled(`input ${number}:`, INPUT_BYTES),
    thought: filled(`thought ${number}:`, ASSISTANT_TEXT_BYTES),
    argument: filled(`argument ${number}:`, ARGUMENT_BYTES),
    result: filled(`result ${number}:`, RESULT_BYTES),
    answer: filled(`answer ${number}:`, ANSWER_BYTES),
  };
}

/** The number of the turn that a text of `turnTexts` belongs to. */
export function numberOf(text) {
  return Number(/^\w+ (\d+):/.exec(text)[1]);
}

/** The turn's four messages as plain data, as a raw store would keep them. */
export function plainMessages(number) {
  const { input, thought, argument, result, answer } = turnTexts(number);
  return [
    { role: 'user', content: input },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: thought },
        { type: 'tool_use', id: `toolu_${number}`, name: 'search', input: { query: argument } },
      ],
      usage: USAGE,
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${number}`, content: result }],
    },
    { role: 'assistant', content: answer, usage: USAGE },
  ];
}

/** The turn's steps in four groups, as an agent makes them durable; `flat()` is the whole turn. */
export function turnSteps(number, { inputIsAccepted = false } = {}) {
  const { input, thought, argument, result, answer } = turnTexts(number);
  const inputId = randomUUID();
  const [first, second] = [modelCall(), modelCall()];
  const call = { messageId: first.messageId, ordinal: 0 };
  const accepted = [
    { type: 'acceptInput', inputId, content: input },
    { ...start(first), delivers: [inputId] },
  ];
  return [
    inputIsAccepted ? [start(first)] : accepted,
    [
      settle(first, [
        { type: 'text', text: thought },
        {
          type: 'toolCall',
          tool: 'search',
          providerCallId: `toolu_${number}`,
          args: { query: argument },
        },
      ]),
      { type: 'startToolCall', call },
    ],
    [{ type: 'recordToolResult', call, content: result }, start(second)],
    [settle(second, [{ type: 'text', text: answer }])],
  ];
}

export const TOOLS = [{ name: 'search', effect: 'readOnly', timeoutMs: 60_000 }];

function modelCall() {
  return { modelCallId: randomUUID(), messageId: randomUUID() };
}

function start(ids) {
  return { type: 'startModelCall', ...ids, provider: 'anthropic', model: MODEL };
}

/** No two requests to a provider have the same response: it would be one request, told twice. */
function settle({ modelCallId }, message) {
  const responseId = `msg_${modelCallId}`;
  return { type: 'settleModelCall', modelCallId, message, usage: USAGE, responseId, model: MODEL };
}

function filled(beginning, bytes) {
  const words = ' lorem ipsum "dolor" sit amet, consectetur adipiscing elit sed do eiusmod\n';
  return (beginning + words.repeat(Math.ceil(bytes / words.length))).slice(0, bytes);
}
