/** Response bodies in the shapes that providers send, with a usage that costs something. */

export interface AskedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export const ANTHROPIC_MODEL = 'claude-sonnet-4-5';
export const OPENAI_MODEL = 'gpt-4o-mini';

export function anthropicAnswer(text: string, calls: readonly AskedCall[] = []) {
  const content = [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map((call) => ({ type: 'tool_use', ...call })),
  ];
  return {
    id: `msg_${crypto.randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: ANTHROPIC_MODEL,
    content,
    stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use',
    usage: { input_tokens: 1_000, output_tokens: 100 },
  };
}

export function openAiChatAnswer(text: string, calls: readonly AskedCall[] = []) {
  const toolCalls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return {
    id: `chatcmpl-${crypto.randomUUID()}`,
    object: 'chat.completion',
    model: OPENAI_MODEL,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' ? null : text,
          ...(calls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
        finish_reason: calls.length === 0 ? 'stop' : 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
  };
}
