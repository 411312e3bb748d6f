import { accountOf } from '../../src/domain/account.js';
import type { SessionCommand } from '../../src/domain/commands.js';
import type { SessionEvent } from '../../src/domain/events.js';
import { evolve } from '../../src/domain/evolve.js';
import { type SessionState, callsOf, initialState, isUnresolved } from '../../src/domain/state.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import type { RecordedEvent } from '../../src/storage/event-store.js';
import { StreamWatch } from '../protocol/stream-watch.js';
import type { Violated } from '../protocol/watched-call.js';
import type { Service } from './service.js';

const codec = new EventCodec();

/** One session as its stream tells it, folded beside the code under test. */
export class HistoryWatch {
  readonly stream: StreamWatch;
  state: SessionState = initialState;
  readonly stoppedRuns = new Set<string>();
  modelCalls = 0;
  /** Of calls that the session has inherited: whose they are, and what it was told of them. */
  private readonly inherited = new Map<string, { readonly origin: string; outcome?: string }>();
  private accounted: { readonly state?: SessionState; readonly now?: string } = {};
  private epoch = 0;
  private stopped = false;
  /** Runs of compensations that a person has ordered. */
  private readonly ordered = new Set<string>();

  constructor(private readonly violated: Violated) {
    this.stream = new StreamWatch(violated);
  }

  /** A run is open, or a call without an outcome. */
  get isBusy(): boolean {
    return this.state.run !== undefined || callsOf(this.state).some(isUnresolved);
  }

  /** For somebody who is named. */
  isWaiting(now: string): boolean {
    return accountOf(this.state, true, now).class === 'waiting';
  }

  /** A batch that has just been written; answers what it says. */
  see(batch: readonly RecordedEvent[]): readonly SessionEvent[] {
    const records = batch.map((stored) => codec.decode(stored));
    if (records[0] === undefined) return [];
    const events = records.map(({ event }) => event);
    const type = records[0].metadata.commandType;
    for (const { event, metadata } of records) {
      this.checkOwner(event, metadata.commandType);
      this.seeInherited(event);
    }
    this.stream.see({ type } as SessionCommand, events, this.state.revision);
    for (const event of events) this.state = evolve(this.state, event);
    return events;
  }

  /** Owned, scheduled, or waiting for somebody by name (I-32). */
  checkAccounted(now: string): void {
    // Of the same state at the same time there is nothing new to be found out.
    if (this.accounted.state === this.state && this.accounted.now === now) return;
    this.accounted = { state: this.state, now };
    const account = accountOf(this.state, true, now);
    if (account.class === 'unaccounted') {
      this.violated('I-32', `nothing will ever happen to ${account.calls.join(', ')}`);
    }
    if (account.class === 'waiting' && account.for === '') this.violated('I-32', 'for nobody');
  }

  /** Effects that were counted outside against what the log says; at rest also the reverse. */
  checkEffects(service: Service, atRest: boolean): void {
    for (const { request, status, humanOrders, isOpen } of this.stream.calls.values()) {
      const { effect, opKey } = request;
      const effects = service.effectsOf(opKey);
      if (effect !== 'readOnly' && effects > 1 + humanOrders) {
        this.violated('I-7', `${effects} effects of one ${effect}`);
      }
      if (!atRest) continue;
      if (isOpen) this.violated('I-31', `a ${effect} is ${status} for ever`);
      if (effect === 'readOnly') continue;
      if (['failed', 'notApplied', 'skipped'].includes(status) && effects > 0) {
        this.violated('I-8', `a ${effect} is ${status}, but done`);
      }
      if (['applied', 'completed'].includes(status) && effects === 0) {
        this.violated('I-8', `a ${effect} is ${status}, but nothing was done`);
      }
    }
  }

  /** Each fork comes to know how the origins of its calls have settled them (I-25). */
  knowsOrigins(watchOf: (sessionId: string) => HistoryWatch): boolean {
    return [...this.inherited].every(
      ([callId, { origin, outcome }]) =>
        outcome === watchOf(origin).stream.calls.get(callId)?.status,
    );
  }

  private seeInherited(event: SessionEvent): void {
    if (event.type === 'Forked') {
      for (const { callId, originSessionId, stateAtCut } of event.data.inherited) {
        if (stateAtCut !== 'requested') this.inherited.set(callId, { origin: originSessionId });
      }
    }
    if (!('callId' in event.data)) return;
    const inherited = this.inherited.get(event.data.callId);
    if (inherited === undefined) return;
    if (event.type === 'InheritedOutcomeRecorded') inherited.outcome = event.data.state;
    else this.violated('I-25', `${event.type} of an inherited call in a fork`);
  }

  /**
   * No write of an epoch that is over, and no claim of a session that a user has stopped, but for
   * the undoing that a person has ordered.
   */
  private checkOwner(event: SessionEvent, commandType: string): void {
    if (event.type === 'ToolCompensationRequested' && commandType === 'DecideEscalation') {
      if (event.data.runId !== undefined) this.ordered.add(event.data.runId);
    }
    if (event.type === 'RunClaimed') {
      if (this.stopped && !this.ordered.has(event.data.runId)) {
        this.violated('I-20', 'a stopped session was started again');
      }
      this.epoch = event.data.epoch;
    }
    if (event.type === 'ModelCallSettled') this.modelCalls += 1;
    if (event.type === 'RunStopped') {
      this.stopped = true;
      this.stoppedRuns.add(event.data.runId);
    }
    if (event.type === 'SessionResumed') this.stopped = false;
    const { epoch } = event.data as { readonly epoch?: number };
    if (epoch !== undefined && epoch < this.epoch) {
      this.violated('I-2', `${event.type} of epoch ${epoch} in epoch ${this.epoch}`);
    }
  }
}
