import type { ProviderName, ViolationKind } from './vocabulary.js';
import { PROVIDERS } from './vocabulary.js';

/** One rule of the specification, for error reports and documentation. */
export interface Rule {
  readonly id: string;
  /** The kinds under which `validate` reports it. */
  readonly kinds: readonly ViolationKind[];
  readonly providers: readonly ProviderName[];
  /** What must hold, in one sentence. */
  readonly sentence: string;
  /** False if no repair of a history can heal every violation of it. */
  readonly isRepairable: boolean;
}

type Row = readonly [id: string, kinds: string, sentence: string, unrepairable?: true];

const ALL: readonly Row[] = [
  ['X1', 'ill_formed_text', 'Every string is well-formed Unicode.'],
  ['X2', 'tool_name_too_long', 'A tool name is not longer than the provider takes.'],
  ['X4', 'bad_role bad_content_type', 'Every entry is a message or block of the format.'],
];

const CHAT: readonly Row[] = [
  ['C0', 'empty_history', 'The history is not empty.'],
  ['C1', 'missing_tool_result', 'The run after an assistant message answers every call in it.'],
  ['C2', 'orphan_tool_result', 'A tool message belongs to the run of a message with its call.'],
  ['C3', 'duplicate_tool_result', 'A call has one tool message.'],
  ['C4', 'duplicate_tool_call_id', 'Call ids are unique inside one message.'],
  ['C5', 'empty_tool_calls', 'The list of calls is absent or not empty.'],
  ['C6', 'null_content', 'Content is null only beside calls, audio, a refusal or a function call.'],
  ['C7', 'too_many_tool_calls', 'A message has at most 128 calls.', true],
  ['C8', 'invalid_arguments', 'The arguments of a call are a JSON object.'],
  ['C9', 'tool_content_not_text', 'The content of a tool message is text.'],
  ['C10', 'tool_call_id_too_long bad_tool_call_id', 'A call id has at most 40 characters.'],
  ['C11', 'bad_tool_call_id', 'Mistral: a call id has exactly nine letters and digits.'],
  ['C12', 'not_alternating', 'Mistral: no user message directly follows a tool message.'],
];

const RESPONSES: readonly Row[] = [
  ['R0', 'empty_history', 'The input is not empty.'],
  ['R1', 'missing_tool_result', 'Every call has an output with its call id.', true],
  ['R2', 'orphan_tool_result', 'Every output has its call in the input or on the server.'],
  ['R3', 'result_before_call', 'An output comes after its call.'],
  [
    'R4',
    'reasoning_without_follower',
    'Reasoning is followed by a model item, with id if it has one.',
  ],
  ['R5', 'item_without_reasoning', 'An item carries its id only if its reasoning is present.'],
  ['R6', 'unpersisted_item', 'With store false, items carry their content.'],
  ['R7', 'foreign_encrypted_content', 'Encrypted content goes to its own account and model only.'],
  ['R8', 'duplicate_item_id', 'Item ids are unique, and known items are not sent again.'],
  ['R9', 'bad_item_id', 'An item id has the prefix of its type.'],
  ['R10', 'bad_content_type', 'User parts are input parts, assistant parts are output parts.'],
  ['R11', 'tool_call_id_too_long bad_tool_call_id', 'A call id has 1 to 64 characters.'],
  ['R12', 'duplicate_tool_result', 'A call has one output.'],
  ['R13', 'duplicate_tool_call_id', 'Call ids are unique in the whole input.'],
  ['R14', 'not_adjacent', 'With adjacentPairs, an output stands directly after its call.'],
];

const ANTHROPIC: readonly Row[] = [
  ['A0', 'empty_history', 'The history is not empty.'],
  ['A1', 'missing_tool_result', 'Every tool_use has a tool_result in the next user turn.'],
  ['A2', 'orphan_tool_result', 'A tool_result refers to a tool_use of the previous turn.'],
  ['A3', 'tool_result_not_first', 'Results stand before all other blocks of their user turn.'],
  ['A4', 'tool_use_not_last', 'Between thinking blocks, tool_use comes last.'],
  ['A5', 'duplicate_tool_call_id', 'Ids of tool_use are unique inside one assistant turn.'],
  ['A6', 'duplicate_tool_result', 'A tool_use has one tool_result.'],
  ['A7', 'bad_tool_call_id', 'An id has 1 to 64 letters, digits, underscores and hyphens.'],
  ['A8', 'empty_text', 'A text block has more than whitespace.'],
  ['A9', 'empty_message', 'Content is not empty, except in an optional final assistant message.'],
  ['A10', 'first_not_user', 'With strictAlternation, the first message is of the user.'],
  ['A11', 'not_alternating', 'With strictAlternation, roles alternate.'],
  ['A12', 'prefill_unsupported', 'Without prefill, the last turn is no assistant text.'],
  ['A13', 'trailing_whitespace', 'With prefill, the final text does not end in whitespace.'],
  ['A14', 'bad_thinking_signature', 'Thinking is signed and of the model of the request.'],
  ['A15', 'thinking_missing', 'With thinkingRequired, a tool loop begins with thinking.', true],
  ['A17', 'final_block_thinking', 'An assistant message does not end in thinking.'],
  ['A18', 'thinking_when_disabled', 'With thinking off, the final assistant turn has none.'],
  ['A19', 'too_many_cache_control', 'A request has at most four cache marks.', true],
  ['A20', 'cache_control_ttl_order', 'The ttl of cache marks never increases.'],
  ['A21', 'cache_control_not_allowed', 'Thinking and empty text carry no cache mark.'],
  ['A22', 'invalid_arguments', 'The input of a tool_use is an object.'],
  ['A24', 'orphan_server_tool_result', 'A server tool result follows its use in the same turn.'],
  ['A26', 'block_in_wrong_role', 'Calls and thinking are the assistant’s, results the user’s.'],
  ['A27', 'bad_role', 'Roles are user and assistant, and system with midSystem.'],
  ['A28', 'thinking_prefix_changed', 'With boundPrefix, thinking stands behind its own prefix.'],
];

const GEMINI: readonly Row[] = [
  ['G1', 'call_turn_position', 'A content with calls follows a user content or other calls.'],
  ['G2', 'orphan_tool_result not_adjacent', 'Responses come directly after their calls.'],
  [
    'G3',
    'missing_tool_result too_many_tool_results duplicate_tool_result orphan_tool_result',
    'One content holds as many responses as there are calls.',
  ],
  ['G4', 'mixed_result_content', 'A content with responses holds nothing else.'],
  [
    'G5',
    'missing_thought_signature',
    'Gemini 3: the first call since the last user text is signed.',
  ],
  ['G6', 'empty_parts empty_part empty_text', 'Parts are not empty, and each has a field.'],
  ['G7', 'empty_contents', 'The contents are not empty.'],
  ['G8', 'ends_with_model', 'The last content is of the user.'],
  ['G9', 'first_not_user', 'The first content is of the user.'],
  ['G10', 'bad_role', 'Roles are user and model; calls are the model’s, responses the user’s.'],
  ['G11', 'result_order', 'Order and names of responses follow the calls.'],
  ['G12', 'not_alternating', 'No two plain neighbours have one role.'],
];

const AI_SDK: readonly Row[] = [
  ['V1', 'missing_tool_result', 'Every client call is answered before the next other message.'],
  [
    'V2',
    'orphan_tool_result duplicate_tool_result bad_content_type bad_tool_call_id',
    'No result is orphaned or second.',
  ],
  ['V3', 'empty_history bad_role', 'The list is not empty; system messages need the option.'],
  ['V4', 'duplicate_tool_call_id bad_tool_call_id', 'Call ids are unique inside one message.'],
  ['V5', 'empty_message', 'Assistant content is not empty.'],
  ['V6', 'bad_tool_output', 'The output of a result is a typed object.'],
];

/** Ln is Cn; LangChain stores parsed arguments and has no Mistral option. */
const LANGCHAIN: readonly Row[] = CHAT.filter(([id]) => !['C5', 'C11', 'C12'].includes(id))
  .map(([id, ...rest]): Row => [id.replace('C', 'L'), ...rest])
  .concat([['L5', 'empty_tool_calls', 'The list of calls holds calls.']]);

function rulesOf(rows: readonly Row[], providers: readonly ProviderName[]): Rule[] {
  return rows.map(([id, kinds, sentence, unrepairable]) => ({
    id,
    kinds: kinds.split(' ') as ViolationKind[],
    providers,
    sentence,
    isRepairable: !unrepairable,
  }));
}

/** All rules of all formats, in the order of the specification. */
export const RULES: readonly Rule[] = [
  ...rulesOf(ALL, PROVIDERS),
  ...rulesOf(CHAT, ['openai-chat']),
  ...rulesOf(RESPONSES, ['openai-responses']),
  ...rulesOf(ANTHROPIC, ['anthropic']),
  ...rulesOf(GEMINI, ['gemini']),
  ...rulesOf(AI_SDK, ['ai-sdk']),
  ...rulesOf(LANGCHAIN, ['langchain']),
];
