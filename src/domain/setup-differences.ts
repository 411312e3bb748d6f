import type { PromisesNow, RunSetup, SetupDifference } from './run-setup.js';
import { type CallState, type SessionState, callsOf, isOursToSettle } from './state.js';
import { own } from './own.js';

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
  const now = own(promises, tool);
  if (now === undefined || now.effect === effect || effect === 'opaqueWrite') return [];
  return [{ what: 'toolPromises', tool, before: effect, now: now.effect, isIncompatible: true }];
}
