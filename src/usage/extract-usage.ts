import { statedCost, type Cost } from '../domain/money.js';
import {
  unknownUsage,
  type Usage,
  type UsageFlag,
  type UsageSource,
  type UsageState,
} from '../domain/usage.js';
import { detectShape, requestedShape } from './choose-shape.js';
import { convertUsage } from './convert-usage.js';
import { iterationsOnTop, type IterationOnTop } from './iterations-on-top.js';
import { jsonTextAt } from './json-text.js';
import { isRecord, readFigure, textAt, valueAt } from './read-figure.js';
import type { UsageShape } from './usage-shape.js';

export interface ExtractOptions {
  readonly provider?: string;
  /** A shape's name or an API: `messages`, `chat`, `responses`, `converse`, … Else it is seen. */
  readonly api?: string;
  /** The model, where the body does not name it. */
  readonly model?: string;
  readonly responseId?: string;
  /** `partial` for counts from before the end of a stream. Default `final`. */
  readonly state?: Exclude<UsageState, 'unknown'>;
  readonly source?: UsageSource;
  /** How an `estimated` usage was made. */
  readonly method?: string;
  /** The body as it was received: keeps raw usage and amounts of money digit for digit. */
  readonly rawText?: string;
}

export interface ExtractedCall {
  /** The response's id; for an iteration `<responseId>/<index>`. */
  readonly callId?: string;
  /** Position in `iterations`, for a call that is billed on top of the response. */
  readonly iteration?: number;
  readonly model?: string;
  /** Of an iteration. The response itself has the purpose of its request. */
  readonly purpose?: IterationOnTop['purpose'];
  readonly usage: Usage;
  readonly servedTier?: string;
  readonly speed?: string;
  readonly region?: string;
  /** A price inside the usage object. `reported` ones are never what was billed. */
  readonly statedCost?: Cost;
}

export interface ExtractedUsage {
  /** The shape that was read; undefined when there is no usage that is known here. */
  readonly shape?: string;
  readonly responseId?: string;
  readonly model?: string;
  /** The response itself, then what is billed on top of it. Never empty. */
  readonly calls: readonly [ExtractedCall, ...ExtractedCall[]];
}

const rawBytesMax = 16 * 1024;
const iterationsMax = 1_000;

const usagePlaces: readonly (readonly string[])[] = [
  ['usage'],
  ['usageMetadata'],
  ['usage_metadata'],
  ['data', 'usage_metadata'],
  ['kwargs', 'usage_metadata'],
  ['response', 'usage'],
  ['response', 'usageMetadata'],
  ['message', 'usage'],
  ['metadata', 'usage'],
  ['meta'],
  ['tokens'],
  ['metrics'],
  ['info', 'last_token_usage'],
  [],
];

interface FoundUsage {
  readonly usage: unknown;
  readonly path: readonly string[];
  readonly shape: UsageShape;
}

/** The requested shape, if the usage object has the totals that it reads. */
function readable(usage: unknown, shape: UsageShape | undefined): UsageShape | undefined {
  const told =
    readFigure(usage, shape?.input.base).told || readFigure(usage, shape?.output?.base).told;
  return told ? shape : undefined;
}

function findUsage(body: unknown, options: ExtractOptions): FoundUsage | undefined {
  const requested = requestedShape(options.api, options.provider);
  for (const path of usagePlaces) {
    const usage = valueAt(body, path);
    const detected = detectShape(usage, options.provider);
    if (detected) return { usage, path, shape: readable(usage, requested) ?? detected };
  }
  return undefined;
}

/** Undefined for a value nested so deeply that it cannot be written. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function rawOf(
  found: FoundUsage,
  rawText: string | undefined,
): [string | undefined, readonly UsageFlag[]] {
  const written = rawText === undefined ? undefined : jsonTextAt(rawText, found.path);
  const text = written ?? jsonOf(found.usage);
  if (text === undefined) return [undefined, ['rawTruncated']];
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= rawBytesMax) return [text, []];
  const cut = new TextDecoder().decode(bytes.subarray(0, rawBytesMax)).replace(/\uFFFD+$/, '');
  return [cut, ['rawTruncated']];
}

function usageOf(
  found: FoundUsage,
  iterations: readonly unknown[],
  options: ExtractOptions,
  rawText: string | undefined,
): Usage {
  const source = options.source ?? 'provider';
  const converted = convertUsage(found.usage, found.shape, iterations);
  const [raw, rawFlags] = rawOf(found, rawText);
  const flags: readonly UsageFlag[] = converted.inconsistent
    ? ['inconsistent', ...rawFlags]
    : rawFlags;
  const { buckets, counts, splits, billed } = converted;
  const nothing = Object.keys(buckets).length === 0 && Object.keys(counts).length === 0;
  const kept = raw === undefined ? {} : { raw };
  if (nothing) return { ...unknownUsage(source), ...kept, flags };
  return {
    state: options.state ?? 'final',
    buckets,
    counts,
    splits,
    ...kept,
    flags,
    source,
    ...(options.method === undefined ? {} : { method: options.method }),
    ...(billed === undefined ? {} : { billed }),
  };
}

function numberText(found: FoundUsage, path: readonly string[], rawText: string | undefined) {
  const value = valueAt(found.usage, path);
  if (typeof value !== 'number') return undefined;
  const written = rawText === undefined ? undefined : jsonTextAt(rawText, [...found.path, ...path]);
  return written ?? String(value);
}

function statedCostOf(found: FoundUsage, rawText: string | undefined): Cost | undefined {
  const spec = found.shape.statedCost;
  const text = spec && numberText(found, spec.path, rawText);
  if (!spec || text === undefined) return undefined;
  const cost = statedCost(text, spec.source);
  const added = spec.onTopWhen && valueAt(found.usage, spec.onTopWhen) === true;
  const onTopText = added && spec.onTop ? numberText(found, spec.onTop, rawText) : undefined;
  if (onTopText === undefined || cost.amountPico === null) return cost;
  const onTop = statedCost(onTopText, spec.source);
  if (onTop.amountPico === null) return onTop;
  const sum = BigInt(cost.amountPico) + BigInt(onTop.amountPico);
  return { ...cost, ...onTop, amountPico: sum.toString() };
}

function circumstances(body: unknown, usage: unknown) {
  const servedTier =
    textAt(usage, ['service_tier'], ['serviceTier'], ['trafficType']) ??
    textAt(body, ['service_tier'], ['serviceTier', 'type'], ['response', 'service_tier']);
  const speed = textAt(usage, ['speed']);
  const region = textAt(usage, ['inference_geo']);
  return {
    ...(servedTier === undefined ? {} : { servedTier }),
    ...(speed === undefined ? {} : { speed }),
    ...(region === undefined ? {} : { region }),
  };
}

function callsOnTop(
  found: FoundUsage,
  iterations: readonly unknown[],
  options: ExtractOptions,
  top: ExtractedCall,
): ExtractedCall[] {
  const { usage: response, statedCost: _cost, callId, ...shared } = top;
  return iterationsOnTop(iterations, response.buckets, found.shape).map(
    ({ index, purpose, iteration }) => {
      const model = textAt(iteration, ['model']) ?? top.model;
      const part: FoundUsage = { usage: iteration, path: [], shape: found.shape };
      return {
        ...shared,
        ...(callId === undefined ? {} : { callId: `${callId}/${index}` }),
        iteration: index,
        ...(model === undefined ? {} : { model }),
        purpose,
        usage: usageOf(part, [], options, undefined),
        ...circumstances(undefined, iteration),
      };
    },
  );
}

/**
 * Reads the usage in a provider's response body, or in a usage object alone, whoever sent it:
 * shape and conventions are seen from the fields and, where they leave it open, from the totals.
 * Never throws on a JSON value; a body without usage gives one call with state `unknown`.
 */
export function extractUsage(body: unknown, options: ExtractOptions = {}): ExtractedUsage {
  const responseId =
    options.responseId ??
    textAt(body, ['id'], ['responseId'], ['response', 'id'], ['message', 'id']);
  const model =
    textAt(body, ['model'], ['modelVersion'], ['response', 'model'], ['message', 'model']) ??
    options.model;
  const named = {
    ...(responseId === undefined ? {} : { responseId }),
    ...(model === undefined ? {} : { model }),
  };
  const identity = {
    ...(responseId === undefined ? {} : { callId: responseId }),
    ...(model === undefined ? {} : { model }),
  };
  const found = findUsage(body, options);
  if (!found) {
    const unknown = unknownUsage(options.source ?? 'provider');
    const present = usagePlaces.some((path) => path.length > 0 && isRecord(valueAt(body, path)));
    const usage: Usage = present ? { ...unknown, flags: ['shapeUnknown'] } : unknown;
    return { ...named, calls: [{ ...identity, usage, ...circumstances(body, undefined) }] };
  }
  const listed = valueAt(found.usage, ['iterations']);
  const iterations = Array.isArray(listed) ? listed.slice(0, iterationsMax) : [];
  const cost = statedCostOf(found, options.rawText);
  const top: ExtractedCall = {
    ...identity,
    usage: usageOf(found, iterations, options, options.rawText),
    ...circumstances(body, found.usage),
    ...(cost === undefined ? {} : { statedCost: cost }),
  };
  return {
    shape: found.shape.name,
    ...named,
    calls: [top, ...callsOnTop(found, iterations, options, top)],
  };
}
