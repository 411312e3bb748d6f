import { Inject, Injectable } from '@nestjs/common';
import { ARTIFACTS, CODEC, EVENT_STORE } from '../tokens.js';
import { SessionRepository } from '../commands/session-repository.js';
import { assembleSource, missingFrom } from '../context/assemble-source.js';
import type { ContextSource } from '../context/context-source.js';
import { withoutLostSummary } from '../context/erased-parts.js';
import type { HistoryRecord } from '../context/history-record.js';
import type { MissingEvents, SourceParts } from '../context/source-parts.js';
import { sessionErased } from '../domain/decide-erasure.js';
import type { SessionEventRecord } from '../domain/events.js';
import type { Segment, StreamPosition } from '../domain/events/positions.js';
import { factKey, idKey, callKey } from '../domain/past.js';
import { Rejection } from '../domain/rejection.js';
import { segmentsOf } from '../domain/shown.js';
import { type SessionState, exists } from '../domain/state.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { ArtifactStore } from '../storage/artifact-store.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';
import { RecentRecords } from './recent-records.js';
import { WholeContent } from './whole-content.js';

const PAGE_EVENTS = 1_000;

export interface ReadHistory {
  readonly state: SessionState;
  readonly source: ContextSource;
}

/**
 * Reads what a model input is made of: the kept window of the stream, a fork's inherited part by
 * reference, and the few events before it that the window speaks of. Reads only what it returns.
 */
@Injectable()
export class HistoryReader {
  private readonly recent: RecentRecords;
  private readonly whole: WholeContent;

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    @Inject(ARTIFACTS) artifacts: ArtifactStore,
    private readonly sessions: SessionRepository,
  ) {
    this.recent = new RecentRecords(events, codec);
    this.whole = new WholeContent(artifacts);
  }

  /** @throws Rejection `not_found`; `invalid_request` for a revision that does not exist. */
  async read(tenantId: string, sessionId: string, at?: number): Promise<ReadHistory> {
    const state = await this.readable(tenantId, sessionId, at);
    let parts = await this.partsOf(tenantId, state);
    const readable = withoutLostSummary(state, parts.found);
    if (readable !== state) parts = await this.partsOf(tenantId, readable);
    return { state, source: await this.sourceOf(tenantId, parts) };
  }

  private async partsOf(tenantId: string, state: SessionState): Promise<SourceParts> {
    const window = await this.windowOf(tenantId, state);
    let parts: SourceParts = { state, window, found: [] };
    for (let round = 0; round < 2; round += 1) {
      const more = await this.find(tenantId, state, missingFrom(parts));
      if (more.length === 0) break;
      parts = { ...parts, found: [...parts.found, ...more] };
    }
    return parts;
  }

  /** With the whole of what was too large for an event. */
  private async sourceOf(tenantId: string, parts: SourceParts): Promise<ContextSource> {
    const { state, window, found } = parts;
    const lineage = segmentsOf(state).map(({ sessionId }) => sessionId);
    const whole = await this.whole.of(tenantId, [...window, ...found], lineage);
    if (whole === undefined) return assembleSource(parts);
    const { records, artifacts, unread } = whole;
    const { length } = window;
    const read = { state, window: records.slice(0, length), found: records.slice(length) };
    return { ...assembleSource(read), artifacts, unreadArtifacts: unread };
  }

  /**
   * As `stateOf`, for whoever reads content.
   * @throws Rejection `session_erased`
   */
  async readable(tenantId: string, sessionId: string, at?: number): Promise<SessionState> {
    const state = await this.stateOf(tenantId, sessionId, at);
    const current = at === undefined ? state : await this.stateOf(tenantId, sessionId);
    if (current.erasure !== undefined) throw sessionErased(current);
    return state;
  }

  /** Drops what is in memory of the session's content. */
  forget(tenantId: string, sessionId: string): void {
    this.recent.forget(sessionStream(tenantId, sessionId));
    this.whole.forget({ tenantId, sessionId });
  }

  async stateOf(tenantId: string, sessionId: string, at?: number): Promise<SessionState> {
    const stream = sessionStream(tenantId, sessionId);
    const current = await this.sessions.loadCurrent(stream);
    if (!exists(current)) throw new Rejection('not_found', `there is no session ${sessionId}`);
    if (at === undefined || at === current.revision) return current;
    if (at > current.revision) {
      throw new Rejection(
        'invalid_request',
        `the session's newest revision is ${current.revision}`,
        {
          revision: current.revision,
        },
      );
    }
    return this.sessions.loadAt(stream, at);
  }

  /** Every event of the session in order, the inherited part first, one page at a time. */
  async *all(tenantId: string, state: SessionState): AsyncIterable<readonly SessionEventRecord[]> {
    for (const segment of segmentsOf(state)) yield* this.pages(tenantId, segment);
  }

  /** Events of the session's history by their keys, in order; nothing that came later than it. */
  async byKeys(
    tenantId: string,
    state: SessionState,
    keys: readonly string[],
  ): Promise<readonly SessionEventRecord[]> {
    const found: SessionEventRecord[] = [];
    for (const { sessionId, from, to } of segmentsOf(state)) {
      for (const record of await this.inStream(tenantId, sessionId, keys)) {
        if (from <= record.revision && record.revision <= to) found.push(record);
      }
    }
    return found;
  }

  /** Events at known places, each once; a place without one is passed over. */
  async recordsAt(
    tenantId: string,
    places: readonly StreamPosition[],
  ): Promise<readonly SessionEventRecord[]> {
    const found: SessionEventRecord[] = [];
    const read = new Set<string>();
    for (const { sessionId, revision } of places) {
      const stream = sessionStream(tenantId, sessionId);
      if (read.has(`${stream}@${revision}`)) continue;
      read.add(`${stream}@${revision}`);
      const range = { from: revision, to: revision, maxCount: 1 };
      for (const stored of await this.events.read(stream, range)) {
        found.push(this.codec.decode(stored));
      }
    }
    return found;
  }

  private async windowOf(tenantId: string, state: SessionState): Promise<readonly HistoryRecord[]> {
    const window: HistoryRecord[] = [];
    for (const segment of segmentsFrom(state, state.watermark?.keptFrom)) {
      for (const record of await this.recent.read(tenantId, segment)) window.push(record);
    }
    return window;
  }

  /** The segment's events, one page at a time. */
  async *pages(tenantId: string, segment: Segment): AsyncIterable<readonly SessionEventRecord[]> {
    const stream = sessionStream(tenantId, segment.sessionId);
    for (let from = segment.from; from <= segment.to;) {
      const page = await this.events.read(stream, {
        from,
        to: segment.to,
        maxCount: PAGE_EVENTS,
      });
      if (page.length === 0) return;
      yield page.map((stored) => this.codec.decode(stored));
      from = page.at(-1)!.revision + 1;
    }
  }

  private async find(
    tenantId: string,
    state: SessionState,
    missing: MissingEvents,
  ): Promise<readonly SessionEventRecord[]> {
    const found = [...(await this.recordsAt(tenantId, missing.positions))];
    for (const { sessionId, inputId } of missing.inputs) {
      found.push(...(await this.inStream(tenantId, sessionId, [idKey(inputId)])));
    }
    // Older words of a fact, or the request of a call, can stand in any ancestor of a fork.
    const keys = [
      ...missing.calls.map(({ callId }) => callKey(callId)),
      ...missing.factsBefore.map(({ factId }) => factKey(factId)),
    ];
    if (keys.length > 0) found.push(...(await this.byKeys(tenantId, state, keys)));
    return found;
  }

  private async inStream(
    tenantId: string,
    sessionId: string,
    keys: readonly string[],
  ): Promise<readonly SessionEventRecord[]> {
    const stored = await this.events.findByKeys(sessionStream(tenantId, sessionId), keys);
    return stored.map((event) => this.codec.decode(event));
  }
}

function segmentsFrom(state: SessionState, start: StreamPosition | undefined): readonly Segment[] {
  const segments = segmentsOf(state);
  if (start === undefined) return segments;
  const first = segments.findIndex(
    ({ sessionId, from, to }) =>
      sessionId === start.sessionId && from <= start.revision && start.revision <= to,
  );
  if (first < 0) return segments;
  return [{ ...segments[first]!, from: start.revision }, ...segments.slice(first + 1)];
}
