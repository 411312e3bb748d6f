import type { Figure, UsageShape } from './usage-shape.js';

const chatTotal: Figure = [['total_tokens']];

/** Prediction tokens stay inside `completion_tokens`. Azure, Mistral, Groq, Cerebras, Fireworks,
 * Together, Hugging Face, Z.ai and others send the same. */
export const openaiChat: UsageShape = {
  name: 'openai-chat',
  input: {
    base: [['prompt_tokens']],
    cachePlace: 'inside',
    cacheRead: [['prompt_tokens_details', 'cached_tokens']],
    cacheWrite: [['prompt_tokens_details', 'cache_write_tokens']],
    audio: { all: [[['prompt_tokens_details', 'audio_tokens']]] },
  },
  output: {
    base: [['completion_tokens']],
    reasoning: [['completion_tokens_details', 'reasoning_tokens']],
    reasoningPlace: { byTotal: 'inside' },
    audio: [['completion_tokens_details', 'audio_tokens']],
  },
  total: chatTotal,
};

export const openrouter: UsageShape = {
  ...openaiChat,
  name: 'openrouter',
  statedCost: {
    path: ['cost'],
    onTop: ['cost_details', 'upstream_inference_cost'],
    onTopWhen: ['is_byok'],
    source: 'provider',
  },
};

/** Moonshot writes `cached_tokens` beside `prompt_tokens`. */
export const moonshotChat: UsageShape = {
  ...openaiChat,
  name: 'moonshot-chat',
  input: {
    ...openaiChat.input,
    cacheRead: [['prompt_tokens_details', 'cached_tokens'], ['cached_tokens']],
  },
};

export const deepseekChat: UsageShape = {
  ...openaiChat,
  name: 'deepseek-chat',
  input: {
    ...openaiChat.input,
    cacheRead: [['prompt_tokens_details', 'cached_tokens'], ['prompt_cache_hit_tokens']],
  },
};

/** Reasoning comes on top of `completion_tokens`, unless the total says that it is inside. */
export const xaiChat: UsageShape = {
  ...openaiChat,
  name: 'xai-chat',
  output: {
    base: [['completion_tokens']],
    reasoning: [['completion_tokens_details', 'reasoning_tokens']],
    reasoningPlace: { byTotal: 'outside' },
    audio: [['completion_tokens_details', 'audio_tokens']],
  },
};

export const xaiOlder: UsageShape = {
  name: 'xai-older',
  input: {
    base: [['prompt_tokens']],
    cachePlace: 'inside',
    cacheRead: [['cached_prompt_text_tokens']],
  },
  output: {
    base: [['completion_tokens']],
    reasoning: [['reasoning_tokens']],
    reasoningPlace: { byTotal: 'outside' },
  },
  total: chatTotal,
};

export const perplexity: UsageShape = {
  name: 'perplexity',
  input: { base: [['prompt_tokens']], cachePlace: 'inside' },
  output: {
    base: [['completion_tokens']],
    reasoning: [['reasoning_tokens']],
    reasoningPlace: 'outside',
    citation: [['citation_tokens']],
  },
  counts: { webSearches: [['num_search_queries']] },
  statedCost: { path: ['cost', 'total_cost'], source: 'provider' },
};

export const openaiEmbeddings: UsageShape = {
  name: 'openai-embeddings',
  input: { base: [['prompt_tokens']], cachePlace: 'inside' },
};

/** Codex requests and OpenRouter's Responses API send this too. */
export const openaiResponses: UsageShape = {
  name: 'openai-responses',
  input: {
    base: [['input_tokens']],
    cachePlace: 'inside',
    cacheRead: [['input_tokens_details', 'cached_tokens']],
    cacheWrite: [['input_tokens_details', 'cache_write_tokens']],
    audio: { all: [[['input_tokens_details', 'audio_tokens']]] },
  },
  output: {
    base: [['output_tokens']],
    reasoning: [['output_tokens_details', 'reasoning_tokens']],
    reasoningPlace: { byTotal: 'inside' },
    audio: [['output_tokens_details', 'audio_tokens']],
  },
  total: chatTotal,
  statedCost: openrouter.statedCost,
};

export const openaiRealtime: UsageShape = {
  name: 'openai-realtime',
  input: {
    base: [['input_tokens']],
    cachePlace: 'inside',
    cacheRead: [['input_token_details', 'cached_tokens']],
    audio: {
      all: [[['input_token_details', 'audio_tokens']]],
      cached: [['input_token_details', 'cached_tokens_details', 'audio_tokens']],
    },
    image: {
      all: [[['input_token_details', 'image_tokens']]],
      cached: [['input_token_details', 'cached_tokens_details', 'image_tokens']],
    },
  },
  output: {
    base: [['output_tokens']],
    audio: [['output_token_details', 'audio_tokens']],
  },
  total: chatTotal,
  counts: { seconds: [['seconds']] },
};

/** Image generation: without a split, all output is the image. */
export const openaiImages: UsageShape = {
  name: 'openai-images',
  input: {
    base: [['input_tokens']],
    cachePlace: 'inside',
    image: { all: [[['input_tokens_details', 'image_tokens']]] },
  },
  output: {
    base: [['output_tokens']],
    image: [['output_tokens_details', 'image_tokens'], ['output_tokens']],
  },
  total: chatTotal,
};
