import { describe, expect, it } from '@jest/globals';
import { extractUsage } from './extract-usage.js';
import type { ShapeCase } from '../../test/usage/shape-case.js';

const cases: readonly ShapeCase[] = [
  {
    name: 'OpenAI Chat: cache, audio and reasoning are inside, predictions stay in the output',
    shape: 'openai-chat',
    body: {
      usage: {
        prompt_tokens: 100,
        prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 5, audio_tokens: 10 },
        completion_tokens: 50,
        completion_tokens_details: {
          reasoning_tokens: 20,
          audio_tokens: 3,
          accepted_prediction_tokens: 8,
        },
        total_tokens: 150,
      },
    },
    buckets: {
      inputFresh: 45,
      cacheRead: 40,
      cacheWriteUnknown: 5,
      inputAudio: 10,
      outputText: 27,
      outputReasoning: 20,
      outputAudio: 3,
    },
  },
  {
    name: 'OpenAI Responses',
    shape: 'openai-responses',
    body: {
      usage: {
        input_tokens: 4_020,
        input_tokens_details: { cached_tokens: 8, cache_write_tokens: 4_012 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 5 },
        total_tokens: 4_025,
      },
    },
    buckets: { cacheRead: 8, cacheWriteUnknown: 4_012, outputReasoning: 5 },
  },
  {
    name: 'OpenAI Realtime: cached tokens leave their own modality',
    shape: 'openai-realtime',
    body: {
      type: 'response.done',
      response: {
        id: 'resp_1',
        usage: {
          input_tokens: 127,
          input_token_details: {
            text_tokens: 100,
            audio_tokens: 20,
            image_tokens: 7,
            cached_tokens: 64,
            cached_tokens_details: { text_tokens: 50, audio_tokens: 10, image_tokens: 4 },
          },
          output_tokens: 30,
          output_token_details: { text_tokens: 10, audio_tokens: 20 },
        },
      },
    },
    buckets: {
      inputFresh: 50,
      cacheRead: 50,
      inputAudio: 10,
      cacheReadAudio: 10,
      inputImage: 3,
      cacheReadImage: 4,
      outputText: 10,
      outputAudio: 20,
    },
  },
  {
    name: 'OpenAI images: output without a split is the image',
    shape: 'openai-images',
    body: {
      usage: {
        input_tokens: 60,
        input_tokens_details: { text_tokens: 10, image_tokens: 50 },
        output_tokens: 1_056,
        total_tokens: 1_116,
      },
    },
    buckets: { inputFresh: 10, inputImage: 50, outputImage: 1_056 },
  },
  {
    name: 'xAI: reasoning on top when the total says so',
    shape: 'xai-chat',
    options: { provider: 'xai' },
    body: {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 4,
        completion_tokens_details: { reasoning_tokens: 100 },
        total_tokens: 114,
      },
    },
    buckets: { inputFresh: 10, outputText: 4, outputReasoning: 100 },
  },
  {
    name: 'xAI: reasoning inside when the total says so',
    shape: 'xai-chat',
    options: { provider: 'x-ai' },
    body: {
      usage: {
        prompt_tokens: 687,
        prompt_tokens_details: { cached_tokens: 682 },
        completion_tokens: 240,
        completion_tokens_details: { reasoning_tokens: 165 },
        total_tokens: 927,
      },
    },
    buckets: { inputFresh: 5, cacheRead: 682, outputText: 75, outputReasoning: 165 },
  },
  {
    name: 'an unknown provider: reasoning on top when the total says so',
    shape: 'openai-chat',
    body: {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 4,
        completion_tokens_details: { reasoning_tokens: 100 },
        total_tokens: 114,
      },
    },
    buckets: { inputFresh: 10, outputText: 4, outputReasoning: 100 },
  },
  {
    name: 'xAI, older names',
    shape: 'xai-older',
    body: {
      usage: {
        prompt_tokens: 10,
        cached_prompt_text_tokens: 4,
        completion_tokens: 3,
        reasoning_tokens: 7,
      },
    },
    buckets: { inputFresh: 6, cacheRead: 4, outputText: 3, outputReasoning: 7 },
  },
  {
    name: 'Perplexity: reasoning and citations on top, searches counted',
    shape: 'perplexity',
    body: {
      usage: {
        prompt_tokens: 20,
        completion_tokens: 30,
        reasoning_tokens: 500,
        citation_tokens: 40,
        num_search_queries: 3,
        total_tokens: 50,
      },
    },
    buckets: { inputFresh: 20, outputText: 30, outputReasoning: 500, outputCitation: 40 },
    counts: { webSearches: 3 },
  },
  {
    name: 'DeepSeek: cache hits are inside the prompt',
    shape: 'deepseek-chat',
    body: {
      usage: {
        prompt_tokens: 100,
        prompt_cache_hit_tokens: 64,
        prompt_cache_miss_tokens: 36,
        completion_tokens: 5,
      },
    },
    buckets: { inputFresh: 36, cacheRead: 64, outputText: 5 },
  },
  {
    name: 'Moonshot: plain cached_tokens',
    shape: 'moonshot-chat',
    body: { usage: { prompt_tokens: 100, cached_tokens: 60, completion_tokens: 5 } },
    buckets: { inputFresh: 40, cacheRead: 60, outputText: 5 },
  },
  {
    name: 'OpenRouter: as Chat, with a price',
    shape: 'openrouter',
    body: {
      usage: {
        prompt_tokens: 270,
        prompt_tokens_details: { cached_tokens: 70 },
        completion_tokens: 28,
        cost: 0.000151,
        is_byok: false,
      },
    },
    buckets: { inputFresh: 200, cacheRead: 70, outputText: 28 },
  },
  {
    name: 'embeddings: input only, for a caller that says so',
    shape: 'openai-embeddings',
    options: { provider: 'openai', api: 'embeddings' },
    body: { usage: { prompt_tokens: 8, total_tokens: 8 } },
    buckets: { inputFresh: 8 },
  },
  {
    name: 'transcription billed by time',
    shape: 'openai-realtime',
    body: { usage: { type: 'duration', seconds: 27 } },
    buckets: {},
    counts: { seconds: 27 },
  },
];

describe('usage in the shapes of OpenAI and its kin', () => {
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
