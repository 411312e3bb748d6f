import { buildHistory } from '../../src/context/history.js';
import { sourceFromRecords } from '../../src/context/source-from-records.js';
import type { SessionEventRecord } from '../../src/domain/events.js';
import { evolve } from '../../src/domain/evolve.js';
import { type SessionState, initialState, statusOf } from '../../src/domain/state.js';
import { type Usage, betterUsage, sumBuckets, totalTokens } from '../../src/domain/usage.js';

export function stateOf(records: readonly SessionEventRecord[]): SessionState {
  return records.reduce((state, { event }) => evolve(state, event), initialState);
}

/** What a model would be shown, without places in the log. */
export function conversationOf(records: readonly SessionEventRecord[]): readonly unknown[] {
  const source = sourceFromRecords(records, records[0]!.sessionId);
  const { items } = buildHistory({ ...source, deliverNext: [] });
  const summary = source.summary === undefined ? [] : [{ summary: source.summary.text }];
  const shown = items.map((item) => {
    if (item.kind === 'user') return { user: item.content };
    if (item.kind === 'context') return { context: item.text };
    const { messageId, model, blocks } = item;
    return { messageId, model, blocks };
  });
  return [...summary, ...shown];
}

interface PaidCall {
  readonly usage: Usage;
  readonly amountPico: string | null;
  readonly sessionId: string;
}

/** One entry per request to a provider, with the best report of it. */
export function paidCalls(records: Iterable<SessionEventRecord>): ReadonlyMap<string, PaidCall> {
  const calls = new Map<string, PaidCall>();
  for (const { event, sessionId } of records) {
    if (event.type !== 'ModelCallSettled' || event.data.usage === undefined) continue;
    const { callKey, usage, cost } = event.data;
    const known = calls.get(callKey);
    if (known !== undefined && betterUsage(known.usage, usage) === known.usage) continue;
    calls.set(callKey, { usage, amountPico: cost?.amountPico ?? null, sessionId });
  }
  return calls;
}

export function totalsOf(records: Iterable<SessionEventRecord>) {
  const calls = [...paidCalls(records).values()];
  const used = calls.filter(({ usage }) => usage.state !== 'unknown');
  const buckets = sumBuckets(used.map(({ usage }) => usage.buckets));
  return {
    calls: used.length,
    unknownCalls: calls.length - used.length,
    buckets,
    totalTokens: totalTokens({ buckets }),
    pico: used.reduce((sum, { amountPico }) => sum + BigInt(amountPico ?? 0), 0n).toString(),
  };
}

/** Each call by the log's own id, with what became of it. */
export function outcomesOf(records: readonly SessionEventRecord[]) {
  const outcomes = new Map<string, string>();
  let state = initialState;
  for (const { event } of records) {
    state = evolve(state, event);
    for (const call of Object.values(state.calls)) {
      const skipped = call.skipReason === undefined ? '' : ` ${call.skipReason}`;
      outcomes.set(call.providerCallId ?? call.callId, call.status + skipped);
    }
  }
  return Object.fromEntries(outcomes);
}

/** Everything that must not depend on how often, in which parts and in which order was imported. */
export function endState(records: readonly SessionEventRecord[]) {
  const state = stateOf(records);
  // Raw text is kept again for records whose events a broken import had not appended yet.
  const audited = records.filter(
    ({ event }) => event.type === 'ImportedRecordKept' && event.data.kind !== 'rawRecords',
  );
  return {
    conversation: conversationOf(records),
    outcomes: outcomesOf(records),
    totals: totalsOf(records),
    status: statusOf(state),
    run: state.run?.status,
    inputs: state.counters.inputs,
    messages: state.counters.assistantMessages,
    toolCalls: state.counters.toolCalls,
    compactions: state.counters.compactions,
    audited: audited.length,
  };
}

export function isAtRest(records: readonly SessionEventRecord[]): boolean {
  const state = stateOf(records);
  const running = Object.values(state.calls).filter((call) =>
    ['requested', 'running', 'retryAuthorized'].includes(call.status),
  );
  return (
    state.recoveryMode === 'manual' &&
    state.epoch === 0 &&
    state.run?.owned !== true &&
    state.modelCall === undefined &&
    state.compaction === undefined &&
    running.length === 0 &&
    !state.pendingInputs.some((input) => input.resume) &&
    statusOf(state) !== 'scheduled'
  );
}
