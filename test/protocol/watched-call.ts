import type { EventOf, SessionEvent } from '../../src/domain/events.js';
import type { CallStatus } from '../../src/domain/state.js';

/** An invariant of the reconciliation protocol (§19) that did not hold. */
export class Violation extends Error {
  constructor(
    readonly invariant: string,
    what: string,
  ) {
    super(`${invariant}: ${what}`);
    this.name = 'Violation';
  }
}

/** Throws a `Violation`, unless this run of the model heeds other invariants only. */
export type Violated = (invariant: string, what: string) => void;

/** What the model, or a person who wants something undone, has asked for. */
export type WatchedRequest = Pick<
  EventOf<'ToolCallRequested'>['data'],
  'runId' | 'messageId' | 'tool' | 'effect' | 'timing' | 'opKey' | 'argsHash'
>;

type Started = EventOf<'ToolCallStarted'>['data'];
type Reported = EventOf<'ToolResultRecorded'>['data'] | EventOf<'ToolLateResultReceived'>['data'];

const OPEN: ReadonlySet<CallStatus> = new Set([
  'requested',
  'running',
  'unknown',
  'retryAuthorized',
  'awaitingHuman',
  'compensating',
]);

/** What the stream says of one call, read without the code under test. */
export class WatchedCall {
  status: CallStatus = 'requested';
  readonly starts: Started[] = [];
  readonly results = new Map<number, Reported>();
  readonly dispatched = new Set<number>();
  humanOrders = 0;
  humanStarts = 0;
  /** The newest finding that nothing had happened, if no attempt was made since. */
  notApplied: EventOf<'ToolProbeRecorded'>['data'] | undefined;
  retryBasis: string | undefined;
  isVoided = false;
  /** A question about it that holds the model. */
  holds = false;
  /** Of a call that somebody has to allow. */
  approval: 'none' | 'pending' | 'allow' | 'deny' = 'none';

  constructor(
    public request: WatchedRequest,
    /** An equal call of an earlier message had no outcome when this one was requested. */
    readonly isTwin: boolean,
    private readonly violated: Violated,
  ) {}

  get isOpen(): boolean {
    return OPEN.has(this.status);
  }

  see(event: SessionEvent, batch: readonly SessionEvent[]): void {
    switch (event.type) {
      case 'ToolApprovalRequested':
        this.approval = 'pending';
        return;
      case 'ToolApprovalDecided':
        this.approval = event.data.decision;
        return;
      case 'ToolCallStarted':
        return this.start(event.data);
      case 'ToolResultRecorded':
        this.report(event.data);
        this.status = event.data.status === 'completed' ? 'completed' : 'failed';
        return;
      case 'ToolLateResultReceived':
        return this.report(event.data);
      case 'ToolOutcomeUnknown':
      case 'ToolRetryExpired':
        this.status = 'unknown';
        return;
      case 'ToolCallSkipped':
        if (this.status !== 'requested') this.violated('I-8', 'a started call was skipped');
        this.status = 'skipped';
        return;
      case 'ToolProbeRecorded':
        this.isVoided ||= event.data.voided === true;
        this.notApplied = event.data.verdict === 'notApplied' ? event.data : this.notApplied;
        return;
      case 'ToolRetryAuthorized':
        this.status = 'retryAuthorized';
        this.retryBasis = event.data.basis;
        return;
      case 'ToolEscalated':
        this.status = 'awaitingHuman';
        this.holds = event.data.blocking;
        return;
      case 'ToolEscalationDecided':
        if (event.data.decision === 'retry') this.humanOrders += 1;
        return;
      case 'ToolCompensationRequested':
        // From here on what is heard of it late contradicts nobody.
        this.humanOrders += 1;
        this.status = 'compensating';
        return;
      case 'ToolOutcomeResolved':
        return this.resolve(event.data, batch);
      case 'ToolConflictDetected':
        return this.conflict(event.data);
      default:
    }
  }

  private start(data: Started): void {
    if (this.approval === 'pending' || this.approval === 'deny') {
      this.violated('9.2', 'a call was started that nobody had allowed');
    }
    if (this.isVoided) this.violated('11.6', 'a voided key was used again');
    if (this.isTwin) this.violated('I-14', 'the twin of an open call was started');
    const first = this.starts[0];
    const last = this.starts.at(-1);
    if (first !== undefined && last !== undefined) this.startAgain(data, first, last);
    this.starts.push(data);
    this.notApplied = undefined;
    this.status = 'running';
  }

  private startAgain(data: Started, first: Started, last: Started): void {
    const { effect, timing } = this.request;
    if (data.basis === 'human') {
      this.humanStarts += 1;
      if (this.humanStarts > this.humanOrders) this.violated('I-12', 'nobody ordered this');
      return;
    }
    if (effect === 'readOnly') return;
    if (effect === 'opaqueWrite') return this.violated('I-12', 'an opaque write was repeated');
    if (this.notApplied !== undefined) {
      const waitMs = Math.max(timing.maxFlightMs, timing.notFoundIsFinalAfterMs ?? Infinity);
      const finalMs = Date.parse(last.startedAt) + waitMs;
      if (Date.parse(this.notApplied.requestedAt) >= finalMs) return;
      return this.violated('I-13', '"not found" was believed before it was final');
    }
    if (effect === 'queryableWrite') return this.violated('I-13', 'repeated without a proof');
    const endMs = Date.parse(first.startedAt) + timing.keyWindowMs - timing.maxFlightMs;
    if (Date.parse(data.startedAt) > endMs) this.violated('I-11', 'outside the key window');
  }

  private report(data: Reported): void {
    if (this.results.has(data.attempt)) this.violated('I-17', 'two results of one attempt');
    this.results.set(data.attempt, data);
  }

  private resolve(
    { verdict }: EventOf<'ToolOutcomeResolved'>['data'],
    batch: readonly SessionEvent[],
  ): void {
    const proven =
      (verdict !== 'failed' && verdict !== 'notApplied') ||
      (verdict === 'notApplied' && this.retryBasis === 'probeNotApplied') ||
      batch.some((other) => provesNothingHappened(other));
    if (!proven) this.violated('I-9', `${verdict} without a proof`);
    this.status = verdict;
  }

  private conflict({ kind }: EventOf<'ToolConflictDetected'>['data']): void {
    if (kind === 'resultMismatch' || this.humanOrders > 0) return;
    this.violated('I-19', `conflict ${kind} although every promise was kept`);
  }
}

function provesNothingHappened(event: SessionEvent): boolean {
  switch (event.type) {
    case 'ToolLateResultReceived':
      return event.data.status === 'noEffect';
    case 'ToolProbeRecorded':
      return event.data.verdict === 'notApplied';
    case 'ToolEscalationDecided':
      return event.data.decision === 'notApplied';
    default:
      return false;
  }
}
