import type { AnyFormat } from './format.js';
import { FORMATS } from './formats.js';
import { checkedOptions, checkProvider, type ProviderOptions } from './options.js';
import { isWellFormed } from './unicode.js';
import type { ProviderName, Violation } from './vocabulary.js';

/**
 * All rules that the history breaks, in the order of the history; empty if it may be sent.
 *
 * `history` is `messages` (Chat, Anthropic), `input` items (Responses), `contents` (Gemini),
 * `ModelMessage[]` (AI SDK) or stored messages `{type, data}` (LangChain).
 * @throws TypeError for an unknown provider or option; never because of the history
 */
export function validate<P extends ProviderName>(
  provider: P,
  history: unknown,
  options?: ProviderOptions[P],
): Violation[] {
  checkProvider(provider);
  return violationsOf(FORMATS[provider], history, checkedOptions(provider, options) as never);
}

export function violationsOf(format: AnyFormat, history: unknown, options: never): Violation[] {
  if (!Array.isArray(history) || history.length === 0) {
    return [{ rule: format.emptyRule, kind: format.emptyKind, at: 0 }];
  }
  const violations = format.validate(history, options);
  history.forEach((message: unknown, at) => {
    if (!isWellFormed(message)) violations.push({ rule: 'X1', kind: 'ill_formed_text', at });
  });
  return violations.sort((one, other) => one.at - other.at);
}
