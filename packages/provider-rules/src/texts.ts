/** Reasons for a result that no tool gave. */
export const SYNTHETIC_REASONS = [
  'not_started',
  'interrupted_unknown',
  'cancelled_by_user',
  'cancelled_not_started',
  'rejected',
  'timed_out',
  'lost_in_compaction',
  'inherited_unresolved',
  'resolved_applied',
  'resolved_not_applied',
  'abandoned_unknown',
  'unresolved_twin',
  'no_answer',
  'undone',
] as const;

export type SyntheticReason = (typeof SYNTHETIC_REASONS)[number];

/**
 * One fixed, neutral text per reason. No times, counters or host data: the same history must give
 * the same bytes, or prompt caches break.
 */
export const SYNTHETIC_TEXTS: Readonly<Record<SyntheticReason, string>> = {
  not_started: 'The tool call was not started. It had no effect.',
  interrupted_unknown:
    'Tool execution was interrupted before a result was recorded. ' +
    'It may or may not have run; check before retrying.',
  cancelled_by_user:
    'The tool call was cancelled on request before a result was recorded. ' +
    'It may or may not have run; check before retrying.',
  cancelled_not_started:
    'The tool call was cancelled on request before it started. It had no effect.',
  rejected: 'The tool call was not approved. It did not run.',
  timed_out:
    'No result was recorded within the time limit. ' +
    'The tool call may or may not have run; check before retrying.',
  lost_in_compaction:
    'The result of this tool call is not part of the kept history. ' +
    'Do not assume that it succeeded or failed; check before relying on it.',
  inherited_unresolved:
    'This tool call belongs to the parent session and its outcome is not known yet. ' +
    'Do not repeat it here.',
  resolved_applied:
    'No direct result was recorded. A later check showed that the tool call took effect.',
  resolved_not_applied:
    'No direct result was recorded. A later check showed that the tool call did not take effect.',
  abandoned_unknown:
    'The outcome of this tool call could not be established. ' +
    'It may or may not have taken effect; do not repeat it without checking.',
  unresolved_twin:
    'The tool call was not sent: an equal earlier call has an outcome that is not known yet. ' +
    'It had no effect. Wait for that outcome or check it first.',
  no_answer:
    'The read was interrupted before an answer was recorded. ' +
    'It has no side effects and may be called again.',
  undone:
    'The outcome was not known. A later action undid the operation, or found nothing to undo.',
};

/** The only other texts that a repair puts into a request. */
export const FIXED_STRINGS = {
  /** User message in an empty history, or before a leading assistant. */
  conversationContinues: '(conversation continues)',
  /** Ephemeral user message at the end. */
  continue: 'Continue.',
  /** Tool text when only media was returned (C9). */
  seeAttachedContent: 'See attached content in the next user message.',
  /** Key for unusable arguments (C8, A22). */
  invalidJson: 'INVALID_JSON',
  /** Missing Gemini signature (G5). */
  skipThoughtSignature: 'skip_thought_signature_validator',
  /** Assistant message between a tool result and a user message (C12, Mistral). */
  done: 'Done.',
} as const;

const SYNTHETIC_LIST = Object.values(SYNTHETIC_TEXTS);

/** True for a text of `SYNTHETIC_TEXTS`, also with sentences appended by a builder. */
export function isSyntheticText(text: string): boolean {
  return SYNTHETIC_LIST.some((known) => text === known || text.startsWith(`${known} `));
}

/** Only `resolved_applied` is good news; every other reason sets the error flag of its format. */
export function isErrorReason(reason: SyntheticReason): boolean {
  return reason !== 'resolved_applied';
}

/** Text of a result content: a string, or the text of a list that holds text parts only. */
export function plainText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const part = content[0] as { type?: unknown; text?: unknown } | null | undefined;
  return typeof part?.text === 'string' ? part.text : undefined;
}
