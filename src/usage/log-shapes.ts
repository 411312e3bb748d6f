import { openaiChat } from './openai-shapes.js';
import type { UsageShape } from './usage-shape.js';

/** AI SDK 6, and 5 with its flat names. Counting reasoning on top counts it twice
 * (PostHog/posthog#71065). */
export const aiSdk: UsageShape = {
  name: 'ai-sdk',
  input: {
    base: [['inputTokens'], ['inputTokens', 'total'], ['promptTokens']],
    cachePlace: 'inside',
    cacheRead: [
      ['inputTokenDetails', 'cacheReadTokens'],
      ['inputTokens', 'cacheRead'],
      ['cachedInputTokens'],
    ],
    cacheWrite: [
      ['inputTokenDetails', 'cacheWriteTokens'],
      ['inputTokens', 'cacheWrite'],
    ],
  },
  output: {
    base: [['outputTokens'], ['outputTokens', 'total'], ['completionTokens']],
    reasoning: [
      ['outputTokenDetails', 'reasoningTokens'],
      ['outputTokens', 'reasoning'],
      ['reasoningTokens'],
    ],
    reasoningPlace: 'inside',
  },
};

export const langchain: UsageShape = {
  name: 'langchain',
  input: {
    base: [['input_tokens']],
    cachePlace: 'inside',
    cacheRead: [['input_token_details', 'cache_read']],
    cacheWrite: [['input_token_details', 'cache_creation']],
    cacheWrite5m: [['input_token_details', 'ephemeral_5m_input_tokens']],
    cacheWrite1h: [['input_token_details', 'ephemeral_1h_input_tokens']],
    audio: { all: [[['input_token_details', 'audio']]] },
  },
  output: {
    base: [['output_tokens']],
    reasoning: [['output_token_details', 'reasoning']],
    reasoningPlace: 'inside',
    audio: [['output_token_details', 'audio']],
  },
};

/** Never the total: old files add reasoning into it a second time. */
export const codex: UsageShape = {
  name: 'codex',
  input: {
    base: [['input_tokens']],
    cachePlace: 'inside',
    cacheRead: [['cached_input_tokens']],
    cacheWrite: [['cache_write_input_tokens']],
  },
  output: {
    base: [['output_tokens']],
    reasoning: [['reasoning_output_tokens']],
    reasoningPlace: 'inside',
  },
};

/** `output` included `reasoning` in older versions: the total decides, else it is on top. */
export const opencode: UsageShape = {
  name: 'opencode',
  input: {
    base: [['input']],
    cachePlace: 'outside',
    cacheRead: [['cache', 'read']],
    cacheWrite: [['cache', 'write']],
  },
  output: {
    base: [['output']],
    reasoning: [['reasoning']],
    reasoningPlace: { byTotal: 'outside' },
  },
  total: [['total']],
};

export const pi: UsageShape = {
  name: 'pi',
  input: {
    base: [['input']],
    cachePlace: 'outside',
    cacheRead: [['cacheRead']],
    cacheWrite: [['cacheWrite']],
  },
  output: { base: [['output']] },
  statedCost: { path: ['cost', 'total'], source: 'reported' },
};

export const geminiCli: UsageShape = {
  name: 'gemini-cli',
  input: {
    base: [['input']],
    extra: [['tool']],
    cachePlace: { byTotal: 'inside' },
    cacheRead: [['cached']],
  },
  output: {
    base: [['output']],
    reasoning: [['thoughts']],
    reasoningPlace: 'outside',
  },
  total: [['total']],
};

export const otel: UsageShape = {
  name: 'otel',
  input: {
    base: [['gen_ai.usage.input_tokens'], ['gen_ai.usage.prompt_tokens']],
    cachePlace: 'inside',
    cacheRead: [
      ['gen_ai.usage.cache_read.input_tokens'],
      ['gen_ai.usage.details.cache_read_tokens'],
    ],
    cacheWrite: [
      ['gen_ai.usage.cache_creation.input_tokens'],
      ['gen_ai.usage.details.cache_write_tokens'],
    ],
    audio: { all: [[['gen_ai.usage.audio.input_tokens']]] },
    image: { all: [[['gen_ai.usage.image.input_tokens']]] },
    video: { all: [[['gen_ai.usage.video.input_tokens']]] },
  },
  output: {
    base: [['gen_ai.usage.output_tokens'], ['gen_ai.usage.completion_tokens']],
    reasoning: [
      ['gen_ai.usage.reasoning.output_tokens'],
      ['gen_ai.usage.details.reasoning_tokens'],
    ],
    reasoningPlace: 'inside',
  },
};

/** Step metrics of a trajectory (ATIF): `prompt_tokens` includes what was cached. */
export const atif: UsageShape = {
  ...openaiChat,
  name: 'atif',
  input: {
    base: [['prompt_tokens']],
    cachePlace: 'inside',
    cacheRead: [['cached_tokens']],
  },
  statedCost: { path: ['cost_usd'], source: 'reported' },
};

export const openhands: UsageShape = {
  name: 'openhands',
  input: {
    base: [['prompt_tokens']],
    cachePlace: 'inside',
    cacheRead: [['cache_read_tokens']],
    cacheWrite: [['cache_write_tokens']],
  },
  output: {
    base: [['completion_tokens']],
    reasoning: [['reasoning_tokens']],
    reasoningPlace: 'inside',
  },
};

export const copilotCli: UsageShape = {
  name: 'copilot-cli',
  input: {
    base: [['inputTokens']],
    cachePlace: 'inside',
    cacheRead: [['cacheReadTokens']],
    cacheWrite: [['cacheWriteTokens']],
  },
  output: {
    base: [['outputTokens']],
    reasoning: [['reasoningTokens']],
    reasoningPlace: 'inside',
  },
};
