import { type Repair, type Violation, repairWithReport, validate } from '@holdfast/provider-rules';
import type { Json } from '../domain/content.js';
import { type DroppedItems, type TrimmedResult, fitToBudget } from './budget.js';
import { abandoned } from './call-texts.js';
import { type CacheRequest, type SentRequest, boundariesOf } from './cache-marks.js';
import { canonicalJson } from './canonical-json.js';
import { plainTextOf } from './content-guards.js';
import type { ContextSource, LeftOut } from './context-source.js';
import { factsBlock } from './facts-block.js';
import type { ContextFormat } from './format-names.js';
import { type FormatOptions, formatEntry, replayRule } from './formats.js';
import { nativeItem } from './native-summary.js';
import type { AssistantItem, ContextItem, HistoryItem, UnresolvedCall } from './history-items.js';
import { buildHistory } from './history.js';
import type { Rendered } from './render.js';
import { estimateTokens } from './token-estimate.js';
import { Counting, type CountingReport, type Tokenizer } from './tokenizer.js';

export interface ContextRequest {
  readonly format: ContextFormat;
  readonly instructions?: string;
  /** Tool definitions in the format's own shape; they are passed on and counted. */
  readonly tools?: Json;
  /** What the caller calls now. It stands once, at the tail. */
  readonly now?: string;
  readonly provider?: string;
  readonly model?: string;
  /** Most input tokens; without it nothing is cut. */
  readonly budgetTokens?: number;
  /** Quirks of server and model (provider rules, §3). */
  readonly options?: FormatOptions;
  /** Cache marks at the stable boundaries, for providers that have marks; others are sent without. */
  readonly cache?: CacheRequest;
}

export interface BuildTools {
  /** Keyed hash of a text. */
  readonly hash: (text: string) => string;
  /** Counts in place of the estimate of a text's tokens. */
  readonly tokenizer?: Tokenizer;
}

export interface ReadyContext {
  readonly format: ContextFormat;
  /** Keyed hash of what is sent: the same bytes have the same hash. */
  readonly contentHash: string;
  /** The system field, for formats that have one. */
  readonly system?: Json;
  readonly tools?: Json;
  readonly messages: readonly Json[];
  /** What `ModelCallStarted` has to name: the revision shown, and the inputs it delivers. */
  readonly inputRevision: number;
  readonly delivers: readonly string[];
  readonly repairs: readonly Repair[];
  /** Request options that must change, because no history can be repaired that way. */
  readonly repairedOptions?: FormatOptions;
  readonly leftOut: readonly LeftOut[];
  readonly trimmed: readonly TrimmedResult[];
  readonly dropped?: DroppedItems;
  readonly estimatedTokens: number;
  readonly counting: CountingReport;
  /** The conversation did not fit as it is. */
  readonly compactionNeeded: boolean;
  /** Calls without an outcome; the caller decides whether the model may go on without them. */
  readonly unresolved: readonly UnresolvedCall[];
}

export type ContextProblem =
  | { readonly problem: 'context_invalid'; readonly violations: readonly Violation[] }
  | {
      readonly problem: 'budget_too_small';
      readonly budgetTokens: number;
      readonly neededTokens: number;
    }
  | { readonly problem: 'invalid_options'; readonly message: string };

export type ContextResult = ReadyContext | ContextProblem;

/**
 * The exact next model input (DESIGN §6). Pure: the same source and request give the same bytes.
 * It never throws because of the log; what a provider would refuse never leaves.
 */
export function buildContext(
  source: ContextSource,
  request: ContextRequest,
  tools: BuildTools,
): ContextResult {
  const history = buildHistory(source, request);
  const { isNewPeriod } = history;
  const native = nativeItem(source.summary, history.items, request);
  const head = headOf(source, isNewPeriod, native);
  const items = [...head, ...history.items, ...tailOf(request)];
  const counting = new Counting(tools.tokenizer, request.model);
  const estimate = estimateTokens({
    format: request.format,
    instructions: request.instructions,
    tools: request.tools,
    items,
    source,
    records: history.records,
    model: request.model,
    isNewPeriod,
    count: counting.count,
  });
  const budgetTokens = request.budgetTokens ?? Infinity;
  const fitted = fitToBudget(items, estimate, budgetTokens, counting.count);
  if (!fitted.fits) {
    return { problem: 'budget_too_small', budgetTokens, neededTokens: fitted.neededTokens };
  }
  const message = optionsFault(request);
  if (message !== undefined) return { problem: 'invalid_options', message };
  const rendered = render(source, request, fitted.items);
  const marked = withMarks(request, rendered, fitted.items);
  const checked = repaired(request, marked);
  if ('problem' in checked) return checked;
  const { format } = request;
  const { system, tools: sentTools } = marked;
  const sent = { format, system, tools: sentTools, messages: checked.messages };
  return {
    ...sent,
    contentHash: tools.hash(contentBasis(sent)),
    inputRevision: source.revision,
    delivers: source.deliverNext.map((input) => input.inputId),
    repairs: [...rendered.repairs, ...checked.repairs],
    repairedOptions: checked.repairedOptions,
    leftOut: [...history.leftOut, ...rendered.leftOut, ...unreadIn(source)],
    trimmed: fitted.trimmed,
    dropped: fitted.dropped,
    estimatedTokens: fitted.estimatedTokens,
    counting: counting.report(estimate.isAnchored),
    compactionNeeded: estimate.tokens > budgetTokens,
    unresolved: history.unresolved,
  };
}

function unreadIn({ unreadArtifacts = [] }: ContextSource): readonly LeftOut[] {
  return unreadArtifacts.map((hash) => {
    const reason = `only a preview of artifact ${hash}: it is gone, or more than a context reads`;
    return { kind: 'artifact', reason };
  });
}

/** The text that the content hash is made of. */
export function contentBasis(
  context: Pick<ReadyContext, 'format' | 'system' | 'tools' | 'messages'>,
): string {
  const { format, system, tools, messages } = context;
  return canonicalJson({ version: 1, format, system, tools, messages });
}

/** Facts and summary, as they stood when the prefix period began. */
function headOf(
  source: ContextSource,
  isNewPeriod: boolean,
  native: AssistantItem | undefined,
): readonly HistoryItem[] {
  const facts = isNewPeriod ? source.facts : source.prefixFacts;
  const place = { place: -1, from: -1, to: -1 };
  const head: HistoryItem[] = [];
  if (facts.length > 0) {
    head.push({ kind: 'context', about: 'facts', text: factsBlock(facts), ...place });
  }
  if (source.summary !== undefined) {
    if (native !== undefined) head.push(native);
    const text = summaryBlock(source, native === undefined);
    if (text !== '') head.push({ kind: 'context', about: 'summary', text, ...place });
  }
  return head;
}

function summaryBlock({ summary, openCalls }: ContextSource, isReadable: boolean): string {
  const text = isReadable ? `Summary of the earlier conversation:\n${summary!.text}` : '';
  if (openCalls.length === 0) return text;
  const lines = openCalls.map(({ callId, tool, effect, opKey }) => {
    const said = plainTextOf(abandoned(effect, opKey).content);
    return `- ${tool} (${callId}): ${said}`;
  });
  const heading = 'Tool calls of the summarised part without a known outcome:';
  const before = isReadable
    ? [text, '', 'Tool calls of that part without a known outcome:']
    : [heading];
  return [...before, ...lines].join('\n');
}

/** What changes from request to request stands behind everything that a cache can hold. */
function tailOf({ now }: ContextRequest): readonly ContextItem[] {
  if (now === undefined) return [];
  const place = { place: Infinity, from: Infinity, to: Infinity };
  return [{ kind: 'context', about: 'date', text: `Current date: ${now}`, ...place }];
}

function render(
  source: ContextSource,
  request: ContextRequest,
  items: readonly HistoryItem[],
): Rendered {
  const options = optionsOf(request) as Readonly<Record<string, unknown>>;
  return formatEntry(request.format).render({
    instructions: request.instructions,
    items,
    replays: replayRule(request.format, items, request),
    dropsReasoning: options.boundPrefix === true,
    artifacts: source.artifacts,
    options,
  });
}

function optionsOf({ format, options }: ContextRequest): FormatOptions {
  return { ...formatEntry(format).defaults, ...options };
}

function withMarks(
  request: ContextRequest,
  { system, messages, ends = [] }: Rendered,
  items: readonly HistoryItem[],
): SentRequest {
  const { mark } = formatEntry(request.format);
  const { tools, cache } = request;
  const options = optionsOf(request);
  if (mark === undefined || cache === undefined) return { system, tools, messages, options };
  return mark({ system, tools, messages, options }, boundariesOf(items, ends), cache);
}

type Checked =
  | {
      readonly messages: readonly Json[];
      readonly repairs: readonly Repair[];
      readonly repairedOptions?: FormatOptions;
    }
  | ContextProblem;

function optionsFault({ format, options }: ContextRequest): string | undefined {
  const { rules } = formatEntry(format);
  if (rules === undefined) return undefined;
  try {
    validate(rules, [], options as never);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Held against the provider's rules, repaired if that helps, and refused if anything is left. */
function repaired({ format }: ContextRequest, { messages, options }: SentRequest): Checked {
  const { rules } = formatEntry(format);
  if (rules === undefined) return { messages, repairs: [] };
  const report = repairWithReport(rules, messages, options as never);
  if (report.violations.length > 0) {
    return { problem: 'context_invalid', violations: report.violations };
  }
  return {
    messages: report.history as readonly Json[],
    repairs: report.repairs,
    repairedOptions: report.repairedOptions as FormatOptions | undefined,
  };
}
