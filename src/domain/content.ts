/** Content as it is recorded: provider-neutral blocks; provider blocks are kept verbatim. */

export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface ArtifactLink {
  readonly hash: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
}

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** An image or a document: by address, inline (base64), or as an artifact of the session. */
export interface MediaBlock {
  readonly type: 'image' | 'document';
  readonly mediaType: string;
  readonly url?: string;
  readonly base64?: string;
  readonly artifact?: ArtifactLink;
  readonly name?: string;
}

/** A block that only its provider understands (thinking, signatures, encrypted reasoning). */
export interface ProviderBlock {
  readonly type: 'provider';
  readonly block: Json;
}

/** The place of a tool call inside an assistant message; `ordinal` counts the message's calls. */
export interface ToolCallBlock {
  readonly type: 'toolCall';
  readonly ordinal: number;
  /** The provider's own block, when it has to be replayed verbatim. */
  readonly block?: Json;
}

export type InputBlock = TextBlock | MediaBlock;
export type AssistantBlock = TextBlock | ProviderBlock | ToolCallBlock;
/** What a tool answered. */
export type ToolContent = string | readonly (TextBlock | MediaBlock)[];

export type FactKind =
  | 'goal'
  | 'constraint'
  | 'decision'
  | 'plan'
  | 'progress'
  | 'amount'
  | 'path'
  | 'question'
  | 'artifact'
  | 'note';

/** In the order in which contexts show them. */
export const FACT_KINDS: readonly FactKind[] = [
  'goal',
  'constraint',
  'decision',
  'plan',
  'progress',
  'amount',
  'path',
  'question',
  'artifact',
  'note',
];
