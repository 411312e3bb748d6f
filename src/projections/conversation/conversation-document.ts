import type { CompactionTrigger } from '../../domain/events/compaction-events.js';
import type {
  FactPointer,
  Segment,
  StreamPosition,
  Watermark,
} from '../../domain/events/positions.js';
import type { ConflictKind } from '../../domain/events/tool-events.js';
import type { CallState, CallStatus } from '../../domain/state.js';

/** What a session's conversation consists of; the words themselves stay in the events. */
export interface ConversationHeader {
  readonly tenantId: string;
  readonly sessionId: string;
  /** The newest event of the conversation, not of the session. */
  readonly revision: number;
  readonly position: string;
  /** How many items the session itself has: they are numbered from 0 in the order of the log. */
  readonly items: number;
  /** Parts of other sessions that come before the own items. */
  readonly segments: readonly Segment[];
  readonly watermark?: Watermark;
  /** Ranges that a revert took out. */
  readonly hidden: readonly Segment[];
  readonly facts: Readonly<Record<string, FactEntry>>;
  readonly pendingInputs: Readonly<Record<string, PendingContent>>;
  readonly lastMessage?: { readonly messageId: string; readonly item: number };
  readonly openCalls: Readonly<Record<string, OpenCallEntry>>;
  /** Calls of the parent that were open when it was forked; only their origin settles them. */
  readonly inheritedCalls: readonly InheritedCall[];
  /** How many changes of settled calls there were: 0 spares looking for them. */
  readonly lateChanges: number;
  /** Its content is gone, and with it the items. */
  readonly erased?: boolean;
}

export type FactEntry = Omit<FactPointer, 'factId'>;

export interface PendingContent {
  readonly revision: number;
  readonly bytes: number;
  readonly preview: string;
}

export interface OpenCallEntry {
  readonly item: number;
  readonly call: CallState;
  readonly statusRevision: number;
  readonly startedRevision?: number;
  readonly resultRevision?: number;
  readonly resultBytes?: number;
}

export interface InheritedCall {
  readonly callId: string;
  readonly originSessionId: string;
  readonly tool: string;
  readonly stateAtCut: string;
}

interface ItemBase {
  /** Where the item stands in its session's log. */
  readonly revision: number;
  /** Of the content, without the JSON around it. */
  readonly bytes: number;
  /** At most `PREVIEW_CHARACTERS_MAX` characters. */
  readonly preview: string;
}

export interface UserItem extends ItemBase {
  readonly kind: 'user';
  readonly messageId: string;
  readonly inputId: string;
  /** The event with the content: accepting comes before delivery. */
  readonly contentRevision: number;
}

export interface AssistantItem extends ItemBase {
  readonly kind: 'assistant';
  readonly messageId: string;
  readonly modelCallId: string;
  readonly model?: string;
  /** Revisions of the events that hold its parts. */
  readonly parts: readonly number[];
  readonly final: boolean;
}

export interface ToolCallItem extends ItemBase {
  readonly kind: 'toolCall';
  readonly callId: string;
  readonly messageId: string;
  readonly tool: string;
  readonly status: CallStatus;
  /** Since when the status holds. */
  readonly statusRevision: number;
  readonly startedRevision?: number;
  readonly resultRevision?: number;
  readonly resultBytes?: number;
}

export interface CompactionItem extends ItemBase {
  readonly kind: 'compaction';
  readonly compactionId: string;
  readonly keptFrom: StreamPosition;
  readonly trigger: CompactionTrigger;
}

export interface FactsItem extends ItemBase {
  readonly kind: 'facts';
  readonly factIds: readonly string[];
}

export interface RevertItem extends ItemBase {
  readonly kind: 'revert';
  readonly to: StreamPosition;
}

export interface RevertClearedItem extends ItemBase {
  readonly kind: 'revertCleared';
  readonly revertedAt: number;
}

export type ItemDocument =
  | UserItem
  | AssistantItem
  | ToolCallItem
  | CompactionItem
  | FactsItem
  | RevertItem
  | RevertClearedItem;

/** What became known of a call after it was settled. */
export interface LateChange {
  readonly status?: CallStatus;
  readonly statusRevision?: number;
  readonly resultRevision?: number;
  /** The newest late result, whatever it changed. */
  readonly lateRevision?: number;
  /** The newest ones. */
  readonly conflicts: readonly { readonly kind: ConflictKind; readonly revision: number }[];
}

export const CONFLICTS_KEPT_MAX = 20;

export function itemId(headerId: string, item: number): string {
  return `${headerId}:${item}`;
}

export function lateChangeId(headerId: string, callId: string): string {
  return `${headerId}:${callId}`;
}
