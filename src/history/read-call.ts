import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CODEC, EVENT_STORE } from '../tokens.js';
import type { SessionEventRecord } from '../domain/events.js';
import { callKey, callsIn } from '../domain/past.js';
import { Rejection } from '../domain/rejection.js';
import type { CallState } from '../domain/state.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';

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
    const stream = sessionStream(scope.tenantId, scope.sessionId);
    const stored = await this.events.findByKeys(stream, [callKey(callId)]);
    const records = stored.map((event) => this.codec.decode(event));
    const call = callsIn(records).get(callId);
    if (call === undefined) {
      throw new Rejection('not_found', `session ${scope.sessionId} has no tool call ${callId}`);
    }
    return { call, records };
  }
}
