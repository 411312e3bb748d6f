import type { ContextFormat } from '../../context/format-names.js';
import type { Json } from '../../domain/content.js';
import type { GivenBlock } from '../record-assistant-message/assistant-blocks.js';
import { aiSdkBlocks } from './responses/ai-sdk-response.js';
import { anthropicBlocks } from './responses/anthropic-response.js';
import { geminiBlocks } from './responses/gemini-response.js';
import { langChainBlocks } from './responses/langchain-response.js';
import { chatBlocks } from './responses/openai-chat-response.js';
import { responsesBlocks } from './responses/openai-responses-response.js';
import { type Fields, isFields } from './responses/response-fields.js';

/** What an assistant said, read from a provider's response body. */
export interface ReadResponse {
  /** In whose words: only a context of this format can hold the provider's blocks again. */
  readonly api: ContextFormat;
  readonly blocks: readonly GivenBlock[];
}

type Reader = (body: Fields) => readonly GivenBlock[] | undefined;

/** In this order: a message of the AI SDK looks like one of Anthropic, but for its parts. */
const READERS: readonly (readonly [api: ContextFormat, read: Reader])[] = [
  ['langchain', langChainBlocks],
  ['ai-sdk', aiSdkBlocks],
  ['anthropic', anthropicBlocks],
  ['openai-chat', chatBlocks],
  ['openai-responses', responsesBlocks],
  ['gemini', geminiBlocks],
];

/**
 * Reads the bodies of six APIs so that every block can go back to its provider as it was. Answers
 * undefined for another shape: then the message has to come as neutral blocks.
 */
export function readResponse(body: Json): ReadResponse | undefined {
  if (!isFields(body)) return undefined;
  for (const [api, read] of READERS) {
    const blocks = read(body);
    if (blocks !== undefined) return { api, blocks };
  }
  return undefined;
}
