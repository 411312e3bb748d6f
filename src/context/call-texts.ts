import { type SyntheticReason, SYNTHETIC_TEXTS, isErrorReason } from '@holdfast/provider-rules';
import type { TextBlock, ToolContent } from '../domain/content.js';
import type { ToolResult } from '../domain/events/tool-events.js';
import type { EffectClass } from '../domain/tool-manifest.js';
import { type CallView, type Evidence, isOpenStatus, outcomeKind } from './call-view.js';
import { canonicalJson, isShallow } from './canonical-json.js';
import { plainTextOf, toolContent } from './content-guards.js';
import type { ShownResult } from './history-items.js';

/**
 * The result shown for a call in its present state (reconciliation protocol, §17). `reader` is the
 * session whose model reads it: a fork does not speak for a call of its parent.
 */
export function resultOf(view: CallView, reader: string): ShownResult {
  const { status } = view.state;
  if (view.sessionId !== reader && isOpenStatus(status)) {
    return status === 'requested'
      ? synthetic('not_started')
      : synthetic('inherited_unresolved', `Session: ${view.sessionId}.`);
  }
  switch (status) {
    case 'completed':
      return view.answer === undefined ? synthetic('lost_in_compaction') : recorded(view.answer);
    case 'failed':
      return refused(view.refusal);
    case 'skipped':
      return skipped(view);
    case 'requested':
      return synthetic('not_started');
    case 'running':
      return synthetic('interrupted_unknown');
    case 'unknown':
    case 'retryAuthorized':
    case 'awaitingHuman':
    case 'compensating':
      return unknown(view);
    case 'inherited':
      return synthetic('inherited_unresolved', `Session: ${view.sessionId}.`);
    case 'applied':
      return synthetic('resolved_applied', evidenceSentence(view.evidence));
    case 'notApplied':
      return synthetic('resolved_not_applied', 'It may be issued again as a new call.');
    case 'compensated':
      return synthetic('undone', `Undone by: ${view.state.compensationCallId ?? 'another call'}.`);
    case 'abandoned':
      return abandoned(view.state.effect, view.state.opKey);
  }
}

/** What is said about a call of the summarised part that nobody could settle. */
export function abandoned(effect: EffectClass, opKey: string): ShownResult {
  if (effect === 'readOnly') return synthetic('no_answer');
  return synthetic('abandoned_unknown', keySentence(opKey));
}

const CONFLICT =
  'This contradicts the earlier report. Do not repeat the operation; an operator has been informed.';

/** The note that follows when an outcome becomes known after a model has read the placeholder. */
export function outcomeNote(view: CallView, result: ShownResult, contradicts: boolean): string {
  const { callId, providerCallId } = view.state;
  const sentences = [
    `Later outcome of tool call ${callId}: ${plainTextOf(result.content)}`,
    // The model knows the call by the id that its provider gave it.
    providerCallId !== undefined && providerCallId !== callId
      ? `Its id in this conversation: ${providerCallId}.`
      : '',
    contradicts ? CONFLICT : '',
  ];
  return joined(sentences);
}

const ARGUMENTS_SHOWN_MAX = 1_000;

/**
 * A call of a part that a revert took out: the model does not see it, and must not do it again
 * unawares. Undefined where nothing can have happened.
 */
export function hiddenCallNote(view: CallView, result: ShownResult): string | undefined {
  const { callId, tool, effect, status } = view.state;
  const kind = outcomeKind(status);
  if (effect === 'readOnly' || ['notStarted', 'failed', 'notApplied'].includes(kind)) {
    return undefined;
  }
  const took = kind === 'completed' || kind === 'applied';
  const said = took ? 'It was carried out and has not been undone.' : plainTextOf(result.content);
  return (
    `A part of this conversation was taken out. Tool call ${callId} (${tool}) of that part was ` +
    `made with these arguments: ${argumentsText(view)} ${said}`
  );
}

function argumentsText({ args, argsText }: CallView): string {
  const shallow = isShallow(args) ? args : null;
  const text = argsText ?? canonicalJson(shallow ?? {});
  return text.length <= ARGUMENTS_SHOWN_MAX ? text : `${text.slice(0, ARGUMENTS_SHOWN_MAX)}…`;
}

export function synthetic(reason: SyntheticReason, ...more: readonly string[]): ShownResult {
  return {
    content: joined([SYNTHETIC_TEXTS[reason], ...more]),
    isError: isErrorReason(reason),
    synthetic: reason,
  };
}

function joined(sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function recorded(result: ToolResult): ShownResult {
  return {
    content: toolContent(result.content),
    isError: result.isError === true,
    artifact: result.artifact,
  };
}

function refused(refusal: ToolResult | undefined): ShownResult {
  const content = refusal === undefined ? '' : toolContent(refusal.content);
  return {
    content: withSentence(content, 'It had no effect.'),
    isError: true,
    artifact: refusal?.artifact,
  };
}

function withSentence(content: ToolContent, sentence: string): ToolContent {
  if (typeof content === 'string') return content === '' ? sentence : `${content}\n${sentence}`;
  const block: TextBlock = { type: 'text', text: sentence };
  return [...content, block];
}

function skipped(view: CallView): ShownResult {
  switch (view.state.skipReason) {
    case 'stopped':
      return synthetic('cancelled_not_started');
    case 'approvalExpired':
    case 'denied':
      // An imported denial has the words that its model was told, with the user's own in them.
      return view.refusal === undefined ? synthetic('rejected') : recorded(view.refusal);
    case 'unresolvedTwin':
      return synthetic(
        'unresolved_twin',
        view.twinOf === undefined ? '' : `Earlier call: ${view.twinOf}.`,
      );
    default:
      return synthetic('not_started');
  }
}

function unknown({ state }: CallView): ShownResult {
  const reason =
    state.unknownReason === 'deadline'
      ? 'timed_out'
      : state.unknownReason === 'stoppedInFlight'
        ? 'cancelled_by_user'
        : 'interrupted_unknown';
  if (state.effect === 'readOnly') return synthetic(reason);
  return synthetic(reason, keySentence(state.opKey), nextStep(state));
}

function keySentence(opKey: string | undefined): string {
  return typeof opKey === 'string' && opKey !== '' ? `Operation key: ${opKey}.` : '';
}

function nextStep(state: CallView['state']): string {
  if (state.status === 'retryAuthorized') return 'A retry with the same key is scheduled.';
  if (state.status === 'compensating') return 'An undo has been ordered.';
  if (state.status === 'awaitingHuman') {
    return state.escalation === undefined ? '' : `${state.escalation.to} has been asked.`;
  }
  // Nothing is under way for an imported call until a person asks for it.
  return state.unknownReason === 'imported' ? '' : 'Its status is being checked.';
}

function evidenceSentence(evidence: Evidence): string {
  const parts = [
    evidence.person === true ? 'confirmed by a person' : '',
    evidence.statusCode === undefined ? '' : `status ${evidence.statusCode}`,
    evidence.reference === undefined ? '' : `reference ${evidence.reference}`,
    evidence.note === undefined ? '' : `note: ${evidence.note}`,
    evidence.excerpt === undefined ? '' : `answer: ${evidence.excerpt}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `Evidence: ${parts.join('; ')}.`;
}
