import type { EventOf, SessionEvent } from './events.js';
import type { CallCircumstances } from './events/model-events.js';
import type { Cost } from './money.js';
import { type Usage, betterUsage } from './usage.js';

/** A provider request as it stands after its settlement, late usage and re-pricings. */
export interface RecordedCall extends CallCircumstances {
  readonly usage?: Usage;
  /** What it costs as far as is known now. */
  readonly cost?: Cost;
  /** What it was recorded with, when it was re-priced since. */
  readonly recordedCost?: Cost;
}

/** The model calls that these events of one session settle, in order; by id. */
export function recordedCalls(events: Iterable<SessionEvent>): Map<string, RecordedCall> {
  const calls = new Map<string, RecordedCall>();
  for (const event of events) recordInto(calls, event);
  return calls;
}

/** Changes `calls` to what it is after the event. */
export function recordInto(calls: Map<string, RecordedCall>, event: SessionEvent): void {
  switch (event.type) {
    case 'ModelCallSettled':
    case 'ModelUsageReported':
      return counted(calls, event.data);
    case 'CallsRepriced':
      return repriced(calls, event.data);
    default:
      return;
  }
}

function counted(
  calls: Map<string, RecordedCall>,
  data: EventOf<'ModelCallSettled'>['data'] | EventOf<'ModelUsageReported'>['data'],
): void {
  const { usage, cost } = data;
  const known = calls.get(data.modelCallId);
  if (known?.usage !== undefined && usage !== undefined) {
    if (betterUsage(known.usage, usage) !== usage) return;
  } else if (known?.usage !== undefined) {
    return;
  }
  calls.set(data.modelCallId, { ...circumstancesOf(data), usage, cost });
}

export function circumstancesOf(call: CallCircumstances): CallCircumstances {
  const { modelCallId, purpose, runId, callKey, provider, responseId } = call;
  const { requestedModel, requestedTier, responseModel, servedTier } = call;
  const { speed, region, startedAt, reservation } = call;
  return {
    modelCallId,
    purpose,
    runId,
    callKey,
    provider,
    responseId,
    requestedModel,
    requestedTier,
    responseModel,
    servedTier,
    speed,
    region,
    startedAt,
    reservation,
  };
}

function repriced(
  calls: Map<string, RecordedCall>,
  { calls: changed }: EventOf<'CallsRepriced'>['data'],
): void {
  for (const { modelCallId, cost } of changed) {
    const call = calls.get(modelCallId);
    if (call === undefined) continue;
    calls.set(modelCallId, { ...call, cost, recordedCost: call.recordedCost ?? call.cost });
  }
}
