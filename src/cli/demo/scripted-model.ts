/** A model that needs no key: it looks at its input and says the next line of a script. */

export interface ScriptedMessage {
  readonly role: string;
  readonly content: string | readonly ScriptedBlock[];
}

type ScriptedBlock = {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly content?: unknown;
  readonly tool_use_id?: string;
};

export const SCRIPTED_MODEL = 'claude-sonnet-4-5';

/** The answer in the shape of Anthropic Messages, with a usage that grows with the input. */
export function scriptedAnswer(messages: readonly ScriptedMessage[]): {
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  readonly [field: string]: unknown;
} {
  const said = nextLine(messages);
  return {
    id: `msg_${crypto.randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: SCRIPTED_MODEL,
    content: said,
    stop_reason: said.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
    usage: {
      input_tokens: 200 + Math.ceil(JSON.stringify(messages).length / 4),
      output_tokens: Math.ceil(JSON.stringify(said).length / 4),
    },
  };
}

function nextLine(messages: readonly ScriptedMessage[]): readonly Record<string, unknown>[] {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const results = blocks.filter((block) => block.type === 'tool_result');
  if (results.length === 0) {
    return [
      { type: 'text', text: 'I look up the invoice first.' },
      toolUse('look_up_invoice', { invoice: '4711' }),
    ];
  }
  if (results.length === 1) return [toolUse('pay_invoice', { invoice: '4711', amount: '120.00' })];
  const outcome = JSON.stringify(results.at(-1));
  const text = /took effect|receipt/i.test(outcome)
    ? 'Invoice 4711 is paid, 120.00 EUR, once.'
    : 'I could not establish whether invoice 4711 was paid. Please check before paying again.';
  return [{ type: 'text', text }];
}

function toolUse(name: string, input: object): Record<string, unknown> {
  return { type: 'tool_use', id: `toolu_${crypto.randomUUID().replaceAll('-', '')}`, name, input };
}
