import type { EventOf } from '../../domain/events.js';
import { contentBytes, previewOf, textOf } from '../preview.js';
import type { ConversationChange, ConversationView } from './conversation-change.js';
import type { AssistantItem, UserItem } from './conversation-document.js';

type MessageEvent =
  | EventOf<'InputAccepted'>
  | EventOf<'InputDelivered'>
  | EventOf<'InputWithdrawn'>
  | EventOf<'StopRequested'>
  | EventOf<'AssistantMessageRecorded'>;

export function messageChange(
  view: ConversationView,
  event: MessageEvent,
  revision: number,
): ConversationChange {
  switch (event.type) {
    case 'InputAccepted':
      return accepted(view, event.data, revision);
    case 'InputDelivered':
      return delivered(view, event.data, revision);
    case 'InputWithdrawn':
      return { header: { pendingInputs: without(view, event.data.inputId) } };
    case 'StopRequested':
      return event.data.dropPendingInputs ? { header: { pendingInputs: {} } } : {};
    case 'AssistantMessageRecorded':
      return assistantPart(view, event.data, revision);
  }
}

function accepted(
  { header }: ConversationView,
  { inputId, content }: EventOf<'InputAccepted'>['data'],
  revision: number,
): ConversationChange {
  const pending = { revision, bytes: contentBytes(content), preview: previewOf(textOf(content)) };
  return { header: { pendingInputs: { ...header.pendingInputs, [inputId]: pending } } };
}

/** Delivery makes the input a message; its content stays where it was accepted. */
function delivered(
  view: ConversationView,
  { inputId, messageId }: EventOf<'InputDelivered'>['data'],
  revision: number,
): ConversationChange {
  const pending = view.header.pendingInputs[inputId];
  const item: UserItem = {
    kind: 'user',
    revision,
    messageId,
    inputId,
    contentRevision: pending?.revision ?? revision,
    bytes: pending?.bytes ?? 0,
    preview: pending?.preview ?? '',
  };
  return {
    header: { pendingInputs: without(view, inputId) },
    items: [[view.header.items, item]],
  };
}

function without({ header }: ConversationView, inputId: string) {
  const { [inputId]: _gone, ...rest } = header.pendingInputs;
  return rest;
}

function assistantPart(
  { header, item }: ConversationView,
  data: EventOf<'AssistantMessageRecorded'>['data'],
  revision: number,
): ConversationChange {
  const { messageId, modelCallId, model, final, blocks } = data;
  const bytes = contentBytes(blocks);
  const preview = previewOf(textOf(blocks));
  const last = header.lastMessage;
  const before = last?.messageId === messageId ? item(last.item) : undefined;
  if (last !== undefined && before?.kind === 'assistant') {
    const grown: AssistantItem = {
      ...before,
      parts: [...before.parts, revision],
      final,
      bytes: before.bytes + bytes,
      preview: before.preview === '' ? preview : before.preview,
    };
    return { items: [[last.item, grown]] };
  }
  const message: AssistantItem = {
    kind: 'assistant',
    revision,
    messageId,
    modelCallId,
    model,
    parts: [revision],
    final,
    bytes,
    preview,
  };
  return {
    header: { lastMessage: { messageId, item: header.items } },
    items: [[header.items, message]],
  };
}
