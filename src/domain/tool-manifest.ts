import { type HttpProbe, type VoidRequest, httpProbeFaults, voidFaults } from './http-probe.js';
import { type KeyField, keyFieldFaults } from './key-field.js';
import { own } from './own.js';
import type { RedactionPattern } from './redaction/redaction-policy.js';

/** What a repetition of a tool call may do (docs/guides/tools.md; reconciliation protocol, §6). */
export type EffectClass = 'readOnly' | 'keyedWrite' | 'queryableWrite' | 'opaqueWrite';

/** What its author promises about a tool. A tool nobody described is an `opaqueWrite`. */
export interface ToolManifest {
  readonly name: string;
  readonly version: number;
  readonly effect: EffectClass;
  /** Hard limit that the worker enforces on the call itself. */
  readonly timeoutMs: number;
  /** Longest time after the start at which the request can still take effect at the target. */
  readonly maxFlightMs: number;
  /** How long the target remembers the operation key; 0 = no retry with the same key. */
  readonly keyWindowMs: number;
  /** Where a worker puts the operation key in its request; every `keyedWrite` says so. */
  readonly keyField?: KeyField;
  /** When "not found" proves that nothing happened and nothing will; null = never. */
  readonly notFoundIsFinalAfterMs: number | null;
  /** Whether the target can be asked for the outcome by operation key or reference. */
  readonly probe: boolean;
  /** How the server asks it by itself; absent: a worker asks and records the answer. */
  readonly httpProbe?: HttpProbe;
  /** The name of a probe that the program around Holdfast has given it, instead of `httpProbe`. */
  readonly namedProbe?: string;
  /** A request that makes the operation key unusable at the target: then "not found" is final. */
  readonly voidByKey?: VoidRequest;
  /** The keyedWrite that undoes it, and does nothing where there is nothing to undo. */
  readonly compensate?: string;
  /** Ordered by itself for what a run has done, when that run fails; absent: only people order it. */
  readonly compensateWhenRunFails?: boolean;
  readonly retryWhenNotApplied: boolean;
  readonly maxAttempts: number;
  readonly maxProbes: number;
  /** `hold`: no model call until the question is settled. `tell`: the model is told "unknown". */
  readonly onUnknown: 'hold' | 'tell';
  readonly twinGuard: boolean;
  /** Who must allow the first attempt of each call, within `escalationDueMs`; absent: nobody. */
  readonly approval?: string;
  readonly escalateTo: string;
  readonly escalationDueMs: number;
  /** What is masked in its arguments and answers, beyond what is masked everywhere. */
  readonly redact?: readonly RedactionPattern[];
  /** Larger results are refused. */
  readonly resultBytesMax: number;
}

/** Longest time between asking for a permit and sending the request. */
export const DISPATCH_WINDOW_MS = 5_000;

const DEFAULTS = {
  version: 1,
  timeoutMs: 60_000,
  keyWindowMs: 0,
  notFoundIsFinalAfterMs: null,
  probe: false,
  retryWhenNotApplied: true,
  maxAttempts: 3,
  maxProbes: 12,
  escalateTo: 'operator',
  escalationDueMs: 86_400_000,
  resultBytesMax: 8 * 1024 * 1024,
} as const;

/** What a caller has to say about a tool; everything else has a default. */
export type ToolDeclaration = Pick<ToolManifest, 'name'> & Partial<ToolManifest>;

export function completeManifest(declaration: ToolDeclaration): ToolManifest {
  const effect = declaration.effect ?? 'opaqueWrite';
  const timeoutMs = declaration.timeoutMs ?? DEFAULTS.timeoutMs;
  return {
    ...DEFAULTS,
    effect,
    maxFlightMs: DISPATCH_WINDOW_MS + timeoutMs + 5_000,
    probe:
      effect === 'queryableWrite' ||
      declaration.httpProbe !== undefined ||
      declaration.namedProbe !== undefined,
    onUnknown: effect === 'keyedWrite' || effect === 'queryableWrite' ? 'hold' : 'tell',
    twinGuard: effect !== 'readOnly',
    ...defined(declaration),
  } as ToolManifest;
}

/** What is wrong with a manifest, in words; empty when it can be used. */
export function manifestFaults(manifest: ToolManifest): readonly string[] {
  const faults: string[] = [];
  const shortestFlightMs = DISPATCH_WINDOW_MS + manifest.timeoutMs;
  if (manifest.maxFlightMs < shortestFlightMs) {
    faults.push(`maxFlightMs must be at least ${shortestFlightMs} (dispatch window + timeoutMs)`);
  }
  if (manifest.effect !== 'keyedWrite' && manifest.keyWindowMs > 0) {
    faults.push('keyWindowMs is only for a keyedWrite');
  }
  if (manifest.effect === 'queryableWrite' && !manifest.probe) {
    faults.push('a queryableWrite needs a probe');
  }
  faults.push(...keyFieldFaults(manifest.effect, manifest.keyField), ...probeFaults(manifest));
  if (manifest.voidByKey !== undefined) {
    faults.push(...voidFaults(manifest.voidByKey));
    if (manifest.httpProbe === undefined) faults.push('voidByKey needs an httpProbe beside it');
  }
  faults.push(...compensationFaults(manifest), ...redactFaults(manifest));
  return faults;
}

function redactFaults({ redact = [] }: ToolManifest): readonly string[] {
  const names = redact.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? [] : [`redact names ${twice} twice`];
}

function compensationFaults(manifest: ToolManifest): readonly string[] {
  const { name, effect, compensate, compensateWhenRunFails } = manifest;
  if (compensate === undefined) {
    return compensateWhenRunFails === true ? ['compensateWhenRunFails needs compensate'] : [];
  }
  if (effect === 'readOnly') return ['a readOnly tool has nothing to compensate'];
  return compensate === name ? ['compensate must name another tool'] : [];
}

function probeFaults({ effect, probe, httpProbe, namedProbe }: ToolManifest): readonly string[] {
  if (httpProbe === undefined && namedProbe === undefined) return [];
  const faults = httpProbe === undefined ? [] : [...httpProbeFaults(httpProbe)];
  const what = httpProbe === undefined ? 'namedProbe' : 'httpProbe';
  if (httpProbe !== undefined && namedProbe !== undefined) {
    faults.push('give httpProbe or namedProbe, not both');
  }
  if (!probe) faults.push(`${what} says that the target can be asked: leave out probe: false`);
  if (effect !== 'keyedWrite' && effect !== 'queryableWrite') {
    faults.push(`${what} is only for a keyedWrite or a queryableWrite`);
  }
  return faults;
}

function defined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== undefined),
  ) as Partial<T>;
}

/** Usual tools of coding agents that only read; everything else stays an `opaqueWrite`. */
const READ_ONLY_TOOLS = [
  'read',
  'read_file',
  'Read',
  'Glob',
  'Grep',
  'LS',
  'NotebookRead',
  'WebFetch',
  'WebSearch',
  'list_directory',
  'list_files',
  'search_files',
  'grep',
  'glob',
  'web_search',
  'web_fetch',
  'get_current_time',
] as const;

/** Starter manifests: they hold where a session declares nothing else for the name. */
export const STARTER_MANIFESTS: ReadonlyMap<string, ToolManifest> = new Map(
  READ_ONLY_TOOLS.map((name) => [name, completeManifest({ name, effect: 'readOnly' })]),
);

export function manifestOf(
  name: string,
  declared: Readonly<Record<string, ToolManifest>>,
): ToolManifest {
  return own(declared, name) ?? STARTER_MANIFESTS.get(name) ?? completeManifest({ name });
}
