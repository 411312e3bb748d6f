import type { SessionEvent } from '../../domain/events.js';
import { callsOf, isUnresolved } from '../../domain/state.js';
import { unknownUsage } from '../../domain/usage.js';
import { derivedId } from '../../identity/derived-ids.js';
import type { KnownSession } from '../known-session.js';
import { beginningOf } from '../../domain/content-preview.js';
import { type LogLine, isObject } from './log-line.js';
import { IMPORTED_EPOCH } from '../imported-epoch.js';

/** A `compact_boundary` line: what its summary, which follows, does not say itself. */
export interface Boundary {
  readonly key: string;
  readonly trigger: 'auto' | 'manual' | 'imported';
  readonly tokensBefore?: number;
  readonly time: string;
}

const SUMMARY_CHARACTERS_MAX = 40_000;

export function boundaryOf(line: LogLine, key: string, time: string): Boundary {
  const metadata = line.value['compactMetadata'];
  const given = isObject(metadata) ? metadata : {};
  const { trigger, preTokens } = given;
  return {
    key,
    time,
    trigger: trigger === 'auto' || trigger === 'manual' ? trigger : 'imported',
    ...(Number.isSafeInteger(preTokens) ? { tokensBefore: preTokens as number } : {}),
  };
}

/**
 * The request that made the summary: the log never says what it used, so that is unknown. `before`:
 * how many events of the same unit stand before these.
 */
export function compactionCall(
  known: KnownSession,
  { key, time }: Boundary,
  runId: string,
  before: number,
): readonly SessionEvent[] {
  const modelCallId = compactionCallId(known, key);
  if (known.settled.has(modelCallId)) return [];
  const call = { modelCallId, runId, purpose: 'compaction' } as const;
  return [
    {
      type: 'ModelCallStarted',
      data: {
        ...call,
        messageId: derivedId('imported-message', modelCallId),
        epoch: IMPORTED_EPOCH,
        inputRevision: known.revision + before,
        startedAt: time,
      },
    },
    {
      type: 'ModelCallSettled',
      data: {
        ...call,
        outcome: 'completed',
        providerReached: 'yes',
        callKey: `claude-code-compaction:${known.state.sessionId}/${key}`,
        startedAt: time,
        endedAt: time,
        usage: unknownUsage('imported'),
        cost: { amountPico: null, currency: 'USD', source: 'local', reason: 'usage_unknown' },
      },
    },
  ];
}

function compactionCallId(known: KnownSession, boundaryKey: string): string {
  return derivedId('imported-compaction-call', known.state.sessionId, boundaryKey);
}

export function compacted(
  known: KnownSession,
  summary: string,
  of: { readonly boundary?: Boundary; readonly key: string; readonly runId: string },
  before: number,
): readonly SessionEvent[] {
  const { boundary, key, runId } = of;
  const { state } = known;
  const { sessionId } = state;
  const started = state.revision + before + 1;
  const compactionId = derivedId('imported-compaction', sessionId, boundary?.key ?? key);
  const range = {
    coveredFrom: state.watermark?.keptFrom ?? { sessionId, revision: 0 },
    coveredTo: { sessionId, revision: started - 1 },
    keptFrom: { sessionId, revision: started + 2 },
  };
  const trigger = boundary?.trigger ?? 'imported';
  const shared = { compactionId, ...range, trigger, tokensBefore: boundary?.tokensBefore };
  return [
    { type: 'CompactionStarted', data: { ...shared, runId, epoch: IMPORTED_EPOCH } },
    {
      type: 'Compacted',
      data: {
        ...shared,
        summary: beginningOf(summary, SUMMARY_CHARACTERS_MAX),
        openCalls: callsOf(state)
          .filter(isUnresolved)
          .map((call) => call.callId),
        ...(boundary === undefined ? {} : { modelCallId: compactionCallId(known, boundary.key) }),
      },
    },
  ];
}
