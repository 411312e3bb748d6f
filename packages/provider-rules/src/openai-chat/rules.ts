import type { IdRule } from '../ids.js';
import type { OpenAiChatOptions } from '../options.js';

/** Recorded: `array too long. Expected an array with maximum length 128` (openai-dotnet#317). */
export const TOOL_CALLS_MAX = 128;

/** Recorded: `string too long. Expected a string with maximum length 40` (vercel/ai#8132). */
export const CALL_ID_CHARACTERS_MAX = 40;

const CHAT_IDS: IdRule = { charactersMax: CALL_ID_CHARACTERS_MAX };

/** Mistral wants exactly nine letters and digits (anomalyco/opencode transform.ts). */
const MISTRAL_IDS: IdRule = { exactCharacters: 9, isRequired: true };

export function chatIdRule(options: OpenAiChatOptions): IdRule {
  return options.mistral ? MISTRAL_IDS : CHAT_IDS;
}

export function idText(id: unknown): string {
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? String(id) : '';
}
