import type { ProviderName, ProviderOptions } from '@holdfast/provider-rules';
import type { Json } from '../domain/content.js';
import { isReasoning } from './content-guards.js';
import type { HistoryItem } from './history-items.js';
import { isObject } from './history-record.js';
import { type JsonObject, isBlank } from './render.js';

/** Marks for the provider's prompt cache; without `ttl` the provider's default, five minutes. */
export interface CacheRequest {
  readonly ttl?: '5m' | '1h';
}

/** A request as it is about to be checked and sent. */
export interface SentRequest {
  readonly system?: Json;
  readonly tools?: Json;
  readonly messages: readonly JsonObject[];
  readonly options: ProviderOptions[ProviderName];
}

/** Places marks; `boundaries` are indexes of messages, the oldest first. */
export type CacheMarker = (
  sent: SentRequest,
  boundaries: readonly number[],
  cache: CacheRequest,
) => SentRequest;

/**
 * Messages up to which later requests have the same bytes: facts and summary, what the last answer
 * was given to, and everything before the date. `ends` holds for each item the number of messages
 * up to and with it.
 */
export function boundariesOf(
  items: readonly HistoryItem[],
  ends: readonly number[],
): readonly number[] {
  const firstOfConversation = items.findIndex((item) => item.place !== -1);
  const head = firstOfConversation === -1 ? items.length : firstOfConversation;
  const lastAnswer = items.findLastIndex((item) => item.kind === 'assistant');
  const lastStable = items.findLastIndex(
    (item) => item.kind !== 'context' || item.about !== 'date',
  );
  const messages = [head - 1, lastAnswer - 1, lastStable].map((item) => (ends[item] ?? 0) - 1);
  return [...new Set(messages.filter((message) => message >= 0))].sort((one, two) => one - two);
}

/** Rule A19. */
const MARKS_MAX = 4;

/**
 * One mark behind tools and system, the others behind messages, at most four with those that the
 * caller has placed in them himself; where there is no room, the newest boundaries are marked.
 */
export const withAnthropicMarks: CacheMarker = (sent, boundaries, cache) => {
  const callersTtls = ttlsIn(sent.tools);
  const { cacheControlElsewhere = 0 } = sent.options as ProviderOptions['anthropic'];
  const callers = Math.max(callersTtls.length, cacheControlElsewhere);
  // A longer life must not come after a shorter one (A20).
  const isShort = callersTtls.some((ttl) => ttl !== '1h');
  const ttl = isShort ? undefined : cache.ttl;
  const cache_control: JsonObject = { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) };
  const { system, tools, own } =
    callers === 0 ? markedHead(sent, cache_control) : { ...sent, own: 0 };
  const room = Math.max(0, MARKS_MAX - callers - own);
  const chosen = new Set(room === 0 ? [] : boundaries.slice(-room));
  const messages = sent.messages.map((message, index) =>
    chosen.has(index) ? markedMessage(message, cache_control) : message,
  );
  const options = { ...sent.options, cacheControlElsewhere: callers + own };
  return { system, tools, messages, options };
};

function ttlsIn(tools: Json | undefined): readonly (Json | undefined)[] {
  if (!Array.isArray(tools)) return [];
  return (tools as readonly Json[]).flatMap((tool) =>
    isObject(tool) && isObject(tool.cache_control) ? [tool.cache_control.ttl as Json] : [],
  );
}

/** Tools stand before the system field, so one mark behind it covers both. */
function markedHead({ system, tools }: SentRequest, cache_control: JsonObject) {
  if (typeof system === 'string') {
    return { system: [{ type: 'text', text: system, cache_control }], tools, own: 1 };
  }
  const last = Array.isArray(tools) ? (tools.at(-1) as Json | undefined) : undefined;
  if (!isObject(last)) return { system, tools, own: 0 };
  const marked = { ...(last as JsonObject), cache_control };
  return { system, tools: [...(tools as readonly Json[]).slice(0, -1), marked], own: 1 };
}

function markedMessage(message: JsonObject, cache_control: JsonObject): JsonObject {
  if (!Array.isArray(message.content)) return message;
  const content = message.content as readonly JsonObject[];
  const place = content.findLastIndex(mayCarryMark);
  if (place === -1) return message;
  return { ...message, content: content.with(place, { ...content[place]!, cache_control }) };
}

/** Rule A21. */
function mayCarryMark(block: JsonObject): boolean {
  if (isReasoning(block)) return false;
  return block.type !== 'text' || (typeof block.text === 'string' && !isBlank(block.text));
}
