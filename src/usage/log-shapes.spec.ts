import { describe, expect, it } from '@jest/globals';
import { extractUsage } from './extract-usage.js';
import type { ShapeCase } from '../../test/usage/shape-case.js';

const cases: readonly ShapeCase[] = [
  {
    name: 'AI SDK 6: totals with cache and reasoning inside',
    shape: 'ai-sdk',
    body: {
      usage: {
        inputTokens: 100,
        inputTokenDetails: { noCacheTokens: 30, cacheReadTokens: 50, cacheWriteTokens: 20 },
        outputTokens: 40,
        outputTokenDetails: { textTokens: 10, reasoningTokens: 30 },
      },
    },
    buckets: {
      inputFresh: 30,
      cacheRead: 50,
      cacheWriteUnknown: 20,
      outputText: 10,
      outputReasoning: 30,
    },
  },
  {
    name: 'AI SDK, usage of a language model with nested totals',
    shape: 'ai-sdk',
    body: {
      usage: {
        inputTokens: { total: 100, noCache: 70, cacheRead: 30 },
        outputTokens: { total: 9, text: 4, reasoning: 5 },
      },
    },
    buckets: { inputFresh: 70, cacheRead: 30, outputText: 4, outputReasoning: 5 },
  },
  {
    name: 'LangChain usage_metadata',
    shape: 'langchain',
    body: {
      usage_metadata: {
        input_tokens: 100,
        input_token_details: { cache_read: 60, cache_creation: 10 },
        output_tokens: 20,
        output_token_details: { reasoning: 15 },
      },
    },
    buckets: {
      inputFresh: 30,
      cacheRead: 60,
      cacheWriteUnknown: 10,
      outputText: 5,
      outputReasoning: 15,
    },
  },
  {
    name: 'Codex: components, never the total (old files add reasoning to it again)',
    shape: 'codex',
    body: {
      input_tokens: 21_090,
      cached_input_tokens: 9_984,
      output_tokens: 236,
      reasoning_output_tokens: 74,
      total_tokens: 21_400,
    },
    buckets: { inputFresh: 11_106, cacheRead: 9_984, outputText: 162, outputReasoning: 74 },
  },
  {
    name: 'OpenCode: reasoning on top when nothing says otherwise',
    shape: 'opencode',
    body: { tokens: { input: 10, output: 20, reasoning: 5, cache: { read: 30, write: 40 } } },
    buckets: {
      inputFresh: 10,
      cacheRead: 30,
      cacheWriteUnknown: 40,
      outputText: 20,
      outputReasoning: 5,
    },
  },
  {
    name: 'OpenCode: reasoning inside when the total says so',
    shape: 'opencode',
    body: {
      tokens: { input: 10, output: 20, reasoning: 5, cache: { read: 30, write: 40 }, total: 100 },
    },
    buckets: {
      inputFresh: 10,
      cacheRead: 30,
      cacheWriteUnknown: 40,
      outputText: 15,
      outputReasoning: 5,
    },
  },
  {
    name: 'pi: cache on top, life unknown',
    shape: 'pi',
    body: { usage: { input: 5, output: 98, cacheRead: 107_115, cacheWrite: 119 } },
    buckets: { inputFresh: 5, cacheRead: 107_115, cacheWriteUnknown: 119, outputText: 98 },
  },
  {
    name: 'Gemini CLI: cached inside the input',
    shape: 'gemini-cli',
    body: {
      tokens: { input: 12_069, output: 147, cached: 11_502, thoughts: 3, tool: 0, total: 12_219 },
    },
    buckets: { inputFresh: 567, cacheRead: 11_502, outputText: 147, outputReasoning: 3 },
  },
  {
    name: 'Gemini CLI: cached on top when the total says so',
    shape: 'gemini-cli',
    body: { tokens: { input: 100, output: 10, cached: 50, thoughts: 0, tool: 5, total: 165 } },
    buckets: { inputFresh: 105, cacheRead: 50, outputText: 10 },
  },
  {
    name: 'OpenTelemetry attributes',
    shape: 'otel',
    body: {
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 60,
      'gen_ai.usage.cache_creation.input_tokens': 10,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.reasoning.output_tokens': 5,
    },
    buckets: {
      inputFresh: 30,
      cacheRead: 60,
      cacheWriteUnknown: 10,
      outputText: 15,
      outputReasoning: 5,
    },
  },
  {
    name: 'ATIF step metrics',
    shape: 'atif',
    body: {
      metrics: {
        prompt_tokens: 1_850,
        completion_tokens: 145,
        cached_tokens: 512,
        cost_usd: 0.0021,
      },
    },
    buckets: { inputFresh: 1_338, cacheRead: 512, outputText: 145 },
  },
  {
    name: 'OpenHands',
    shape: 'openhands',
    body: {
      prompt_tokens: 4_066,
      completion_tokens: 200,
      cache_read_tokens: 3_482,
      cache_write_tokens: 580,
    },
    buckets: { inputFresh: 4, cacheRead: 3_482, cacheWriteUnknown: 580, outputText: 200 },
  },
  {
    name: 'Copilot CLI, per model',
    shape: 'copilot-cli',
    body: {
      usage: { inputTokens: 50, outputTokens: 5, cacheReadTokens: 40, cacheWriteTokens: 0 },
    },
    buckets: { inputFresh: 10, cacheRead: 40, outputText: 5 },
  },
];

describe('usage in the shapes of libraries and logs', () => {
  it.each(cases)('$name', ({ body, options, shape, buckets, counts = {} }) => {
    const extracted = extractUsage(body, options);
    expect(extracted.shape).toBe(shape);
    const { usage } = extracted.calls[0];
    expect(usage.buckets).toEqual(buckets);
    expect(usage.counts).toEqual(counts);
    expect(usage.state).toBe('final');
    expect(usage.flags).toEqual([]);
  });
});
