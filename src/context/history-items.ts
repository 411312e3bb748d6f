import type {
  ArtifactLink,
  InputBlock,
  Json,
  ProviderBlock,
  TextBlock,
  ToolContent,
} from '../domain/content.js';
import type { StreamPosition } from '../domain/events/positions.js';
import type { CallStatus } from '../domain/state.js';
import type { EffectClass } from '../domain/tool-manifest.js';
import type { SyntheticReason } from '@holdfast/provider-rules';
import type { LeftOut } from './context-source.js';
import type { HistoryRecord } from './history-record.js';

/**
 * The conversation in no provider's words. A call holds its one result, so a pair cannot be torn;
 * items stand in the order in which a model reads them.
 */
export type HistoryItem = UserItem | AssistantItem | ContextItem;

interface Placed {
  /** Index of the record that gives the item its place; Infinity at the tail. */
  readonly place: number;
  /** Indexes of the first and the last record that the item was made from. */
  readonly from: number;
  readonly to: number;
}

export interface UserItem extends Placed {
  readonly kind: 'user';
  readonly inputId: string;
  /** Absent for an input that the next model call will deliver. */
  readonly messageId?: string;
  readonly at?: StreamPosition;
  readonly content: readonly InputBlock[];
}

export interface AssistantItem extends Placed {
  readonly kind: 'assistant';
  readonly messageId: string;
  readonly at: StreamPosition;
  readonly provider?: string;
  readonly api?: string;
  readonly model?: string;
  /** The model that was asked for; a provider may answer with a more exact name. */
  readonly requestedModel?: string;
  readonly modelCallId: string;
  readonly blocks: readonly ShownBlock[];
}

/** Something that Holdfast says, in the user's role. */
export interface ContextItem extends Placed {
  readonly kind: 'context';
  readonly about: 'facts' | 'summary' | 'outcome' | 'gap' | 'date';
  readonly text: string;
  readonly callId?: string;
}

export type ShownBlock =
  TextBlock | ProviderBlock | { readonly type: 'call'; readonly call: ShownCall };

export interface ShownCall {
  readonly callId: string;
  readonly providerCallId?: string;
  readonly tool: string;
  readonly args?: Json;
  readonly argsText?: string;
  /** The provider's own block, to be replayed verbatim where the provider is the same. */
  readonly block?: Json;
  readonly status: CallStatus;
  readonly effect: EffectClass;
  readonly result: ShownResult;
  /** The result is a reference only: the budget took its content out. */
  readonly trimmed?: boolean;
}

export interface ShownResult {
  readonly content: ToolContent;
  readonly isError: boolean;
  /** Set where no tool gave this text. */
  readonly synthetic?: SyntheticReason;
  readonly artifact?: ArtifactLink;
}

export interface UnresolvedCall {
  readonly callId: string;
  readonly tool: string;
  readonly status: CallStatus;
  readonly effect: EffectClass;
  readonly opKey: string;
  /** Whom an escalation asks. */
  /** Who must decide, and by when. */
  readonly waitsFor?: string;
  readonly dueAt?: string;
}

export interface History {
  /** The records that could be read; places are indexes into this list. */
  readonly records: readonly HistoryRecord[];
  readonly items: readonly HistoryItem[];
  readonly leftOut: readonly LeftOut[];
  readonly unresolved: readonly UnresolvedCall[];
  /** No model call of this model has read the conversation since the last compaction. */
  readonly isNewPeriod: boolean;
  /** Calls that an earlier summary lists as open, and that nobody has settled since. */
  readonly summarisedOpen: readonly string[];
  /** Writes that a revert has hidden, and that nobody has settled. */
  readonly hiddenOpen: ReadonlySet<string>;
}

export function callsOf(item: HistoryItem): readonly ShownCall[] {
  if (item.kind !== 'assistant') return [];
  return item.blocks.flatMap((block) => (block.type === 'call' ? [block.call] : []));
}
