import type { SessionCommand } from '../domain/commands.js';
import { redactPatternsOf } from '../domain/call-manifest.js';
import { decide } from '../domain/decide.js';
import type { EventMetadata, SessionEvent } from '../domain/events.js';
import { evolve } from '../domain/evolve.js';
import { type Past, type Receipt, keysFor, keysOf, pastOf } from '../domain/past.js';
import type { Redaction, RedactionPattern } from '../domain/redaction/redaction-policy.js';
import { Rejection } from '../domain/rejection.js';
import type { SessionState } from '../domain/state.js';
import { eventId } from '../identity/derived-ids.js';
import type { NewEvent } from '../storage/event-codec.js';
import { APPEND_EVENTS_MAX } from '../storage/event-store.js';
import { type RedactedEvent, listedRedactions, redactEvent } from '../redaction/redact-event.js';
import type { Redactor } from '../redaction/redactor.js';
import type { CommandScope } from './command-scope.js';
import { RecordsByKey } from './records-by-key.js';

export interface DecidedBatch {
  readonly state: SessionState;
  readonly events: readonly NewEvent[];
  readonly receipt?: Receipt;
  readonly payloadDiffers: boolean;
}

export interface BatchRedaction {
  readonly redactor: Redactor;
  /** For an event of a call: with what its tool's manifest masks. */
  readonly ofCall: (callId: string, patterns: readonly RedactionPattern[]) => Redactor;
  /** What was masked in contents of the event that were kept apart from it. */
  readonly ofArtifactsIn: (event: SessionEvent) => readonly Redaction[];
}

/** The commands of one request, each decided on the state that the ones before it leave. */
export class BatchInMaking {
  private readonly events: NewEvent[] = [];
  private readonly own = new RecordsByKey();
  private readonly unknown = new Set<string>();
  private receipt: Receipt | undefined;
  private payloadDiffers = false;
  private isGivenUp = false;

  constructor(
    private readonly scope: CommandScope,
    private state: SessionState,
    private readonly nowMs: number,
    private readonly atRest: RecordsByKey,
    private readonly redaction?: BatchRedaction,
  ) {}

  /** Keys that a decision depended on and that were not looked up: nothing at rest was assumed. */
  get unknownKeys(): readonly string[] {
    return [...this.unknown];
  }

  current(): SessionState {
    return this.state;
  }

  /** Decides on what was found at rest for the command's keys, and on the batch's own events. */
  decide(command: SessionCommand): void {
    // The run was given up by a step before this one: what its owner wanted next is over.
    if (this.isGivenUp && 'fence' in command) return;
    const keys = keysFor(command, this.state);
    for (const key of keys) if (!this.atRest.has(key)) this.unknown.add(key);
    const found = [...this.atRest.withAny(keys), ...this.own.withAny(keys)];
    const past = pastOf(command, found);
    const decision = decide(command, this.state, past);
    if (decision.kind === 'repeated') {
      this.receipt = together(this.receipt, decision.receipt);
      this.payloadDiffers ||= decision.payloadDiffers;
      return;
    }
    decision.events.forEach((decided, index) => {
      const redacted = this.redacted(decided, command, past);
      this.add(command, redacted, index, decision.events.length);
    });
  }

  done(): DecidedBatch {
    if (this.events.length > APPEND_EVENTS_MAX) {
      throw new Rejection(
        'limit_exceeded',
        `one request makes at most ${APPEND_EVENTS_MAX} events, this one ${this.events.length}`,
        { limit: 'appendEventsMax' },
      );
    }
    const { state, events, receipt, payloadDiffers } = this;
    return { state, events, receipt, payloadDiffers };
  }

  private add(
    command: SessionCommand,
    { event, redactions }: RedactedEvent,
    index: number,
    count: number,
  ): void {
    const { tenantId, sessionId, actor, correlationId } = this.scope;
    const metadata: EventMetadata = {
      tenantId,
      actor,
      commandType: command.type,
      commandId: command.commandId,
      ...(index === 0 ? { payloadHash: command.payloadHash, commandEvents: count } : {}),
      ...(correlationId === undefined ? {} : { correlationId }),
      ...listedRedactions(redactions),
    };
    const id = eventId(tenantId, sessionId, command.type, command.commandId, index);
    this.state = evolve(this.state, event);
    this.isGivenUp ||= event.type === 'SessionQuarantined';
    this.events.push({ eventId: id, event, metadata, recordedAtMs: this.nowMs });
    const recordedAt = new Date(this.nowMs).toISOString();
    const { revision } = this.state;
    const record = { sessionId, revision, position: 0n, eventId: id, recordedAt, metadata, event };
    this.own.add(keysOf(event, metadata), record);
  }

  /** Secrets leave before anything is made of the event: its state, its record, its bytes. */
  private redacted(event: SessionEvent, command: SessionCommand, past: Past): RedactedEvent {
    if (this.redaction === undefined) return { event, redactions: [] };
    const found = redactEvent(event, this.redactorFor(event, command, past, this.redaction));
    const apart = this.redaction.ofArtifactsIn(event);
    return apart.length === 0 ? found : { ...found, redactions: [...found.redactions, ...apart] };
  }

  private redactorFor(
    event: SessionEvent,
    command: SessionCommand,
    past: Past,
    { redactor, ofCall }: BatchRedaction,
  ): Redactor {
    if (event.type === 'AssistantMessageRecorded' && command.type === 'RecordAssistantMessage') {
      return redactor.with(command.calls.flatMap(({ manifest }) => manifest.redact ?? []));
    }
    const patterns = redactPatternsOf(event, this.state, past);
    const { callId } = event.data as { readonly callId?: string };
    return callId === undefined || patterns.length === 0 ? redactor : ofCall(callId, patterns);
  }
}

/** One request can be several commands, such as a message with its settlement. */
function together(before: Receipt | undefined, next: Receipt | undefined): Receipt | undefined {
  if (before === undefined || next === undefined) return next ?? before;
  return { ...next, first: Math.min(before.first, next.first) };
}

/** How many secrets were masked or noted; undefined where there are none. */
export function redactionsIn(events: readonly NewEvent[]): number | undefined {
  let count = 0;
  for (const { metadata } of events) {
    count += (metadata.redactions?.length ?? 0) + (metadata.redactionsCut ?? 0);
  }
  return count === 0 ? undefined : count;
}
