import type { ConversationHeader, ItemDocument, LateChange } from './conversation-document.js';

/** What an event sees of its conversation. */
export interface ConversationView {
  readonly header: ConversationHeader;
  readonly item: (item: number) => ItemDocument | undefined;
  readonly lateChange: (callId: string) => LateChange | undefined;
}

/** What an event changes: fields of the header, items by number, late news of one call. */
export interface ConversationChange {
  readonly header?: Partial<ConversationHeader>;
  readonly items?: readonly (readonly [number, ItemDocument])[];
  readonly late?: readonly [string, LateChange];
}
