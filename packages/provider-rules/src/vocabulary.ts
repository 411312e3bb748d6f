/** The six shapes in which a history can be stored or sent. */
export const PROVIDERS = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'ai-sdk',
  'langchain',
] as const;

export type ProviderName = (typeof PROVIDERS)[number];

/** What can be wrong, in one vocabulary for all formats. */
export const VIOLATION_KINDS = [
  // pairing
  'missing_tool_result',
  'orphan_tool_result',
  'duplicate_tool_result',
  'duplicate_tool_call_id',
  'result_before_call',
  'not_adjacent',
  'too_many_tool_results',
  'orphan_server_tool_result',
  // order
  'tool_result_not_first',
  'tool_use_not_last',
  'result_order',
  'mixed_result_content',
  'call_turn_position',
  // content
  'empty_text',
  'empty_message',
  'empty_part',
  'empty_parts',
  'empty_contents',
  'empty_history',
  'null_content',
  'empty_tool_calls',
  'invalid_arguments',
  'bad_content_type',
  'tool_content_not_text',
  'bad_tool_output',
  'too_many_tool_calls',
  'ill_formed_text',
  'tool_name_too_long',
  // ids
  'bad_tool_call_id',
  'tool_call_id_too_long',
  'bad_item_id',
  'duplicate_item_id',
  // stored items and reasoning
  'unpersisted_item',
  'foreign_encrypted_content',
  'reasoning_without_follower',
  'item_without_reasoning',
  'bad_thinking_signature',
  'thinking_missing',
  'final_block_thinking',
  'thinking_when_disabled',
  'thinking_prefix_changed',
  'missing_thought_signature',
  // turns
  'first_not_user',
  'ends_with_model',
  'not_alternating',
  'bad_role',
  'block_in_wrong_role',
  'prefill_unsupported',
  'trailing_whitespace',
  // cache marks
  'too_many_cache_control',
  'cache_control_not_allowed',
  'cache_control_ttl_order',
] as const;

export type ViolationKind = (typeof VIOLATION_KINDS)[number];

/** One broken rule. `at` is the index of the message, content or item in the history. */
export interface Violation {
  readonly rule: string;
  readonly kind: ViolationKind;
  readonly at: number;
}

/** How a validator reports. */
export type Report = (rule: string, kind: ViolationKind, at: number) => void;

/** What a repair did; `convert_content_type` and the like are the words of the case files. */
export type RepairAction =
  | 'synthetic_result'
  | 'drop_orphan_result'
  | 'dedupe_result'
  | 'reorder_result_to_call'
  | 'interleave_pairs'
  | 'merge_responses'
  | 'split_content'
  | 'reorder_blocks'
  | 'merge_same_role'
  | 'rewrite_ids'
  | 'shorten_name'
  | 'copy_name'
  | 'strip_item_id'
  | 'dedupe_item'
  | 'drop_reasoning'
  | 'inline_or_drop_reference'
  | 'convert_content_type'
  | 'wrap_invalid_json'
  | 'move_media_to_user'
  | 'drop_block'
  | 'drop_message'
  | 'drop_content'
  | 'remove_field'
  | 'prepend_user'
  | 'append_ephemeral_user'
  | 'insert_assistant'
  | 'trim_end'
  | 'drop_oldest_cache_control'
  | 'move_cache_control'
  | 'one_cache_control_ttl'
  | 'sentinel_signature'
  | 'set_role'
  | 'replace_lone_surrogate'
  | 'disable_thinking_for_request';

/**
 * One change of the request. `position` is the index in the history that was given (its length for
 * something added at the end); `reason` is one sentence for the audit.
 */
export interface Repair {
  readonly rule: string;
  readonly position: number;
  readonly action: RepairAction;
  readonly reason: string;
}

/** A message that the format has no place for; the caller decides where its text goes. */
export interface LeftOut {
  readonly position: number;
  readonly message: unknown;
}
