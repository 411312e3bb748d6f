import { type CallState, type SessionState, callsOf, isOursToSettle } from './state.js';
import type { ToolManifest } from './tool-manifest.js';

/** What a worker said of itself when it claimed. */
export interface RunSetup {
  readonly profileVersion?: string;
  /** The tools that it can call. */
  readonly toolNames?: readonly string[];
  /** Of what these tools promise; keyed. */
  readonly toolSetHash?: string;
}

/** Something that the worker of the last claim had otherwise. */
export interface SetupDifference {
  readonly what: 'profileVersion' | 'toolAdded' | 'toolMissing' | 'toolPromises';
  readonly tool?: string;
  readonly before?: string;
  readonly now?: string;
  /** An open call depends on it: the run goes on only when that is confirmed. */
  readonly isIncompatible: boolean;
}

/** What a tool promises now, by name; those of which nothing is known are missing. */
export type PromisesNow = Readonly<Record<string, ToolManifest>>;

/** How a worker differs from the one before it, and from what open calls were requested with. */
export function differencesOf(
  state: SessionState,
  setup: RunSetup | undefined,
  promises: PromisesNow,
): readonly SetupDifference[] {
  if (setup === undefined) return [];
  const before = state.setup ?? {};
  const names = [...namesAdded(before, setup), ...namesMissing(before, setup, state)];
  return [
    ...versions(before, setup),
    ...names,
    ...(names.length === 0 ? promisesOfSet(before, setup) : []),
    ...callsOf(state)
      .filter(isOursToSettle)
      .flatMap((call) => brokenPromise(call, promises)),
  ];
}

function versions(before: RunSetup, now: RunSetup): readonly SetupDifference[] {
  const changed =
    before.profileVersion !== undefined &&
    now.profileVersion !== undefined &&
    before.profileVersion !== now.profileVersion;
  if (!changed) return [];
  const { profileVersion } = now;
  return [
    {
      what: 'profileVersion',
      before: before.profileVersion,
      now: profileVersion,
      isIncompatible: false,
    },
  ];
}

function namesAdded(before: RunSetup, now: RunSetup): readonly SetupDifference[] {
  const known = before.toolNames;
  if (known === undefined || now.toolNames === undefined) return [];
  return now.toolNames
    .filter((tool) => !known.includes(tool))
    .map((tool) => ({ what: 'toolAdded', tool, isIncompatible: false }));
}

/** Tools that the last worker had, and those of open calls whoever requested them. */
function namesMissing(
  before: RunSetup,
  { toolNames }: RunSetup,
  state: SessionState,
): readonly SetupDifference[] {
  if (toolNames === undefined) return [];
  const needed = new Set(
    callsOf(state)
      .filter(isOursToSettle)
      .map(({ tool }) => tool),
  );
  const missing = [...new Set([...(before.toolNames ?? []), ...needed])];
  return missing
    .filter((tool) => !toolNames.includes(tool))
    .map((tool) => ({ what: 'toolMissing', tool, isIncompatible: needed.has(tool) }));
}

function promisesOfSet(before: RunSetup, now: RunSetup): readonly SetupDifference[] {
  const known = before.toolSetHash;
  if (known === undefined || now.toolSetHash === undefined || known === now.toolSetHash) return [];
  return [{ what: 'toolPromises', before: known, now: now.toolSetHash, isIncompatible: false }];
}

/** What may be done with the call rests on a promise that nobody gives any more. */
function brokenPromise(call: CallState, promises: PromisesNow): readonly SetupDifference[] {
  const { tool, effect } = call;
  const now = Object.hasOwn(promises, tool) ? promises[tool] : undefined;
  if (now === undefined || now.effect === effect || effect === 'opaqueWrite') return [];
  return [{ what: 'toolPromises', tool, before: effect, now: now.effect, isIncompatible: true }];
}
