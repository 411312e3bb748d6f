import { describe, expect, it } from '@jest/globals';
import { extractUsage } from './extract-usage.js';
import type { ShapeCase } from '../../test/usage/shape-case.js';

const cases: readonly ShapeCase[] = [
  {
    name: 'Anthropic: cache comes on top, thinking is inside',
    shape: 'anthropic-messages',
    body: {
      model: 'claude-sonnet-4-6',
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 1_111,
        cache_creation_input_tokens: 418,
        cache_creation: { ephemeral_5m_input_tokens: 418, ephemeral_1h_input_tokens: 0 },
        output_tokens: 33,
        output_tokens_details: { thinking_tokens: 28 },
        server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
      },
    },
    buckets: {
      inputFresh: 3,
      cacheRead: 1_111,
      cacheWrite5m: 418,
      outputText: 5,
      outputReasoning: 28,
    },
    counts: { webSearches: 2, webFetches: 1 },
  },
  {
    name: 'Bedrock without cacheDetails: the life of a write is unknown',
    shape: 'bedrock-converse',
    body: { usage: { inputTokens: 22, cacheWriteInputTokens: 2_492, outputTokens: 13 } },
    buckets: { inputFresh: 22, cacheWriteUnknown: 2_492, outputText: 13 },
  },
  {
    name: 'Bedrock with cacheDetails',
    shape: 'bedrock-converse',
    body: {
      usage: {
        inputTokens: 1,
        cacheReadInputTokens: 7,
        cacheWriteInputTokens: 30,
        cacheDetails: [
          { ttl: '5m', inputTokens: 10 },
          { ttl: '1h', inputTokens: 20 },
        ],
        outputTokens: 2,
      },
    },
    buckets: { inputFresh: 1, cacheRead: 7, cacheWrite5m: 10, cacheWrite1h: 20, outputText: 2 },
  },
  {
    name: 'U23 Gemini: thoughts come on top of the candidates, tool prompts on top of the prompt',
    shape: 'gemini',
    body: {
      usageMetadata: {
        promptTokenCount: 95,
        toolUsePromptTokenCount: 439,
        candidatesTokenCount: 66,
        thoughtsTokenCount: 132,
        totalTokenCount: 732,
      },
    },
    buckets: { inputFresh: 534, outputText: 66, outputReasoning: 132 },
  },
  {
    name: 'U23 Gemini: thoughts are inside when prompt + candidates = total',
    shape: 'gemini',
    body: {
      usageMetadata: {
        promptTokenCount: 100,
        candidatesTokenCount: 60,
        thoughtsTokenCount: 20,
        totalTokenCount: 160,
      },
    },
    buckets: { inputFresh: 100, outputText: 40, outputReasoning: 20 },
  },
  {
    name: 'Gemini: modalities of prompt and cache, a document counts as image',
    shape: 'gemini',
    body: {
      usageMetadata: {
        promptTokenCount: 3_297,
        cachedContentTokenCount: 2_918,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 83 },
          { modality: 'AUDIO', tokenCount: 321 },
          { modality: 'VIDEO', tokenCount: 2_800 },
          { modality: 'DOCUMENT', tokenCount: 93 },
        ],
        cacheTokensDetails: [
          { modality: 'TEXT', tokenCount: 73 },
          { modality: 'AUDIO', tokenCount: 284 },
          { modality: 'VIDEO', tokenCount: 2_561 },
        ],
        candidatesTokenCount: 55,
        totalTokenCount: 3_352,
      },
    },
    buckets: {
      inputFresh: 10,
      cacheRead: 73,
      inputAudio: 37,
      cacheReadAudio: 284,
      inputVideo: 239,
      cacheReadVideo: 2_561,
      inputImage: 93,
      outputText: 55,
    },
  },
  {
    name: 'Cohere: tokens for usage',
    shape: 'cohere',
    body: {
      usage: {
        tokens: { input_tokens: 2_935, output_tokens: 4 },
        billed_units: { input_tokens: 7, output_tokens: 3 },
        cached_tokens: 2_928,
      },
    },
    buckets: { inputFresh: 7, cacheRead: 2_928, outputText: 4 },
  },
  {
    name: 'Cohere: billed units only, for a caller that says so',
    shape: 'cohere-billed',
    options: { api: 'cohere-billed' },
    body: {
      usage: {
        tokens: { input_tokens: 500, output_tokens: 4 },
        billed_units: { input_tokens: 7, output_tokens: 3 },
      },
    },
    buckets: { inputFresh: 7, outputText: 3 },
  },
];

describe('usage in the shapes of other providers', () => {
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
