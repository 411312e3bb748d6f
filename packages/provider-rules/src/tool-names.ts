import { characterCount } from './json.js';
import { shortenId } from './ids.js';
import type { ProviderName } from './vocabulary.js';

/**
 * Most characters of a tool name. Anthropic refused 201 (anthropics/claude-code#94799); OpenAI's
 * message is `Invalid 'tools[0].function.name': string too long. Expected a string with maximum
 * length 64`. The others have no recorded refusal of their own and get the widest limit.
 */
export const TOOL_NAME_CHARACTERS_MAX: Readonly<Record<ProviderName, number>> = {
  'openai-chat': 64,
  'openai-responses': 64,
  anthropic: 200,
  gemini: 200,
  'ai-sdk': 200,
  langchain: 200,
};

export function isToolNameTooLong(provider: ProviderName, name: unknown): boolean {
  return typeof name === 'string' && characterCount(name) > TOOL_NAME_CHARACTERS_MAX[provider];
}

/**
 * The name that a repaired history uses for a tool (X2). Tool definitions of the same request need
 * the same map.
 */
export function shortenToolName(provider: ProviderName, name: string): string {
  return shortenId(name, TOOL_NAME_CHARACTERS_MAX[provider]);
}
