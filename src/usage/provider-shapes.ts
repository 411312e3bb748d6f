import type { Figure, Modality, UsageShape } from './usage-shape.js';

/** Also Vertex, Azure, Bedrock InvokeModel, MiniMax and Claude Code logs in this shape. */
export const anthropicMessages: UsageShape = {
  name: 'anthropic-messages',
  input: {
    base: [['input_tokens']],
    cachePlace: 'outside',
    cacheRead: [['cache_read_input_tokens']],
    cacheWrite: [['cache_creation_input_tokens']],
    cacheWrite5m: [['cache_creation', 'ephemeral_5m_input_tokens']],
    cacheWrite1h: [['cache_creation', 'ephemeral_1h_input_tokens']],
  },
  output: {
    base: [['output_tokens']],
    reasoning: [['output_tokens_details', 'thinking_tokens']],
    reasoningPlace: 'inside',
  },
  counts: {
    webSearches: [['server_tool_use', 'web_search_requests']],
    webFetches: [['server_tool_use', 'web_fetch_requests']],
  },
};

function written(ttl: string): Figure {
  return [['cacheDetails', { where: 'ttl', among: [ttl], take: 'inputTokens' }]];
}

/** Without `cacheDetails` the life of a write is unknown (archestra-ai/archestra#5466). */
export const bedrockConverse: UsageShape = {
  name: 'bedrock-converse',
  input: {
    base: [['inputTokens']],
    cachePlace: 'outside',
    cacheRead: [['cacheReadInputTokens'], ['cacheReadInputTokenCount']],
    cacheWrite: [['cacheWriteInputTokens'], ['cacheWriteInputTokenCount']],
    cacheWrite5m: written('5m'),
    cacheWrite1h: written('1h'),
  },
  output: { base: [['outputTokens']] },
};

function counted(details: string, among: readonly string[]): Figure {
  return [[details, { where: 'modality', among, take: 'tokenCount' }]];
}

function geminiInput(...among: string[]): Modality {
  return {
    all: [counted('promptTokensDetails', among), counted('toolUsePromptTokensDetails', among)],
    cached: counted('cacheTokensDetails', among),
  };
}

/**
 * Thoughts come on top of the candidates unless prompt + candidates = total. Pages of a DOCUMENT
 * are read as images.
 */
export const gemini: UsageShape = {
  name: 'gemini',
  input: {
    base: [['promptTokenCount']],
    extra: [['toolUsePromptTokenCount']],
    cachePlace: 'inside',
    cacheRead: [['cachedContentTokenCount']],
    audio: geminiInput('AUDIO'),
    image: geminiInput('IMAGE', 'DOCUMENT'),
    video: geminiInput('VIDEO'),
  },
  output: {
    base: [['candidatesTokenCount'], ['responseTokenCount']],
    reasoning: [['thoughtsTokenCount']],
    reasoningPlace: { byTotal: 'outside' },
    reasoningAlwaysTold: true,
    audio: counted('candidatesTokensDetails', ['AUDIO']),
    image: counted('candidatesTokensDetails', ['IMAGE', 'DOCUMENT']),
    video: counted('candidatesTokensDetails', ['VIDEO']),
  },
  total: [['totalTokenCount']],
};

/** What was used; `billed_units` says what is billed where that differs. */
export const cohere: UsageShape = {
  name: 'cohere',
  input: {
    base: [
      ['tokens', 'input_tokens'],
      ['billed_units', 'input_tokens'],
    ],
    cachePlace: 'inside',
    cacheRead: [['cached_tokens']],
  },
  output: {
    base: [
      ['tokens', 'output_tokens'],
      ['billed_units', 'output_tokens'],
    ],
  },
  counts: { webSearches: [['billed_units', 'search_units']] },
  billed: {
    input: [['billed_units', 'input_tokens']],
    output: [['billed_units', 'output_tokens']],
  },
};

/** Only what Cohere bills, for a caller that asks for it. */
export const cohereBilled: UsageShape = {
  name: 'cohere-billed',
  input: { base: [['billed_units', 'input_tokens']], cachePlace: 'inside' },
  output: { base: [['billed_units', 'output_tokens']] },
};
