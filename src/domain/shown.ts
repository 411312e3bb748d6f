import type { FactPointer, Segment, Shown, StreamPosition } from './events/positions.js';
import type { SessionState } from './state.js';

/** What a session consists of: its ancestors' parts by reference, then its own stream. */
export function segmentsOf(state: SessionState): readonly Segment[] {
  return [...state.segments, { sessionId: state.sessionId, from: 0, to: state.revision }];
}

export function shownBy({ watermark, facts, hidden }: SessionState): Shown {
  return { watermark, facts: Object.values(facts), hidden };
}

export function showing(state: SessionState, shown: Shown): SessionState {
  const isSameSummary = shown.watermark?.compactionId === state.watermark?.compactionId;
  return {
    ...state,
    watermark: shown.watermark,
    facts: Object.fromEntries(shown.facts.map((fact) => [fact.factId, fact])),
    hidden: shown.hidden,
    compactedSinceModelCall: isSameSummary && state.compactedSinceModelCall,
  };
}

/**
 * What a session shows after going back to `to`, where it showed `then`: everything behind `to` is
 * hidden, and facts have the words of that time, or are retired if there were none.
 */
export function shownAgain(state: SessionState, to: StreamPosition, then: Shown): Shown {
  const older = new Map(then.facts.map((fact) => [fact.factId, fact]));
  const facts = Object.values(state.facts).map((now): FactPointer => {
    const before = older.get(now.factId);
    return before === undefined ? { ...now, retired: true } : withNewest(before, now);
  });
  return { watermark: then.watermark, facts, hidden: hiddenBehind(state, to, then.hidden) };
}

/** What a session showed before it was reverted, with the facts that were recorded since. */
export function shownBefore(state: SessionState, revertedAt: number, before: Shown): Shown {
  const older = new Map(before.facts.map((fact) => [fact.factId, fact]));
  const facts = Object.values(state.facts).map((now): FactPointer => {
    const isNew = now.at.sessionId === state.sessionId && now.at.revision > revertedAt;
    const fact = older.get(now.factId);
    return isNew || fact === undefined ? now : withNewest(fact, now);
  });
  return { watermark: before.watermark, facts, hidden: before.hidden };
}

/** Versions that a fact has had, the hidden ones too. */
export function newestVersion(fact: FactPointer | undefined): number {
  return fact === undefined ? 0 : Math.max(fact.version, fact.newestVersion ?? 0);
}

function withNewest(fact: FactPointer, now: FactPointer): FactPointer {
  const newest = newestVersion(now);
  return newest === fact.version ? fact : { ...fact, newestVersion: newest };
}

export function isHidden(place: StreamPosition, hidden: readonly Segment[]): boolean {
  return hidden.some(
    ({ sessionId, from, to }) =>
      sessionId === place.sessionId && from <= place.revision && place.revision <= to,
  );
}

/** `undefined` if the session's history has no such place. */
export function segmentOf(state: SessionState, place: StreamPosition): number | undefined {
  const index = segmentsOf(state).findIndex(
    ({ sessionId, from, to }) =>
      sessionId === place.sessionId && from <= place.revision && place.revision <= to,
  );
  return index < 0 ? undefined : index;
}

function hiddenBehind(
  state: SessionState,
  to: StreamPosition,
  before: readonly Segment[],
): readonly Segment[] {
  return [...before, ...segmentsBehind(state, to)];
}

/** What of a session's history comes after a place of it. */
export function segmentsBehind(state: SessionState, place: StreamPosition): readonly Segment[] {
  const segments = segmentsOf(state);
  const index = segmentOf(state, place)!;
  const rest = { ...segments[index]!, from: place.revision + 1 };
  return [rest, ...segments.slice(index + 1)].filter(({ from, to }) => from <= to);
}

/** What two histories have in common: the same events, since segments are read by reference. */
export function commonPrefix(
  one: readonly Segment[],
  other: readonly Segment[],
): readonly Segment[] {
  const common: Segment[] = [];
  for (const [index, segment] of one.entries()) {
    const twin = other[index];
    if (twin?.sessionId !== segment.sessionId || twin.from !== segment.from) break;
    common.push({ ...segment, to: Math.min(segment.to, twin.to) });
    if (segment.to !== twin.to) break;
  }
  return common;
}
