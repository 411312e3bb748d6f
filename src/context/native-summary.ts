import type { Json } from '../domain/content.js';
import type { NativeSummary } from '../domain/events/compaction-events.js';
import { providerObject } from './content-guards.js';
import type { Summary } from './context-source.js';
import type { ContextFormat } from './format-names.js';
import { replayRule } from './formats.js';
import type { AssistantItem, HistoryItem } from './history-items.js';
import { isObject, isTextOrAbsent } from './history-record.js';

/**
 * A provider's own summary stands in place of the readable one for the provider and model that made
 * it (provider rules, R7 and §11); undefined for every other request, and for what is none.
 */
export function nativeItem(
  summary: Summary | undefined,
  items: readonly HistoryItem[],
  request: { readonly format: ContextFormat; readonly provider?: string; readonly model?: string },
): AssistantItem | undefined {
  const native = summary?.native;
  if (summary === undefined || !isSound(native)) return undefined;
  const { provider, api, model, blocks } = native;
  if (!blocks.every((block) => isNative(block, request.format))) return undefined;
  const item: AssistantItem = {
    kind: 'assistant',
    messageId: summary.compactionId,
    modelCallId: summary.compactionId,
    at: summary.at,
    place: -1,
    from: -1,
    to: -1,
    provider,
    api,
    model,
    blocks: blocks.map((block) => ({ type: 'provider', block })),
  };
  return replayRule(request.format, [item, ...items], request)(item) ? item : undefined;
}

function isSound(native: unknown): native is NativeSummary {
  if (!isObject(native)) return false;
  const { provider, api, model, blocks } = native;
  const isMarked = typeof provider === 'string' && typeof model === 'string' && isTextOrAbsent(api);
  return isMarked && Array.isArray(blocks) && blocks.length > 0;
}

/** Only these two APIs take a summary of their own back. */
function isNative(block: Json, format: ContextFormat): boolean {
  const { type, content, encrypted_content: encrypted } = providerObject(block) ?? {};
  if (type !== 'compaction') return false;
  const text = format === 'anthropic' ? content : encrypted;
  const isTaken = format === 'anthropic' || format === 'openai-responses';
  return isTaken && typeof text === 'string' && text.trim() !== '';
}
