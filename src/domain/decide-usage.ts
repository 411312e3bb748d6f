import type { CommandOf, FurtherCall } from './commands.js';
import type { SessionEvent } from './events.js';
import type { CallCircumstances } from './events/model-events.js';
import type { Cost } from './money.js';
import type { Past } from './past.js';
import { type RecordedCall, circumstancesOf } from './recorded-calls.js';
import { Rejection } from './rejection.js';
import type { SessionState } from './state.js';
import { type Usage, betterUsage, bucketNames, countNames } from './usage.js';

/**
 * Usage that comes after its call was settled: of a stream that was cut, from an owner that had
 * lost the session, out of a provider's bill. Needs no ownership. It takes the place of what is
 * recorded when it is better; a final one is accepted once (usage specification, §2).
 */
export function reportModelUsage(
  command: CommandOf<'ReportModelUsage'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const { modelCallId } = command;
  if (state.modelCall?.modelCallId === modelCallId) {
    throw new Rejection(
      'invalid_state',
      `model call ${modelCallId} is open: its owner settles it`,
      {
        modelCallId,
      },
    );
  }
  const call = past.modelCalls.get(modelCallId);
  if (call === undefined) {
    throw new Rejection('not_found', `this session has no settled model call ${modelCallId}`);
  }
  refuseOtherRequest(command, call);
  const main = isNews(call, command.usage) ? [reported(command, call, command)] : [];
  const further = command.further.flatMap((part) => {
    const known = past.modelCalls.get(part.modelCallId);
    return isNews(known, part.usage, part.modelCallId) ? [reported(command, call, part)] : [];
  });
  return [...main, ...further];
}

function refuseOtherRequest(
  { modelCallId, responseId }: CommandOf<'ReportModelUsage'>,
  call: RecordedCall,
): void {
  if (call.responseId === undefined || responseId === undefined) return;
  if (call.responseId === responseId) return;
  throw new Rejection(
    'usage_conflict',
    `model call ${modelCallId} was answered by ${call.responseId}, not by ${responseId}`,
    { modelCallId, recordedResponseId: call.responseId, reportedResponseId: responseId },
  );
}

/** @throws Rejection `usage_conflict` when a final usage is recorded that says something else. */
function isNews(
  call: RecordedCall | undefined,
  usage: Usage,
  modelCallId = call?.modelCallId,
): boolean {
  const recorded = call?.usage;
  if (recorded === undefined) return true;
  if (saysTheSame(recorded, usage) && recorded.state === usage.state) return false;
  if (recorded.state === 'final') {
    if (usage.state !== 'final') return false;
    throw new Rejection(
      'usage_conflict',
      `model call ${modelCallId} has a final usage already; the first one stays`,
      { modelCallId, recorded: shown(recorded, call?.cost), reported: shown(usage) },
    );
  }
  return betterUsage(recorded, usage) === usage;
}

function saysTheSame(one: Usage, other: Usage): boolean {
  return (
    bucketNames.every((name) => (one.buckets[name] ?? 0) === (other.buckets[name] ?? 0)) &&
    countNames.every((name) => (one.counts[name] ?? 0) === (other.counts[name] ?? 0))
  );
}

function shown({ state, buckets, counts }: Usage, cost?: Cost) {
  return { state, buckets, counts, ...(cost === undefined ? {} : { cost }) };
}

function reported(
  command: CommandOf<'ReportModelUsage'>,
  call: RecordedCall,
  of: Omit<FurtherCall, 'purpose'> & Partial<Pick<CallCircumstances, 'purpose'>>,
): SessionEvent {
  const isMain = of.modelCallId === call.modelCallId;
  const formerCallKey = isMain && of.callKey !== call.callKey ? call.callKey : undefined;
  const { reporter, now } = command;
  return {
    type: 'ModelUsageReported',
    data: {
      ...circumstancesOf(call),
      modelCallId: of.modelCallId,
      purpose: of.purpose ?? call.purpose,
      callKey: of.callKey,
      formerCallKey,
      responseId: isMain ? (command.responseId ?? call.responseId) : undefined,
      requestedModel: isMain ? call.requestedModel : undefined,
      responseModel: of.responseModel ?? (isMain ? call.responseModel : undefined),
      servedTier: of.servedTier,
      speed: of.speed,
      region: of.region,
      usage: of.usage,
      cost: of.cost,
      reporter,
      reportedAt: now,
    },
  };
}

/** As many as one event holds stands in one; the sender sees to the number. */
export function repriceCalls({
  repricingId,
  reason,
  actor,
  now,
  calls,
}: CommandOf<'RepriceCalls'>): readonly SessionEvent[] {
  if (calls.length === 0) return [];
  const data = { repricingId, reason, actor, repricedAt: now, calls };
  return [{ type: 'CallsRepriced', data }];
}
