import { ANTHROPIC_IDS } from './anthropic/validate.js';
import { assignIds, type IdRule } from './ids.js';
import { RESPONSES_IDS } from './openai-responses/validate.js';
import { chatIdRule } from './openai-chat/rules.js';
import type { ProviderName } from './vocabulary.js';

/** What each format accepts as a tool-call id (section 6.3). Gemini matches by name and place. */
export const ID_RULES: Readonly<Record<ProviderName, IdRule>> = {
  'openai-chat': chatIdRule({}),
  'openai-responses': RESPONSES_IDS,
  anthropic: ANTHROPIC_IDS,
  gemini: {},
  'ai-sdk': {},
  langchain: chatIdRule({}),
};

/**
 * The ids that a repair gives to the calls of one scope, in order: one message (Chat, AI SDK,
 * LangChain), one assistant turn (Anthropic), the whole input (Responses).
 */
export function legalIds(provider: ProviderName, ids: readonly string[]): string[] {
  const owners = ids.map((id) => ({ id, hasStringId: true, newId: id }));
  assignIds(owners, ID_RULES[provider]);
  return owners.map(({ newId }) => newId);
}
