import { evolve } from '../domain/evolve.js';
import { type SessionState, initialState } from '../domain/state.js';
import { assembleSource } from './assemble-source.js';
import type { ContextSource, ResolvedArtifact } from './context-source.js';
import { withoutLostSummary } from './erased-parts.js';
import { type HistoryRecord, isObject, readableRecords } from './history-record.js';

/**
 * The source at the end of a whole stream prefix: `records` are all events of session `sessionId`
 * up to some revision, after those of the segments that a fork reads from its ancestors.
 */
export function sourceFromRecords(
  records: readonly HistoryRecord[],
  sessionId: string,
  artifacts?: ReadonlyMap<string, ResolvedArtifact>,
): ContextSource {
  const state = withoutLostSummary(stateFromRecords(records, sessionId), records);
  const from = windowStart(records, state);
  const source = assembleSource({
    state,
    window: records.slice(from),
    found: records.slice(0, from),
  });
  return artifacts === undefined ? source : { ...source, artifacts };
}

/** The session's state after its own records; what makes no sense in them is passed over. */
export function stateFromRecords(
  records: readonly HistoryRecord[],
  sessionId: string,
): SessionState {
  let state: SessionState = { ...initialState, sessionId };
  for (const { sessionId: owner, revision, event } of readableRecords(records).records) {
    if (owner !== sessionId) continue;
    try {
      state = { ...evolve({ ...state, revision: revision - 1 }, event), sessionId };
    } catch {
      // A log from elsewhere can hold an event that no decision of ours would have made.
    }
  }
  return withSoundPointers(state);
}

function withSoundPointers(state: SessionState): SessionState {
  const { watermark, facts } = state;
  const isSound = isObject(watermark?.at) && isObject(watermark?.keptFrom);
  return {
    ...state,
    watermark: isSound ? watermark : undefined,
    facts: Object.fromEntries(Object.entries(facts).filter(([, fact]) => isObject(fact.at))),
  };
}

function windowStart(records: readonly HistoryRecord[], state: SessionState): number {
  if (state.watermark === undefined) return 0;
  const { keptFrom } = state.watermark;
  const start = records.findIndex(
    (record) => record.sessionId === keptFrom.sessionId && record.revision >= keptFrom.revision,
  );
  return Math.max(start, 0);
}
