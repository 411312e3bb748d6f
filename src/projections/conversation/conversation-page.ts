import type { AssistantBlock, FactKind, InputBlock, Json } from '../../domain/content.js';
import type { Segment } from '../../domain/events/positions.js';
import type { ToolResult } from '../../domain/events/tool-events.js';
import type { EventContents, EventPlace } from './event-contents.js';
import type { PlacedItem } from './item-sections.js';
import type { ItemDocument } from './conversation-document.js';

/** What was said, as it stands in the events. */
export type ItemContent =
  | { readonly kind: 'user'; readonly blocks: readonly InputBlock[]; readonly author: string }
  | { readonly kind: 'assistant'; readonly blocks: readonly AssistantBlock[] }
  | {
      readonly kind: 'toolCall';
      readonly args?: Json;
      /** The model's own text, when it was no JSON object. */
      readonly argsText?: string;
      readonly result?: ToolResult;
    }
  | { readonly kind: 'compaction'; readonly summary: string }
  | {
      readonly kind: 'facts';
      readonly facts: readonly {
        readonly factId: string;
        readonly kind: FactKind;
        readonly text: string;
        readonly retired?: boolean;
      }[];
    };

/** An item of a conversation. Its `sessionId` is an ancestor's in the inherited part of a fork. */
export type ConversationItem = ItemDocument & {
  readonly sessionId: string;
  /** A revert took it out. */
  readonly hidden: boolean;
  readonly conflicts: PlacedItem['conflicts'];
  readonly content?: ItemContent;
};

export function isHidden({ sessionId, item }: PlacedItem, hidden: readonly Segment[]): boolean {
  return hidden.some(
    (range) =>
      range.sessionId === sessionId && range.from <= item.revision && item.revision <= range.to,
  );
}

/** Where the content of an item stands. */
export function placesOf({ sessionId, item }: PlacedItem): EventPlace[] {
  return revisionsOf(item).map((revision) => ({ sessionId, revision }));
}

function revisionsOf(item: ItemDocument): readonly number[] {
  switch (item.kind) {
    case 'user':
      return [item.contentRevision];
    case 'assistant':
      return item.parts;
    case 'toolCall':
      return item.resultRevision === undefined
        ? [item.revision]
        : [item.revision, item.resultRevision];
    case 'compaction':
    case 'facts':
      return [item.revision];
    case 'revert':
    case 'revertCleared':
      return [];
  }
}

/** undefined when its events are not there (any more), or when it has no content. */
export function contentOf(
  { sessionId, item }: PlacedItem,
  contents: EventContents,
): ItemContent | undefined {
  const events = revisionsOf(item).flatMap((revision) => contents.at(sessionId, revision) ?? []);
  const [event] = events;
  switch (event?.type) {
    case 'InputAccepted':
      return { kind: 'user', blocks: event.data.content, author: event.data.author };
    case 'AssistantMessageRecorded': {
      const blocks = events.flatMap((part) =>
        part.type === 'AssistantMessageRecorded' ? part.data.blocks : [],
      );
      return { kind: 'assistant', blocks };
    }
    case 'ToolCallRequested': {
      const { args, argsText } = event.data;
      const answer = events[1];
      const result = answer && 'result' in answer.data ? answer.data.result : undefined;
      return { kind: 'toolCall', args, argsText, result };
    }
    case 'Compacted':
      return { kind: 'compaction', summary: event.data.summary };
    case 'FactsRecorded':
      return { kind: 'facts', facts: event.data.facts };
    default:
      return undefined;
  }
}
