import type { SessionCommand } from '../domain/commands.js';
import { decide } from '../domain/decide.js';
import type { EventMetadata, SessionEvent, SessionEventRecord } from '../domain/events.js';
import { evolve } from '../domain/evolve.js';
import { type Receipt, keysFor, keysOf, pastOf } from '../domain/past.js';
import { Rejection } from '../domain/rejection.js';
import type { SessionState } from '../domain/state.js';
import { eventId } from '../identity/derived-ids.js';
import type { NewEvent } from '../storage/event-codec.js';
import { APPEND_EVENTS_MAX } from '../storage/event-store.js';
import type { CommandScope } from './command-scope.js';

export interface DecidedBatch {
  readonly state: SessionState;
  readonly events: readonly NewEvent[];
  readonly receipt?: Receipt;
  readonly payloadDiffers: boolean;
}

/** The commands of one request, each decided on the state that the ones before it leave. */
export class BatchInMaking {
  private readonly events: NewEvent[] = [];
  private readonly records: SessionEventRecord[] = [];
  private receipt: Receipt | undefined;
  private payloadDiffers = false;

  constructor(
    private readonly scope: CommandScope,
    private state: SessionState,
    private readonly nowMs: number,
  ) {}

  current(): SessionState {
    return this.state;
  }

  /** `found` is what the store has for the command's keys; the batch's own events are added. */
  decide(command: SessionCommand, found: readonly SessionEventRecord[]): void {
    const keys = new Set(keysFor(command, this.state));
    const own = this.records.filter(({ event, metadata }) =>
      keysOf(event, metadata).some((key) => keys.has(key)),
    );
    const decision = decide(command, this.state, pastOf(command, [...found, ...own]));
    if (decision.kind === 'repeated') {
      this.receipt = decision.receipt ?? this.receipt;
      this.payloadDiffers ||= decision.payloadDiffers;
      return;
    }
    decision.events.forEach((event, index) =>
      this.add(command, event, index, decision.events.length),
    );
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

  private add(command: SessionCommand, event: SessionEvent, index: number, count: number): void {
    const { tenantId, sessionId, actor, correlationId } = this.scope;
    const metadata: EventMetadata = {
      tenantId,
      actor,
      commandType: command.type,
      commandId: command.commandId,
      ...(index === 0 ? { payloadHash: command.payloadHash, commandEvents: count } : {}),
      ...(correlationId === undefined ? {} : { correlationId }),
    };
    const id = eventId(tenantId, sessionId, command.type, command.commandId, index);
    this.state = evolve(this.state, event);
    this.events.push({ eventId: id, event, metadata, recordedAtMs: this.nowMs });
    this.records.push({
      sessionId,
      revision: this.state.revision,
      position: 0n,
      eventId: id,
      recordedAt: new Date(this.nowMs).toISOString(),
      metadata,
      event,
    });
  }
}
