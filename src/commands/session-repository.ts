import { Inject, Injectable, Logger } from '@nestjs/common';
import { CODEC, EVENT_STORE } from '../app/tokens.js';
import type { SessionEvent } from '../domain/events.js';
import { evolve } from '../domain/evolve.js';
import { STATE_SCHEMA_VERSION, type SessionState, initialState } from '../domain/state.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';

export const SNAPSHOT_EVERY_EVENTS = 250;
const STATES_CACHED_MAX = 10_000;
const READ_PAGE_EVENTS = 1_000;

export interface LoadedSession {
  readonly state: SessionState;
  /** The store may already be ahead of it: compare the head before a rejection is given. */
  readonly cached: boolean;
}

/**
 * States of sessions: from memory, else from a snapshot and the tail. Both are caches; what
 * decides is the expected revision of the append.
 */
@Injectable()
export class SessionRepository {
  private readonly log = new Logger(SessionRepository.name);
  private readonly states = new Map<string, SessionState>();

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
  ) {}

  async load(stream: string): Promise<LoadedSession> {
    const cached = this.states.get(stream);
    if (cached !== undefined) return { state: cached, cached: true };
    return { state: await this.catchUp(stream, await this.fromSnapshot(stream)), cached: false };
  }

  /** The state with everything that the store has now. */
  async loadCurrent(stream: string): Promise<SessionState> {
    const cached = this.states.get(stream);
    return this.catchUp(stream, cached ?? (await this.fromSnapshot(stream)));
  }

  /** The state as it was at a revision (inclusive). */
  async loadAt(stream: string, revision: number): Promise<SessionState> {
    const cached = this.states.get(stream);
    const base =
      cached !== undefined && cached.revision <= revision
        ? cached
        : await this.fromSnapshot(stream, revision);
    return this.foldTail(stream, base, revision);
  }

  async isBehind(stream: string, state: SessionState): Promise<boolean> {
    const head = await this.events.head(stream);
    return (head === 'noStream' ? -1 : head) !== state.revision;
  }

  /** After an append: the new state, and a snapshot now and then. */
  async remember(stream: string, before: SessionState, after: SessionState): Promise<void> {
    this.cache(stream, after);
    const due =
      Math.floor((after.revision + 1) / SNAPSHOT_EVERY_EVENTS) >
      Math.floor((before.revision + 1) / SNAPSHOT_EVERY_EVENTS);
    if (due) await this.snapshot(stream, after);
  }

  forget(stream: string): void {
    this.states.delete(stream);
  }

  private async catchUp(stream: string, base: SessionState): Promise<SessionState> {
    const state = await this.foldTail(stream, base);
    if (state.revision >= 0) this.cache(stream, state);
    return state;
  }

  private async fromSnapshot(stream: string, maxRevision?: number): Promise<SessionState> {
    const snapshot = await this.events.loadSnapshot(stream, STATE_SCHEMA_VERSION, maxRevision);
    return snapshot === undefined ? initialState : (JSON.parse(snapshot.state) as SessionState);
  }

  private async foldTail(stream: string, base: SessionState, to?: number): Promise<SessionState> {
    let state = base;
    for (;;) {
      if (to !== undefined && state.revision >= to) return state;
      const page = await this.events.read(stream, {
        from: state.revision + 1,
        to,
        maxCount: READ_PAGE_EVENTS,
      });
      for (const stored of page) state = this.foldOne(state, this.codec.decode(stored).event);
      if (page.length < READ_PAGE_EVENTS) return state;
    }
  }

  private foldOne(state: SessionState, event: SessionEvent): SessionState {
    return evolve(state, event);
  }

  private cache(stream: string, state: SessionState): void {
    this.states.delete(stream);
    this.states.set(stream, state);
    if (this.states.size > STATES_CACHED_MAX) {
      const oldest = this.states.keys().next();
      if (!oldest.done) this.states.delete(oldest.value);
    }
  }

  private async snapshot(stream: string, state: SessionState): Promise<void> {
    try {
      await this.events.saveSnapshot(stream, {
        revision: state.revision,
        schemaVersion: STATE_SCHEMA_VERSION,
        state: JSON.stringify(state),
      });
    } catch (error) {
      this.log.warn(`no snapshot of ${stream} at ${state.revision}: ${String(error)}`);
    }
  }
}
