import {
  aiSdk,
  atif,
  codex,
  copilotCli,
  geminiCli,
  langchain,
  opencode,
  openhands,
  otel,
  pi,
} from './log-shapes.js';
import {
  deepseekChat,
  moonshotChat,
  openaiChat,
  openaiEmbeddings,
  openaiImages,
  openaiRealtime,
  openaiResponses,
  openrouter,
  perplexity,
  xaiChat,
  xaiOlder,
} from './openai-shapes.js';
import {
  anthropicMessages,
  bedrockConverse,
  cohere,
  cohereBilled,
  gemini,
} from './provider-shapes.js';
import { isRecord, valueAt } from './read-figure.js';
import type { UsageShape } from './usage-shape.js';
import { own } from '../domain/own.js';

export const usageShapes: readonly UsageShape[] = [
  anthropicMessages,
  bedrockConverse,
  gemini,
  cohere,
  cohereBilled,
  openaiChat,
  openaiResponses,
  openaiRealtime,
  openaiImages,
  openaiEmbeddings,
  openrouter,
  moonshotChat,
  deepseekChat,
  xaiChat,
  xaiOlder,
  perplexity,
  aiSdk,
  langchain,
  codex,
  opencode,
  pi,
  geminiCli,
  otel,
  atif,
  openhands,
  copilotCli,
];

const shapeByName = new Map(usageShapes.map((shape) => [shape.name, shape]));

const shapeByApi: Readonly<Record<string, UsageShape>> = {
  messages: anthropicMessages,
  anthropic: anthropicMessages,
  converse: bedrockConverse,
  chat: openaiChat,
  responses: openaiResponses,
  realtime: openaiRealtime,
  images: openaiImages,
  embeddings: openaiEmbeddings,
  generatecontent: gemini,
};

/** Chat bodies that a provider fills in its own way. */
const chatOfProvider: readonly (readonly [string, UsageShape])[] = [
  ['openrouter', openrouter],
  ['moonshot', moonshotChat],
  ['kimi', moonshotChat],
  ['deepseek', deepseekChat],
  ['xai', xaiChat],
  ['perplexity', perplexity],
];

function chatShape(provider: string | undefined): UsageShape {
  const name = (provider ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
  return chatOfProvider.find(([part]) => name.includes(part))?.[1] ?? openaiChat;
}

/** The shape that a caller asks for: a shape's name or the name of an API. */
export function requestedShape(
  api: string | undefined,
  provider: string | undefined,
): UsageShape | undefined {
  if (api === undefined) return undefined;
  const named = shapeByName.get(api);
  if (named) return named;
  const key = api.toLowerCase();
  const shape = own(shapeByApi, key);
  return shape === openaiChat ? chatShape(provider) : shape;
}

type Fields = Readonly<Record<string, unknown>>;

function has(usage: Fields, ...path: string[]): boolean {
  const value = valueAt(usage, path);
  return value !== undefined && value !== null;
}

function hasAny(usage: Fields, names: readonly string[]): boolean {
  return names.some((name) => has(usage, name));
}

function detectChat(usage: Fields, provider: string | undefined): UsageShape {
  const byProvider = chatShape(provider);
  if (byProvider !== openaiChat) {
    const older = byProvider === xaiChat && has(usage, 'reasoning_tokens');
    return older ? xaiOlder : byProvider;
  }
  if (hasAny(usage, ['citation_tokens', 'num_search_queries'])) return perplexity;
  if (hasAny(usage, ['cache_read_tokens', 'cache_write_tokens'])) return openhands;
  if (has(usage, 'prompt_cache_hit_tokens')) return deepseekChat;
  if (has(usage, 'cached_prompt_text_tokens')) return xaiOlder;
  if (has(usage, 'cost_usd')) return atif;
  if (has(usage, 'cached_tokens')) return moonshotChat;
  return has(usage, 'cost') ? openrouter : openaiChat;
}

function detectInputOutput(usage: Fields): UsageShape {
  if (hasAny(usage, ['cached_input_tokens', 'reasoning_output_tokens'])) return codex;
  if (has(usage, 'cache_write_input_tokens')) return codex;
  if (has(usage, 'input_token_details') || has(usage, 'output_token_details')) {
    const details = ['text_tokens', 'audio_tokens', 'cached_tokens'];
    const realtime = details.some(
      (name) => has(usage, 'input_token_details', name) || has(usage, 'output_token_details', name),
    );
    return realtime ? openaiRealtime : langchain;
  }
  const details = valueAt(usage, ['input_tokens_details']);
  if (has(usage, 'input_tokens_details', 'image_tokens') && isRecord(details)) {
    if (!has(details, 'cached_tokens')) return openaiImages;
  }
  const responses =
    details !== undefined || has(usage, 'output_tokens_details', 'reasoning_tokens');
  return responses ? openaiResponses : anthropicMessages;
}

const copilotNames = ['cacheReadTokens', 'cacheWriteTokens'];
const aiSdkNames = [
  'inputTokenDetails',
  'outputTokenDetails',
  'cachedInputTokens',
  'reasoningTokens',
  'promptTokens',
  'completionTokens',
];

function detectCamelCase(usage: Fields): UsageShape {
  if (hasAny(usage, copilotNames)) return copilotCli;
  const nested = isRecord(usage['inputTokens']) || isRecord(usage['outputTokens']);
  return nested || hasAny(usage, aiSdkNames) ? aiSdk : bedrockConverse;
}

function detectBareNames(usage: Fields): UsageShape | undefined {
  if (isRecord(usage['cache'])) return opencode;
  if (hasAny(usage, ['cached', 'thoughts', 'tool'])) return geminiCli;
  if (hasAny(usage, ['cacheRead', 'cacheWrite'])) return pi;
  return has(usage, 'reasoning') ? opencode : pi;
}

/** Whose usage object this is, by the names of its fields; the provider chooses only between
 * variants of one shape. Undefined: no usage object that is known here. */
export function detectShape(usage: unknown, provider: string | undefined): UsageShape | undefined {
  if (!isRecord(usage)) return undefined;
  const geminiNames = ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'];
  if (hasAny(usage, geminiNames)) return gemini;
  if (isRecord(usage['billed_units']) || has(usage, 'tokens', 'input_tokens')) return cohere;
  if (hasAny(usage, ['prompt_tokens', 'completion_tokens'])) return detectChat(usage, provider);
  if (hasAny(usage, ['input_tokens', 'output_tokens'])) return detectInputOutput(usage);
  const camelCase = ['inputTokens', 'outputTokens', 'promptTokens', 'completionTokens'];
  if (hasAny(usage, camelCase)) return detectCamelCase(usage);
  if (Object.keys(usage).some((name) => name.startsWith('gen_ai.usage.'))) return otel;
  if (has(usage, 'seconds') && usage['type'] === 'duration') return openaiRealtime;
  const bare = typeof usage['input'] === 'number' || typeof usage['output'] === 'number';
  return bare ? detectBareNames(usage) : undefined;
}
