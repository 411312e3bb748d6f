import { Inject, Injectable, Logger } from '@nestjs/common';
import { CODEC, EVENT_STORE } from '../tokens.js';
import { frozen } from '../domain/frozen.js';
import type { SessionEventType } from '../domain/events.js';
import { evolve } from '../domain/evolve.js';
import { STATE_SCHEMA_VERSION, type SessionState, initialState } from '../domain/state.js';
import { type EventCodec, UnreadableEventError } from '../storage/event-codec.js';
import { SteadyTimes } from './steady-times.js';
import type { EventStore, RecordedEvent, Snapshot } from '../storage/event-store.js';

/**
 * So many events lie between snapshots for each started 4 KiB of state: a load folds few, and large
 * states are not written more often than their session's events are.
 */
export const SNAPSHOT_EVERY_EVENTS = 64;
const SNAPSHOT_STEP_CHARACTERS = 4_096;
/** A tail that is worth a snapshot at once: of an imported session, or of a lost snapshot. */
const LONG_TAIL_EVENTS = 4 * SNAPSHOT_EVERY_EVENTS;
const STATES_CACHED_MAX = 10_000;
const READ_PAGE_EVENTS = 1_000;
const STEP_PAGE_EVENTS = 64;

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
  /** At which revision the next one is written, by stream. */
  private readonly snapshotsDue = new Map<string, number>();

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    private readonly times: SteadyTimes,
  ) {}

  async load(stream: string): Promise<LoadedSession> {
    const cached = this.states.get(stream);
    if (cached !== undefined) return { state: cached, cached: true };
    return { state: await this.open(stream), cached: false };
  }

  /** The state with everything that the store has now. */
  async loadCurrent(stream: string): Promise<SessionState> {
    const cached = this.states.get(stream);
    return cached === undefined ? this.open(stream) : this.catchUp(stream, cached);
  }

  /** The state as it was at a revision (inclusive). */
  async loadAt(stream: string, revision: number): Promise<SessionState> {
    const cached = this.states.get(stream);
    const base =
      cached !== undefined && cached.revision <= revision
        ? cached
        : stateOf(await this.events.loadSnapshot(stream, STATE_SCHEMA_VERSION, revision));
    return this.foldTail(stream, base, revision);
  }

  /** The state at `from`, and after each event that follows, up to `to`. */
  async *statesFrom(
    stream: string,
    from: number,
    to: number,
  ): AsyncIterable<{ readonly state: SessionState; readonly type?: SessionEventType }> {
    let state = await this.loadAt(stream, from);
    yield { state };
    while (state.revision < to) {
      const range = { from: state.revision + 1, to, maxCount: STEP_PAGE_EVENTS };
      const page = await this.events.read(stream, range);
      for (const stored of page) {
        const event = this.codec.eventOf(stored);
        state = evolve(state, event);
        yield { state, type: event.type };
      }
      if (page.length === 0) return;
    }
  }

  async isBehind(stream: string, state: SessionState): Promise<boolean> {
    const head = await this.events.head(stream);
    return (head === 'noStream' ? -1 : head) !== state.revision;
  }

  /** After an append: the new state, and a snapshot now and then, which the sender need not await. */
  remember(stream: string, before: SessionState, after: SessionState): void {
    this.cache(stream, after);
    const due = this.snapshotsDue.get(stream) ?? before.revision + SNAPSHOT_EVERY_EVENTS;
    if (after.revision < due) this.snapshotsDue.set(stream, due);
    else void this.snapshot(stream, after);
  }

  forget(stream: string): void {
    this.states.delete(stream);
    this.snapshotsDue.delete(stream);
  }

  private async catchUp(
    stream: string,
    base: SessionState,
    from = base.revision,
  ): Promise<SessionState> {
    return this.caughtUp(stream, await this.foldTail(stream, base), from);
  }

  /** `from`: up to where nothing had to be folded. */
  private caughtUp(stream: string, state: SessionState, from: number): SessionState {
    if (state.revision >= 0) this.cache(stream, state);
    if (state.revision - from >= LONG_TAIL_EVENTS) void this.snapshot(stream, state);
    return state;
  }

  /**
   * From the newest snapshot and what follows. Its own event is read along: a snapshot that is ahead
   * of the log (one of the two was put back from a copy) tells of events that never were.
   */
  private async open(stream: string): Promise<SessionState> {
    const snapshot = await this.events.loadSnapshot(stream, STATE_SCHEMA_VERSION);
    if (snapshot === undefined) return this.catchUp(stream, initialState);
    const base = stateOf(snapshot);
    const range = { from: snapshot.revision, maxCount: READ_PAGE_EVENTS };
    const [own, ...tail] = await this.events.read(stream, range);
    if (own === undefined) {
      this.log.warn(`the snapshot of ${stream} at ${snapshot.revision} is ahead of the log`);
      return this.catchUp(stream, initialState);
    }
    this.noteSnapshot(stream, snapshot);
    this.times.noteRecorded((tail.at(-1) ?? own).recordedAtMs);
    const state = tail.reduce((one, stored) => this.folded(one, stored), base);
    if (tail.length === READ_PAGE_EVENTS - 1) return this.catchUp(stream, state, base.revision);
    return this.caughtUp(stream, state, base.revision);
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
      for (const stored of page) state = this.folded(state, stored);
      const last = page.at(-1);
      if (last !== undefined) this.times.noteRecorded(last.recordedAtMs);
      if (page.length < READ_PAGE_EVENTS) return state;
    }
  }

  /** @throws UnreadableEventError also when it is JSON and no event that can be folded. */
  private folded(state: SessionState, stored: RecordedEvent): SessionState {
    const event = this.codec.eventOf(stored);
    try {
      return evolve(state, event);
    } catch (cause) {
      throw new UnreadableEventError(stored, 'it does not fit to those before it', { cause });
    }
  }

  /** What is kept is handed out as well, so that nobody can change it. */
  private cache(stream: string, state: SessionState): void {
    this.states.delete(stream);
    this.states.set(stream, frozen(state));
    if (this.states.size > STATES_CACHED_MAX) {
      const oldest = this.states.keys().next();
      if (!oldest.done) this.forget(oldest.value);
    }
  }

  private async snapshot(stream: string, state: SessionState): Promise<void> {
    const snapshot: Snapshot = {
      revision: state.revision,
      schemaVersion: STATE_SCHEMA_VERSION,
      state: JSON.stringify(state),
    };
    this.noteSnapshot(stream, snapshot);
    try {
      await this.events.saveSnapshot(stream, snapshot);
    } catch (error) {
      this.log.warn(`no snapshot of ${stream} at ${state.revision}: ${String(error)}`);
    }
  }

  private noteSnapshot(stream: string, { revision, state }: Snapshot): void {
    const steps = Math.ceil(state.length / SNAPSHOT_STEP_CHARACTERS);
    this.snapshotsDue.set(stream, revision + steps * SNAPSHOT_EVERY_EVENTS);
  }
}

function stateOf(snapshot: Snapshot | undefined): SessionState {
  return snapshot === undefined ? initialState : (JSON.parse(snapshot.state) as SessionState);
}
