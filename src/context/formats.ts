import type { ProviderName, ProviderOptions } from '@holdfast/provider-rules';
import type { AssistantItem, HistoryItem } from './history-items.js';
import type { RenderInput, Rendered } from './render.js';
import { renderAnthropic } from './render-anthropic.js';
import { renderNeutral } from './render-neutral.js';
import { renderOpenAiChat } from './render-openai-chat.js';

/** How one format is written. A further format is a further entry of `FORMATS`. */
interface ContextFormatEntry {
  readonly render: (input: RenderInput) => Rendered;
  /** The rule set that its messages are held against; none for Holdfast's own form. */
  readonly rules?: ProviderName;
  /** Whose blocks can be replayed, where a message does not say which API it came from. */
  readonly provider?: string;
  /** Names under which agent programs record this API. */
  readonly apis: readonly string[];
}

export const FORMATS = {
  neutral: { render: renderNeutral, apis: [] },
  'openai-chat': {
    render: renderOpenAiChat,
    rules: 'openai-chat',
    provider: 'openai',
    apis: ['openai-chat', 'openai-completions', 'openai-chat-completions', 'chat.completions'],
  },
  anthropic: {
    render: renderAnthropic,
    rules: 'anthropic',
    provider: 'anthropic',
    apis: ['anthropic', 'anthropic-messages', 'messages'],
  },
} as const satisfies Readonly<Record<string, ContextFormatEntry>>;

export type ContextFormat = keyof typeof FORMATS;
export const CONTEXT_FORMATS = Object.keys(FORMATS) as readonly ContextFormat[];
export type FormatOptions = ProviderOptions['openai-chat'] | ProviderOptions['anthropic'];

export function formatEntry(format: ContextFormat): ContextFormatEntry {
  return FORMATS[format];
}

/**
 * Whether a message's own blocks may go back: they were made by the same provider and model.
 * Where the request names neither, the session's last message of this format does.
 */
export function replayRule(
  format: ContextFormat,
  items: readonly HistoryItem[],
  request: { readonly provider?: string; readonly model?: string },
): (item: AssistantItem) => boolean {
  const entry = formatEntry(format);
  const fits = (item: AssistantItem): boolean => {
    if (item.api !== undefined) return entry.apis.includes(item.api);
    return item.provider !== undefined && item.provider === (request.provider ?? entry.provider);
  };
  const last = items.findLast(
    (item): item is AssistantItem => item.kind === 'assistant' && fits(item),
  );
  const provider = request.provider ?? last?.provider;
  const model = request.model ?? last?.model;
  return (item) =>
    fits(item) &&
    item.provider === provider &&
    (item.model === model || (model !== undefined && item.requestedModel === model));
}
