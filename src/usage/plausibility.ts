import { outputTokens, type Usage } from '../domain/usage.js';

const charactersPerTokenMax = 40;

/**
 * Flags a usage whose recorded output text is longer than its output tokens can be. Logs write
 * placeholders: 1 or 2 output tokens for a page of text (anthropics/claude-code#22671).
 */
export function flagImplausible(usage: Usage, outputCharacters: number): Usage {
  const reported = usage.state === 'final' || usage.state === 'partial';
  const plausible = outputCharacters <= outputTokens(usage) * charactersPerTokenMax;
  if (!reported || plausible || usage.flags.includes('implausible')) return usage;
  return { ...usage, flags: [...usage.flags, 'implausible'] };
}
