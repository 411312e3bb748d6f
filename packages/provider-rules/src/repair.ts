import type { AnyFormat, Draft } from './format.js';
import { FORMATS } from './formats.js';
import { assignIds, isLegalId } from './ids.js';
import { checkedOptions, checkProvider, type ProviderOptions } from './options.js';
import { answer, callsOf, pair, type Call } from './pairing.js';
import { RepairLog } from './repair-log.js';
import { FIXED_STRINGS, SYNTHETIC_TEXTS, type SyntheticReason } from './texts.js';
import { isWellFormed, wellFormedCopy } from './unicode.js';
import { violationsOf } from './validate.js';
import type { LeftOut, ProviderName, Repair, Violation } from './vocabulary.js';

/** What is known about a call without a result. Ids may repeat; position and ordinal do not. */
export interface OpenCall {
  readonly id: string;
  readonly name: string | undefined;
  /** Index of the message, content or item that holds the call. */
  readonly position: number;
  /** Counts the open calls of the history, from 0. */
  readonly ordinal: number;
}

export interface SyntheticResult {
  readonly reason: SyntheticReason;
  /** Replaces the fixed text of the reason; must be a function of stored facts only. */
  readonly text?: string;
}

/** Facts of the caller that are not request options. */
export interface RepairContext {
  /** Why a call has no result. Undefined means the default, `interrupted_unknown`. */
  readonly resultFor?: (
    callId: string,
    call: OpenCall,
  ) => SyntheticReason | SyntheticResult | undefined;
}

export interface RepairReport<P extends ProviderName = ProviderName> {
  /** The repaired history; the very array that was given if it was valid. */
  readonly history: unknown[];
  readonly repairs: Repair[];
  /** What no repair of the history can heal. If it is not empty, nothing may be sent. */
  readonly violations: Violation[];
  /** Messages that the format has no place for (system messages, unknown roles). */
  readonly leftOut: LeftOut[];
  /** Request options that must change; `violations` is computed with them. */
  readonly repairedOptions?: Partial<ProviderOptions[P]>;
}

/**
 * The history as it may be sent. Pure, deterministic and idempotent; a valid history comes back as
 * the same array, and the input is never changed. It never throws because of a history.
 * @throws TypeError for an unknown provider or option
 */
export function repair<P extends ProviderName>(
  provider: P,
  history: unknown,
  options?: ProviderOptions[P],
  context?: RepairContext,
): unknown[] {
  return repairWithReport(provider, history, options, context).history;
}

/** As `repair`, with the list of what was done and of what is left. */
export function repairWithReport<P extends ProviderName>(
  provider: P,
  history: unknown,
  options?: ProviderOptions[P],
  context: RepairContext = {},
): RepairReport<P> {
  checkProvider(provider);
  const format = FORMATS[provider];
  const settings = checkedOptions(provider, options) as never;
  if (violationsOf(format, history, settings).length === 0) {
    return { history: history as unknown[], repairs: [], violations: [], leftOut: [] };
  }
  const changes: Repair[] = [];
  let given = asList(format, history);
  let log = new RepairLog();
  let repaired = runSteps(format, given, settings, log, context);
  // Each round takes something out of the given history, so there are at most as many as parts.
  for (
    let again = format.reconsider?.(given, repaired, settings);
    again !== undefined;
    again = format.reconsider?.(given, repaired, settings)
  ) {
    given = again.history;
    changes.push(...again.changes);
    log = new RepairLog();
    changes.forEach((change) => log.repairs.push(change));
    repaired = runSteps(format, given, settings, log, context);
  }
  const change = format.optionsToChange?.(repaired, settings) as
    Partial<ProviderOptions[P]> | undefined;
  if (change !== undefined) return withChangedOptions(provider, history, options, change, context);
  return {
    history: repaired,
    repairs: log.repairs,
    violations: violationsOf(format, repaired, settings),
    leftOut: log.leftOut,
  };
}

function withChangedOptions<P extends ProviderName>(
  provider: P,
  history: unknown,
  options: ProviderOptions[P] | undefined,
  change: Partial<ProviderOptions[P]>,
  context: RepairContext,
): RepairReport<P> {
  const changed = { ...options, ...change } as ProviderOptions[P];
  const report = repairWithReport(provider, history, changed, context);
  const disabling: Repair = {
    rule: 'A15',
    position: Array.isArray(history) ? history.length : 0,
    action: 'disable_thinking_for_request',
    reason: 'the tool loop has no thinking at its start, and none can be made',
  };
  return { ...report, repairs: [...report.repairs, disabling], repairedOptions: change };
}

function asList(format: AnyFormat, history: unknown): readonly unknown[] {
  if (Array.isArray(history)) return history;
  const isText = typeof history === 'string' && history.trim() !== '';
  return isText ? [format.userMessage(history)] : [];
}

/** Section 6.2, steps 1 to 9. */
function runSteps(
  format: AnyFormat,
  given: readonly unknown[],
  options: never,
  log: RepairLog,
  context: RepairContext,
): unknown[] {
  const history = given.map((message, position) => {
    if (isWellFormed(message)) return message;
    log.add('X1', position, 'replace_lone_surrogate', 'a string was not well-formed Unicode');
    return wellFormedCopy(message);
  });
  const draft = format.read(history, options, log);
  pairResults(format, draft, options, log);
  closeOpenCalls(format, callsOf(draft.walk), log, context);
  renameIds(format, draft, options, log);
  const written = format.write(draft, options, log);
  if (written.length === 0) {
    const placeholder = format.userMessage(FIXED_STRINGS.conversationContinues);
    log.add(format.emptyRule, 0, 'prepend_user', 'the history had nothing that can be sent');
    return format.finish([placeholder], options, log, history.length);
  }
  return format.finish(written, options, log, history.length);
}

function pairResults(format: AnyFormat, draft: Draft<never>, options: never, log: RepairLog): void {
  const unplaced = pair(draft.walk);
  const dropped = format.place?.(unplaced, draft, options) ?? unplaced;
  for (const { result, isDuplicate } of dropped) {
    if (isDuplicate) {
      const reason = `call "${result.id}" already has a result`;
      log.add(format.pairing.duplicate, result.position, 'dedupe_result', reason);
    } else {
      const reason = `no call "${result.id}" stands before this result`;
      log.add(format.pairing.orphan, result.position, 'drop_orphan_result', reason);
    }
  }
}

function closeOpenCalls(
  format: AnyFormat,
  calls: readonly Call[],
  log: RepairLog,
  context: RepairContext,
): void {
  let ordinal = 0;
  for (const call of calls) {
    if (!call.needsResult || call.result !== undefined) continue;
    const { id, name, position } = call;
    const told = context.resultFor?.(id, { id, name, position, ordinal });
    ordinal += 1;
    const known = typeof told === 'object' ? told : { reason: told ?? 'interrupted_unknown' };
    const text = known.text ?? SYNTHETIC_TEXTS[known.reason];
    const source = format.synthesize(call, text, known.reason);
    if (source === undefined) continue;
    answer(call, {
      position,
      id,
      keys: [],
      isSynthetic: true,
      isMade: true,
      source,
      call: undefined,
    });
    const reason = `call "${id}" had no result: ${known.reason}`;
    log.add(format.pairing.missing, position, 'synthetic_result', reason);
  }
}

function renameIds(format: AnyFormat, draft: Draft<never>, options: never, log: RepairLog): void {
  const rule = format.idRule(options);
  if (rule === undefined) return;
  const reserved = [...(format.reservedIds?.(options) ?? [])];
  for (const calls of draft.idScopes) {
    assignIds(calls, rule, reserved);
    for (const call of calls) {
      if (call.newId === call.id && call.hasStringId) continue;
      const reason = `call id "${call.id}" is sent as "${call.newId}"`;
      const isLegal = call.hasStringId && isLegalId(call.id, rule);
      const { illegal, duplicate } = format.idRules;
      log.add(isLegal ? duplicate : illegal, call.position, 'rewrite_ids', reason);
    }
  }
}
