import type { AssistantBlock, ToolCallBlock } from '../domain/content.js';
import type { EventOf } from '../domain/events.js';
import type { StreamPosition } from '../domain/events/positions.js';
import type { CallView } from './call-view.js';
import { assistantBlocks, isUnsignedThinking } from './content-guards.js';
import type { LeftOut } from './context-source.js';
import type { AssistantItem, ShownBlock, ShownCall } from './history-items.js';
import { type HistoryRecord, numberOr } from './history-record.js';

/**
 * An assistant message while the log is read. `decision` is taken when the first model call after
 * it is about to read it, and holds from then on: what a model has read does not change.
 */
export interface MessageView {
  readonly at: StreamPosition;
  readonly place: number;
  readonly messageId: string;
  modelCallId: string;
  provider?: string;
  api?: string;
  model?: string;
  to: number;
  isFinal: boolean;
  readonly parts: Map<number, readonly AssistantBlock[]>;
  readonly callIds: string[];
  decision?: 'whole' | 'partial' | 'omitted';
  /** Calls of a partial message that were cut off while the model wrote them. */
  readonly incomplete: Set<string>;
}

export function newMessage(
  record: HistoryRecord,
  place: number,
  data: { readonly messageId: string; readonly modelCallId: string },
): MessageView {
  return {
    at: { sessionId: record.sessionId, revision: record.revision },
    place,
    messageId: data.messageId,
    modelCallId: data.modelCallId,
    to: place,
    isFinal: false,
    parts: new Map(),
    callIds: [],
    incomplete: new Set(),
  };
}

export function addPart(
  message: MessageView,
  data: EventOf<'AssistantMessageRecorded'>['data'],
  place: number,
): void {
  const part = numberOr(data.part, 0);
  if (message.parts.has(part)) return;
  message.parts.set(part, assistantBlocks(data.blocks));
  message.isFinal ||= data.final === true;
  message.provider ??= data.provider;
  message.api ??= data.api;
  message.model ??= data.model;
  message.to = place;
}

/**
 * An interrupted message is shown only if one of its calls was started: what then happened in the
 * world must not be lost, while an unfinished text is worth nothing (reconciliation protocol, §16).
 */
export function decide(message: MessageView, calls: readonly CallView[], isSettled: boolean): void {
  if (message.isFinal || isSettled) {
    message.decision = 'whole';
    return;
  }
  message.decision = calls.some((call) => call.started) ? 'partial' : 'omitted';
  for (const call of calls) {
    if (call.argsText !== undefined && !call.started) message.incomplete.add(call.state.callId);
  }
}

export function assistantItem(
  message: MessageView,
  shown: readonly { readonly ordinal: number; readonly call: ShownCall }[],
  to: number,
  requestedModel: string | undefined,
): { readonly item: AssistantItem; readonly leftOut: readonly LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const blocks = withCalls(message, shown, leftOut);
  const kept =
    message.decision === 'partial' ? withoutUnfinished(message, blocks, leftOut) : blocks;
  const { messageId, modelCallId, at, place, provider, api, model } = message;
  return {
    item: {
      kind: 'assistant',
      messageId,
      modelCallId,
      at,
      place,
      from: place,
      to: Math.max(message.to, to),
      provider,
      api,
      model,
      requestedModel,
      blocks: kept,
    },
    leftOut,
  };
}

/** The blocks of all parts with the calls at their places; a call without a place comes last. */
function withCalls(
  message: MessageView,
  shown: readonly { readonly ordinal: number; readonly call: ShownCall }[],
  leftOut: LeftOut[],
): readonly ShownBlock[] {
  const parts = [...message.parts].sort(([one], [other]) => one - other);
  const waiting = [...shown];
  const blocks: ShownBlock[] = [];
  for (const block of parts.flatMap(([, part]) => part)) {
    if (block.type !== 'toolCall') {
      blocks.push(block);
      continue;
    }
    const index = waiting.findIndex(({ ordinal }) => ordinal === block.ordinal);
    if (index === -1) {
      leftOut.push({
        kind: 'incomplete_call',
        reason: `the call at place ${block.ordinal} of the message was never requested`,
        at: message.at,
        messageId: message.messageId,
      });
      continue;
    }
    const [found] = waiting.splice(index, 1);
    blocks.push({ type: 'call', call: withBlock(found!.call, block) });
  }
  const rest = waiting.sort((one, other) => one.ordinal - other.ordinal);
  return [...blocks, ...rest.map(({ call }): ShownBlock => ({ type: 'call', call }))];
}

function withBlock(call: ShownCall, block: ToolCallBlock): ShownCall {
  return block.block === undefined ? call : { ...call, block: block.block };
}

function withoutUnfinished(
  message: MessageView,
  blocks: readonly ShownBlock[],
  leftOut: LeftOut[],
): readonly ShownBlock[] {
  const lastCall = blocks.findLastIndex((block) => block.type === 'call');
  const kept = blocks
    .slice(0, lastCall + 1)
    .filter((block) => !(block.type === 'provider' && isUnsignedThinking(block.block)));
  if (kept.length < blocks.length) {
    leftOut.push({
      kind: 'unfinished_block',
      reason: `${blocks.length - kept.length} unfinished blocks of an interrupted message`,
      at: message.at,
      messageId: message.messageId,
    });
  }
  return kept;
}
