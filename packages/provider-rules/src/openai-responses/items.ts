import { isObject, textOf, withoutKeys, type JsonObject } from '../json.js';
import { isErrorReason, plainText, type SyntheticReason } from '../texts.js';

/** Call types that the client answers, and the types of their outputs (section 4.2). */
export const OUTPUT_TYPE_OF: ReadonlyMap<unknown, string> = new Map([
  ['function_call', 'function_call_output'],
  ['custom_tool_call', 'custom_tool_call_output'],
  ['computer_call', 'computer_call_output'],
  ['local_shell_call', 'local_shell_call_output'],
  ['shell_call', 'shell_call_output'],
  ['apply_patch_call', 'apply_patch_call_output'],
  ['tool_search_call', 'tool_search_output'],
  ['program', 'program_output'],
]);

const OUTPUT_TYPES: ReadonlySet<unknown> = new Set(OUTPUT_TYPE_OF.values());
const ROLES: ReadonlySet<unknown> = new Set(['user', 'system', 'developer', 'assistant']);

/** `call` and `output` are paired; `model` is everything else that a model run produced. */
export type ItemKind =
  'message' | 'reasoning' | 'reference' | 'call' | 'output' | 'answer' | 'model' | 'unknown';

export function kindOf(item: unknown): ItemKind {
  if (!isObject(item)) return 'unknown';
  const { type } = item;
  if (type === 'message' || (type === undefined && item.role !== undefined)) {
    return ROLES.has(item.role) ? 'message' : 'unknown';
  }
  if (typeof type !== 'string') return 'unknown';
  if (type === 'reasoning') return 'reasoning';
  if (type === 'item_reference') return 'reference';
  const isHosted = isHostedSearch(item);
  if (OUTPUT_TYPE_OF.has(type)) return isHosted ? 'model' : 'call';
  if (OUTPUT_TYPES.has(type)) return isHosted ? 'answer' : 'output';
  return type === 'mcp_approval_response' || type === 'additional_tools' ? 'answer' : 'model';
}

/** A tool search that the server runs answers itself, and has no call id. */
function isHostedSearch(item: JsonObject): boolean {
  if (item.type !== 'tool_search_call' && item.type !== 'tool_search_output') return false;
  return item.execution === 'server' || item.call_id === undefined || item.call_id === null;
}

/** Items that a model run produced; a reference may stand for any of them. */
export function isModelItem(item: JsonObject): boolean {
  const kind = kindOf(item);
  if (kind === 'message') return item.role === 'assistant';
  return ['reasoning', 'reference', 'call', 'model'].includes(kind);
}

export function itemId(item: JsonObject): string | undefined {
  return item.id === undefined || item.id === null ? undefined : textOf(item.id);
}

/** The field that names the call: a local shell output has `id` only. */
export function callIdField(item: JsonObject): 'call_id' | 'id' {
  const hasOnlyId = item.type === 'local_shell_call_output' && item.call_id === undefined;
  return hasOnlyId ? 'id' : 'call_id';
}

export function callIdOf(item: JsonObject): string {
  const id = item[callIdField(item)];
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? String(id) : '';
}

export function hasStringCallId(item: JsonObject): boolean {
  return typeof item[callIdField(item)] === 'string';
}

/** R9: only these types have a fixed prefix. */
export function idPrefix(item: JsonObject): string | undefined {
  if (item.type === 'reasoning') return 'rs_';
  if (item.type === 'function_call') return 'fc_';
  if (item.type === 'custom_tool_call') return 'ctc_';
  return kindOf(item) === 'message' && item.role === 'assistant' ? 'msg_' : undefined;
}

export function hasBadId(item: JsonObject): boolean {
  const { id } = item;
  if (id === undefined || id === null || item.type === 'local_shell_call_output') return false;
  const prefix = idPrefix(item);
  if (typeof id !== 'string') return true;
  return prefix !== undefined && !id.startsWith(prefix);
}

export function withoutId(item: JsonObject): JsonObject {
  return withoutKeys(item, 'id');
}

export function hasEncryptedContent(item: JsonObject): boolean {
  return typeof item.encrypted_content === 'string' && item.encrypted_content !== '';
}

/** R7: reasoning and compaction items of another account or model family. */
export function isForeign(item: JsonObject, owner: string | undefined): boolean {
  if (owner === undefined || typeof item._owner !== 'string' || item._owner === owner) return false;
  const isBound = item.type === 'reasoning' || item.type === 'compaction';
  return isBound && item.encrypted_content !== undefined && item.encrypted_content !== null;
}

/** Text of an output, where its type has one. */
export function outputText(item: JsonObject): string | undefined {
  if (item.type === 'program_output') return textOf(item.result);
  if (item.type !== 'shell_call_output') return plainText(item.output);
  const [first] = Array.isArray(item.output) ? (item.output as unknown[]) : [];
  return isObject(first) ? textOf(first.stderr) : undefined;
}

/**
 * The output of an open call in the shape of its type; undefined where no shape has room for a text
 * (a computer call wants a screenshot, a tool search wants tools), so that the caller fails closed.
 */
export function syntheticOutput(
  call: JsonObject,
  text: string,
  reason: SyntheticReason,
): JsonObject | undefined {
  const call_id = callIdOf(call);
  const type = OUTPUT_TYPE_OF.get(call.type);
  const isError = isErrorReason(reason);
  switch (call.type) {
    case 'function_call':
    case 'custom_tool_call':
      return { type, call_id, output: text };
    case 'local_shell_call':
      return { type, id: call_id, output: text };
    case 'shell_call': {
      const outcome = { type: 'exit', exit_code: isError ? 1 : 0 };
      return { type, call_id, output: [{ stdout: '', stderr: text, outcome }] };
    }
    case 'apply_patch_call':
      return { type, call_id, status: isError ? 'failed' : 'completed', output: text };
    case 'program':
      return { type, call_id, result: text, status: isError ? 'incomplete' : 'completed' };
    default:
      return undefined;
  }
}

/** R10: part types that a role may carry. */
export function isPartOf(part: unknown, role: unknown): boolean {
  if (!isObject(part)) return false;
  const type = textOf(part.type) ?? '';
  if (role === 'assistant') return type === 'output_text' || type === 'refusal';
  return type.startsWith('input_');
}

/** A part in the type that the role carries; undefined if nothing can be kept of it. */
export function convertedPart(part: unknown, role: unknown): JsonObject | undefined {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  if (typeof part === 'string') return { type, text: part };
  if (!isObject(part)) return undefined;
  const text = textOf(part.text) ?? textOf(part.refusal);
  if (text !== undefined) {
    const rest = withoutKeys(part, 'text', 'refusal', 'annotations', 'logprobs');
    return { ...rest, type, text };
  }
  if (role === 'assistant') return undefined;
  return part.type === 'image_url' ? inputImage(part.image_url) : undefined;
}

/** An image part in the words of Chat Completions. */
function inputImage(image: unknown): JsonObject | undefined {
  const url = isObject(image) ? image.url : image;
  return typeof url === 'string' ? { type: 'input_image', image_url: url } : undefined;
}

/** True if the message has text or a list of parts. */
export function hasContent(item: JsonObject): boolean {
  return typeof item.content === 'string' || Array.isArray(item.content);
}
