import type { Repair } from '@holdfast/provider-rules';
import type { Json, MediaBlock } from '../domain/content.js';
import type { LeftOut, ResolvedArtifact } from './context-source.js';
import type { AssistantItem, HistoryItem, ShownCall } from './history-items.js';
import { isObject } from './history-record.js';

export type JsonObject = { readonly [key: string]: Json };

/** What a format makes into its own messages. */
export interface RenderInput {
  readonly instructions?: string;
  readonly items: readonly HistoryItem[];
  /** True where the blocks of the message's provider go back verbatim. */
  readonly replays: (item: AssistantItem) => boolean;
  /** Thinking that is bound to a prefix which nobody has recorded must not be sent. */
  readonly dropsReasoning: boolean;
  readonly artifacts?: ReadonlyMap<string, ResolvedArtifact>;
  /** Quirks of server and model; checked before anything is rendered with them. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Rendered {
  readonly system?: Json;
  readonly messages: readonly JsonObject[];
  readonly leftOut: readonly LeftOut[];
  /** What was written otherwise than it is stored, because the provider refuses it as it is. */
  readonly repairs: readonly Repair[];
  /** For each item the number of messages up to and with it, where cache marks need to know. */
  readonly ends?: readonly number[];
}

/** The id of a call on the wire: the provider's own one; rules for foreign ones come later. */
export function wireId(call: ShownCall): string {
  return call.providerCallId === undefined || call.providerCallId === ''
    ? call.callId
    : call.providerCallId;
}

/** Arguments as an object; what is none is wrapped, since providers refuse anything else. */
export function argumentsObject(call: ShownCall, invalidKey: string): JsonObject {
  if (call.argsText !== undefined) return { [invalidKey]: call.argsText };
  if (call.args === undefined || call.args === null) return {};
  if (isObject(call.args)) return call.args as JsonObject;
  return { [invalidKey]: JSON.stringify(call.args) };
}

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;

export type MediaContent =
  | { readonly base64: string; readonly mediaType: string }
  | { readonly url: string; readonly mediaType: string };

/** Bytes or address of a medium; undefined for an artifact that nobody has resolved. */
export function mediaContent(
  block: MediaBlock,
  artifacts: ReadonlyMap<string, ResolvedArtifact> | undefined,
): MediaContent | undefined {
  const { mediaType } = block;
  if (block.base64 !== undefined) return { base64: block.base64, mediaType };
  const resolved = block.artifact === undefined ? undefined : artifacts?.get(block.artifact.hash);
  if (resolved !== undefined && 'base64' in resolved) return { base64: resolved.base64, mediaType };
  const url = resolved?.url ?? block.url;
  if (url === undefined) return undefined;
  const data = DATA_URL.exec(url);
  return data === null ? { url, mediaType } : { base64: data[2]!, mediaType: data[1]! };
}

/** Tells where the whole of a shortened result is. */
export function artifactLine(call: ShownCall): string | undefined {
  const { artifact } = call.result;
  if (artifact === undefined || call.trimmed === true) return undefined;
  return `[Full result: artifact ${artifact.hash}, ${artifact.mediaType}, ${artifact.sizeBytes} bytes]`;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}
