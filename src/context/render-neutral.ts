import type { Json } from '../domain/content.js';
import { type HistoryItem, type ShownBlock, type ShownCall, callsOf } from './history-items.js';
import type { JsonObject, RenderInput, Rendered } from './render.js';

/**
 * Holdfast's own form, for programs that talk to a provider that is not listed: nothing is dropped
 * or converted, each call's result follows as a message of its own.
 */
export function renderNeutral(input: RenderInput): Rendered {
  return {
    system: input.instructions,
    messages: input.items.flatMap(messagesOf),
    leftOut: [],
    repairs: [],
  };
}

function messagesOf(item: HistoryItem): JsonObject[] {
  switch (item.kind) {
    case 'context':
      return [
        defined({ role: 'context', about: item.about, callId: item.callId, text: item.text }),
      ];
    case 'user':
      return [
        defined({
          role: 'user',
          inputId: item.inputId,
          messageId: item.messageId,
          content: item.content as unknown as Json,
        }),
      ];
    case 'assistant': {
      const { messageId, provider, api, model } = item;
      const content = item.blocks.map(blockOf);
      const answer = defined({ role: 'assistant', messageId, provider, api, model, content });
      return [answer, ...callsOf(item).map(resultOf)];
    }
  }
}

function blockOf(block: ShownBlock): JsonObject {
  if (block.type !== 'call') return block as unknown as JsonObject;
  const { callId, providerCallId, tool, args, argsText } = block.call;
  return defined({
    type: 'toolCall',
    callId,
    providerCallId,
    tool,
    args,
    argsText,
    block: block.call.block,
  });
}

function resultOf({ callId, tool, status, result, trimmed }: ShownCall): JsonObject {
  return defined({
    role: 'tool',
    callId,
    tool,
    state: status,
    isError: result.isError,
    synthetic: result.synthetic,
    artifact: result.artifact as Json | undefined,
    trimmed,
    content: result.content as unknown as Json,
  });
}

function defined(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
