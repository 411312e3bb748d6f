import { aiSdk } from './ai-sdk/format.js';
import { anthropic } from './anthropic/format.js';
import { asAnyFormat, type AnyFormat } from './format.js';
import { gemini } from './gemini/format.js';
import { langChain } from './langchain/format.js';
import { openAiChat } from './openai-chat/format.js';
import { openAiResponses } from './openai-responses/format.js';
import type { ProviderName } from './vocabulary.js';

export const FORMATS: Readonly<Record<ProviderName, AnyFormat>> = {
  'openai-chat': asAnyFormat(openAiChat),
  'openai-responses': asAnyFormat(openAiResponses),
  anthropic: asAnyFormat(anthropic),
  gemini: asAnyFormat(gemini),
  'ai-sdk': asAnyFormat(aiSdk),
  langchain: asAnyFormat(langChain),
};
