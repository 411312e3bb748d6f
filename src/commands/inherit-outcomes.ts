import { Inject, Injectable } from '@nestjs/common';
import { CODEC, EVENT_STORE } from '../tokens.js';
import type { EventOf, SessionEventRecord } from '../domain/events.js';
import type { ResolvedVerdict, ToolResult } from '../domain/events/tool-events.js';
import { evolve } from '../domain/evolve.js';
import { callKey } from '../domain/past.js';
import { type CallStatus, type SessionState, initialState } from '../domain/state.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';
import type { CommandScope } from './command-scope.js';
import { CommandHandling } from './handle-command.js';
import { own } from '../domain/own.js';

type InheritedOutcome = EventOf<'InheritedOutcomeRecorded'>['data'];

export interface LearntOutcome {
  readonly data: InheritedOutcome;
  /** The origin's event; it names the fork's own one, so that it is written once. */
  readonly eventId: string;
}

/**
 * How a fork learns what its origin has found out (reconciliation protocol, §15.2): only the session
 * that made a call settles it, and each fork keeps its own record of the outcome.
 */
@Injectable()
export class InheritOutcomes {
  constructor(
    private readonly handling: CommandHandling,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
  ) {}

  /** Records in the fork what its origins know and it does not. */
  async all(scope: CommandScope, from: SessionState): Promise<SessionState> {
    let state = from;
    for (const [callId, known] of Object.entries(from.inheritedCalls)) {
      for (const learnt of await this.learn(scope.tenantId, callId, known.originSessionId)) {
        if (learnt.data.originRevision <= known.originRevision) continue;
        state = await this.record(scope, learnt);
      }
    }
    return state;
  }

  /** Each final outcome that the call has had at its origin, the newest last. */
  async learn(
    tenantId: string,
    callId: string,
    originSessionId: string,
  ): Promise<readonly LearntOutcome[]> {
    const stream = sessionStream(tenantId, originSessionId);
    const stored = await this.events.findByKeys(stream, [callKey(callId)]);
    if (stored.length === 0) return this.lost(stream, callId, originSessionId);
    const records = stored.map((event) => this.codec.decode(event));
    return outcomesIn(records, callId, originSessionId);
  }

  /** Nobody is left who could find it out. */
  private async lost(
    stream: string,
    callId: string,
    originSessionId: string,
  ): Promise<readonly LearntOutcome[]> {
    if ((await this.events.head(stream)) !== 'noStream') return [];
    const data = { callId, originSessionId, originRevision: 0, state: 'abandoned' as const };
    return [{ data, eventId: `lost:${originSessionId}:${callId}` }];
  }

  private async record(
    scope: CommandScope,
    { data, eventId }: LearntOutcome,
  ): Promise<SessionState> {
    const own = { ...scope, idempotencyKey: undefined, ifRevision: undefined };
    const { state } = await this.handling.handle(own, (context) => [
      {
        type: 'RecordInheritedOutcome',
        commandId: eventId,
        now: context.now,
        callId: data.callId,
        outcome: data,
      },
    ]);
    return state;
  }
}

const FINAL: ReadonlySet<CallStatus> = new Set<ResolvedVerdict>([
  'completed',
  'failed',
  'applied',
  'notApplied',
  'abandoned',
  'compensated',
]);

function outcomesIn(
  records: readonly SessionEventRecord[],
  callId: string,
  originSessionId: string,
): readonly LearntOutcome[] {
  const outcomes: LearntOutcome[] = [];
  let state = initialState;
  let result: ToolResult | undefined;
  for (const { event, eventId, revision } of records) {
    const before = own(state.calls, callId)?.status;
    state = evolve({ ...state, revision: revision - 1 }, event);
    if (event.type === 'ToolResultRecorded' || event.type === 'ToolLateResultReceived') {
      result = event.data.result;
    }
    const status = own(state.calls, callId)?.status;
    if (status === before || status === undefined || !isFinal(status)) continue;
    const hasResult = status === 'completed' || status === 'failed';
    const data = { callId, originSessionId, originRevision: revision, state: status };
    outcomes.push({ eventId, data: { ...data, ...(hasResult ? { result } : {}) } });
  }
  return outcomes;
}

function isFinal(status: CallStatus): status is ResolvedVerdict {
  return FINAL.has(status);
}
