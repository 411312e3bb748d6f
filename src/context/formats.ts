import type { ProviderName, ProviderOptions } from '@holdfast/provider-rules';
import { type CacheMarker, withAnthropicMarks } from './cache-marks.js';
import type { ContextFormat } from './format-names.js';
import type { AssistantItem, HistoryItem } from './history-items.js';
import type { RenderInput, Rendered } from './render.js';
import { renderAiSdk } from './render-ai-sdk.js';
import { renderAnthropic } from './render-anthropic.js';
import { renderGemini } from './render-gemini.js';
import { renderLangChain } from './render-langchain.js';
import { renderNeutral } from './render-neutral.js';
import { renderOpenAiChat } from './render-openai-chat.js';
import { renderOpenAiResponses } from './render-openai-responses.js';

/** How one format is written. A further format is a further name, and a further entry here. */
interface ContextFormatEntry {
  readonly render: (input: RenderInput) => Rendered;
  /** The rule set that its messages are held against; none for Holdfast's own form. */
  readonly rules?: ProviderName;
  /**
   * Whose blocks can be replayed, where a message does not say which API it came from; none for an
   * SDK that speaks for many providers, in words of its own.
   */
  readonly provider?: string;
  /** Names under which agent programs record this API. */
  readonly apis: readonly string[];
  /** Options that hold unless the request says otherwise. */
  readonly defaults?: FormatOptions;
  /** Places cache marks, for a provider that has them. */
  readonly mark?: CacheMarker;
}

const FORMATS: Readonly<Record<ContextFormat, ContextFormatEntry>> = {
  neutral: { render: renderNeutral, apis: [] },
  'openai-chat': {
    render: renderOpenAiChat,
    rules: 'openai-chat',
    provider: 'openai',
    apis: ['openai-chat', 'openai-completions', 'chat.completions', 'chat'],
  },
  'openai-responses': {
    render: renderOpenAiResponses,
    rules: 'openai-responses',
    provider: 'openai',
    apis: ['openai-responses', 'responses'],
    // Nothing is left on the server that a later request could miss (provider rules, §4.2).
    defaults: { store: false },
  },
  anthropic: {
    render: renderAnthropic,
    rules: 'anthropic',
    provider: 'anthropic',
    apis: ['anthropic', 'anthropic-messages', 'messages'],
    mark: withAnthropicMarks,
  },
  gemini: {
    render: renderGemini,
    rules: 'gemini',
    provider: 'google',
    apis: ['gemini', 'google-generative-ai', 'google-vertex', 'generateContent'],
  },
  'ai-sdk': { render: renderAiSdk, rules: 'ai-sdk', apis: ['ai-sdk', 'vercel-ai-sdk'] },
  langchain: { render: renderLangChain, rules: 'langchain', apis: ['langchain'] },
};

export type FormatOptions = ProviderOptions[ProviderName];

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
    if (item.provider === undefined || entry.provider === undefined) return false;
    return item.provider === (request.provider ?? entry.provider);
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
