import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CODEC, EVENT_STORE } from '../tokens.js';
import type { EventOf, SessionEventRecord } from '../domain/events.js';
import type { Segment } from '../domain/events/positions.js';
import { callOfFork } from '../domain/forked.js';
import { callKey, callsIn } from '../domain/past.js';
import { Rejection } from '../domain/rejection.js';
import type { CallState } from '../domain/state.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';

type Forked = EventOf<'Forked'>['data'];

export interface ReadCallAnswer {
  readonly call: CallState;
  readonly records: readonly SessionEventRecord[];
}

/** One tool call from its own events, wherever it stands: open, at rest, or settled late. */
export class ReadCall extends Query<ReadCallAnswer> {
  constructor(
    readonly scope: { readonly tenantId: string; readonly sessionId: string },
    readonly callId: string,
  ) {
    super();
  }
}

@QueryHandler(ReadCall)
export class ReadCallHandler implements IQueryHandler<ReadCall, ReadCallAnswer> {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
  ) {}

  async execute({ scope, callId }: ReadCall): Promise<ReadCallAnswer> {
    const { tenantId, sessionId } = scope;
    const own = await this.recordsOf(tenantId, sessionId, callId);
    const forked = await this.forkOf(tenantId, sessionId);
    const behind: SessionEventRecord[] = [];
    for (const segment of forked?.segments ?? []) {
      const records = await this.recordsOf(tenantId, segment.sessionId, callId);
      behind.push(...records.filter(({ revision }) => isWithin(segment, revision)));
    }
    const records = [...behind, ...own];
    const call = callIn(callId, behind, own, forked);
    if (call === undefined) {
      throw new Rejection('not_found', `session ${scope.sessionId} has no tool call ${callId}`);
    }
    return { call, records };
  }

  private async recordsOf(tenantId: string, sessionId: string, callId: string) {
    const stored = await this.events.findByKeys(sessionStream(tenantId, sessionId), [
      callKey(callId),
    ]);
    return stored.map((event) => this.codec.decode(event));
  }

  private async forkOf(tenantId: string, sessionId: string): Promise<Forked | undefined> {
    const stream = sessionStream(tenantId, sessionId);
    const [first] = await this.events.read(stream, { from: 0, maxCount: 1 });
    const event = first && this.codec.decode(first).event;
    return event?.type === 'Forked' ? event.data : undefined;
  }
}

function isWithin({ from, to }: Segment, revision: number): boolean {
  return from <= revision && revision <= to;
}

/** As the fork has it: what it inherits is as it was at the cut, then as its origin has told. */
function callIn(
  callId: string,
  behind: readonly SessionEventRecord[],
  own: readonly SessionEventRecord[],
  forked: Forked | undefined,
): CallState | undefined {
  const atCut = callsIn(behind).get(callId);
  if (atCut === undefined) return callsIn(own).get(callId);
  const inherited = forked?.inherited.find((one) => one.callId === callId);
  if (inherited === undefined) return atCut;
  return callOfFork(
    atCut,
    inherited,
    own.map(({ event }) => event),
  );
}
