import { Inject, Injectable } from '@nestjs/common';
import { CODEC, EVENT_STORE } from '../tokens.js';
import type { Segment, StreamPosition } from '../domain/events/positions.js';
import { idKey } from '../domain/past.js';
import { Rejection } from '../domain/rejection.js';
import { segmentOf, segmentsOf } from '../domain/shown.js';
import { type SessionState, callsOf, isUnresolved } from '../domain/state.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';
import type { CutBody } from './dto/cut-body.js';
import { SessionRepository } from './session-repository.js';

/** A place of a session's history, with the state of the session whose stream it lies in. */
export interface Cut {
  readonly at: StreamPosition;
  readonly then: SessionState;
}

export type CutSide = 'before' | 'through';

/** An assistant message whose calls are not all answered at a place. */
interface OpenGroup {
  readonly messageId: string;
}

/** Finds the place of a history that a fork or a revert names. */
@Injectable()
export class FindCut {
  constructor(
    private readonly sessions: SessionRepository,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
  ) {}

  /**
   * @param messageSide on which side of a message the place lies if the request does not say it.
   * @returns undefined if the request names no place.
   * @throws Rejection `invalid_request`, `not_found`
   */
  async find(
    tenantId: string,
    state: SessionState,
    body: CutBody,
    messageSide: CutSide,
  ): Promise<Cut | undefined> {
    if (body.messageId !== undefined && body.at !== undefined) {
      throw new Rejection('invalid_request', 'give `at` or `messageId`, not both');
    }
    const at =
      body.messageId === undefined
        ? await this.byRevision(tenantId, state, body)
        : await this.byMessage(tenantId, state, body.messageId, body.side ?? messageSide);
    if (at === undefined) return undefined;
    const isHead = at.sessionId === state.sessionId && at.revision === state.revision;
    return { at, then: isHead ? state : await this.stateAt(tenantId, at) };
  }

  private async byRevision(
    tenantId: string,
    state: SessionState,
    { at, atSession = state.sessionId, side }: CutBody,
  ): Promise<StreamPosition | undefined> {
    if (at === undefined) return undefined;
    const place = { sessionId: atSession, revision: at };
    const segment = segmentsOf(state)[segmentOf(state, place) ?? -1];
    if (segment === undefined) throw noSuchPlace(state, place);
    if (side === undefined) return place;
    const open = openGroup(await this.stateAt(tenantId, place));
    if (open === undefined) return place;
    return side === 'before'
      ? this.beforeMessage(tenantId, segment, open.messageId)
      : ((await this.endOfGroup(tenantId, segment, at, open)) ?? place);
  }

  private async byMessage(
    tenantId: string,
    state: SessionState,
    messageId: string,
    side: CutSide,
  ): Promise<StreamPosition> {
    for (const segment of segmentsOf(state).toReversed()) {
      const { sessionId } = segment;
      const found = await this.messageIn(tenantId, segment, messageId);
      if (found === undefined) continue;
      const { revision, isAnswer } = found;
      if (side === 'before') return { sessionId, revision: revision - 1 };
      if (!isAnswer) return { sessionId, revision };
      const end = await this.endOfGroup(tenantId, segment, revision, { messageId });
      return end ?? this.lastOfMessage(tenantId, segment, revision);
    }
    throw new Rejection('not_found', `this conversation has no message ${messageId}`);
  }

  /** Where a user's message was delivered, or the model call of an answer was started. */
  private async messageIn(
    tenantId: string,
    { sessionId, from, to }: Segment,
    messageId: string,
  ): Promise<{ readonly revision: number; readonly isAnswer: boolean } | undefined> {
    const stream = sessionStream(tenantId, sessionId);
    const stored = await this.events.findByKeys(stream, [idKey(messageId)]);
    for (const one of stored) {
      const { revision } = one;
      if (revision < from || revision > to) continue;
      const event = this.codec.eventOf(one);
      const isAnswer = event.type === 'ModelCallStarted' && event.data.messageId === messageId;
      const isInput = event.type === 'InputDelivered' && event.data.messageId === messageId;
      if (isAnswer || isInput) return { revision, isAnswer };
    }
    return undefined;
  }

  private async beforeMessage(
    tenantId: string,
    segment: Segment,
    messageId: string,
  ): Promise<StreamPosition> {
    const found = await this.messageIn(tenantId, segment, messageId);
    return { sessionId: segment.sessionId, revision: (found?.revision ?? 1) - 1 };
  }

  /** The first place from which all calls of the message have their result, if there is one. */
  private async endOfGroup(
    tenantId: string,
    segment: Segment,
    from: number,
    { messageId }: OpenGroup,
  ): Promise<StreamPosition | undefined> {
    const { sessionId, to } = segment;
    for await (const { state, type } of this.statesFrom(tenantId, { ...segment, from })) {
      if (state.revision > from && type === 'ModelCallStarted') return undefined;
      const isOpen =
        state.modelCall?.messageId === messageId || openGroup(state)?.messageId === messageId;
      if (!isOpen && state.revision <= to) return { sessionId, revision: state.revision };
    }
    return undefined;
  }

  /** The last place before the next model call. */
  private async lastOfMessage(
    tenantId: string,
    segment: Segment,
    from: number,
  ): Promise<StreamPosition> {
    let revision = from;
    for await (const { state, type } of this.statesFrom(tenantId, { ...segment, from })) {
      if (state.revision > from && type === 'ModelCallStarted') break;
      revision = state.revision;
    }
    return { sessionId: segment.sessionId, revision };
  }

  private statesFrom(tenantId: string, { sessionId, from, to }: Segment) {
    return this.sessions.statesFrom(sessionStream(tenantId, sessionId), from, to);
  }

  private stateAt(tenantId: string, { sessionId, revision }: StreamPosition) {
    return this.sessions.loadAt(sessionStream(tenantId, sessionId), revision);
  }
}

/** The newest answer, if a call of it is neither settled nor another session's. */
function openGroup(state: SessionState): OpenGroup | undefined {
  if (state.modelCall?.purpose === 'turn') return { messageId: state.modelCall.messageId };
  const open = callsOf(state).findLast(
    (call) => isUnresolved(call) && call.originSessionId === undefined,
  );
  return open && { messageId: open.messageId };
}

function noSuchPlace(state: SessionState, place: StreamPosition): Rejection {
  const isOwn = place.sessionId === state.sessionId;
  return new Rejection(
    'invalid_request',
    isOwn
      ? `the session's newest revision is ${state.revision}`
      : `this session inherits nothing from ${place.sessionId} at revision ${place.revision}`,
    isOwn ? { revision: state.revision } : { segments: state.segments },
  );
}
