import { Inject, Injectable } from '@nestjs/common';
import {
  CLOCK,
  CODEC,
  type Clock,
  EVENT_STORE,
  HASHER,
  type SessionHasher,
} from '../app/tokens.js';
import type { SessionCommand } from '../domain/commands.js';
import { decide } from '../domain/decide.js';
import type { EventMetadata, SessionEvent, SessionEventRecord } from '../domain/events.js';
import { evolve } from '../domain/evolve.js';
import { type Receipt, keysFor, keysOf, pastOf } from '../domain/past.js';
import { Rejection } from '../domain/rejection.js';
import type { SessionState } from '../domain/state.js';
import { eventId, sessionStream } from '../identity/derived-ids.js';
import type { EventCodec, NewEvent } from '../storage/event-codec.js';
import {
  APPEND_EVENTS_MAX,
  AppendUnknownError,
  type AppendOutcome,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
} from '../storage/event-store.js';
import type { CommandReceipt, CommandScope } from './command-scope.js';
import { SessionRepository } from './session-repository.js';

const CONFLICT_RETRIES_MAX = 3;
const UNKNOWN_RESENDS_MAX = 3;

/** What a handler may use to make its domain command. */
export interface CommandContext {
  readonly scope: CommandScope;
  readonly state: SessionState;
  /** ISO 8601. */
  readonly now: string;
  /** HMAC of the content with the session's key, hex. */
  readonly hash: (content: string | Uint8Array) => string;
}

export type CommandMaker = (context: CommandContext) => readonly SessionCommand[];

export interface HandledCommand {
  readonly receipt: CommandReceipt;
  /** State after the command. */
  readonly state: SessionState;
  /** The command's events: appended now, or when it was first done. */
  readonly events: readonly SessionEvent[];
}

/** Three decisions in a row met another writer. */
export class VersionConflictError extends Error {
  constructor(readonly stream: string) {
    super('other writers were faster three times in a row; send the request again');
    this.name = 'VersionConflictError';
  }
}

/** The sender's If-Match names another revision than the session has. */
export class PreconditionFailedError extends Error {
  constructor(
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`the session is at revision ${actual}, not at ${expected}; read it again`);
    this.name = 'PreconditionFailedError';
  }
}

/** Loads, decides, appends with the revision just read, and decides anew on a conflict. */
@Injectable()
export class CommandHandling {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(HASHER) private readonly hasher: SessionHasher,
    private readonly sessions: SessionRepository,
  ) {}

  /**
   * @param makers make the commands of one request, each on the state that the ones before it
   *   leave; all or none of them are appended.
   * @throws Rejection, VersionConflictError, PreconditionFailedError, AppendUnknownError,
   *   StoreUnavailableError. Nothing is appended then, except that an unknown append may stand.
   */
  async handle(scope: CommandScope, ...makers: readonly CommandMaker[]): Promise<HandledCommand> {
    const stream = sessionStream(scope.tenantId, scope.sessionId);
    let { state, cached } = await this.sessions.load(stream);
    for (let conflicts = 0; conflicts < CONFLICT_RETRIES_MAX;) {
      let batch: DecidedBatch;
      try {
        this.checkPrecondition(scope, state);
        batch = await this.decideAll(stream, scope, state, makers);
      } catch (error) {
        if (!cached || !isDecision(error) || !(await this.sessions.isBehind(stream, state))) {
          throw error;
        }
        ({ state, cached } = { state: await this.sessions.loadCurrent(stream), cached: false });
        continue;
      }
      if (batch.events.length === 0) return this.repeatedAnswer(scope, batch);
      const outcome = await this.append(stream, expectedBy(state), batch.events);
      if (outcome.outcome === 'written') {
        await this.sessions.remember(stream, state, batch.state);
        return this.answer(scope, batch, outcome.position);
      }
      conflicts += 1;
      ({ state, cached } = { state: await this.sessions.loadCurrent(stream), cached: false });
    }
    throw new VersionConflictError(stream);
  }

  nowMs(): number {
    return this.clock();
  }

  private checkPrecondition(scope: CommandScope, state: SessionState): void {
    if (scope.ifRevision !== undefined && scope.ifRevision !== state.revision) {
      throw new PreconditionFailedError(scope.ifRevision, state.revision);
    }
  }

  private async decideAll(
    stream: string,
    scope: CommandScope,
    before: SessionState,
    makers: readonly CommandMaker[],
  ): Promise<DecidedBatch> {
    const nowMs = this.clock();
    const hash = (content: string | Uint8Array) =>
      this.hasher(scope.tenantId, scope.sessionId, content);
    const batch = new BatchInMaking(scope, before, nowMs);
    for (const [index, make] of makers.entries()) {
      const own = makers.length === 1 ? scope : stepScope(scope, index);
      const now = new Date(nowMs).toISOString();
      for (const command of make({ scope: own, state: batch.current(), now, hash })) {
        batch.decide(command, await this.find(stream, before, command, batch.current()));
      }
    }
    return batch.done();
  }

  /** Receipts, and what the command names that is at rest. */
  private async find(
    stream: string,
    before: SessionState,
    command: SessionCommand,
    state: SessionState,
  ): Promise<readonly SessionEventRecord[]> {
    if (before.revision < 0) return [];
    const stored = await this.events.findByKeys(stream, keysFor(command, state));
    return stored
      .filter((event) => event.revision <= before.revision)
      .map((event) => this.codec.decode(event));
  }

  /** An unknown outcome is settled by sending the identical batch again, never another one. */
  private async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendOutcome> {
    const encoded: readonly EventToAppend[] = events.map((event) => this.codec.encode(event));
    for (let resends = 0; ; resends += 1) {
      try {
        return await this.events.append(stream, expected, encoded);
      } catch (error) {
        if (!(error instanceof AppendUnknownError) || resends >= UNKNOWN_RESENDS_MAX) {
          this.sessions.forget(stream);
          throw error;
        }
      }
    }
  }

  private answer(scope: CommandScope, batch: DecidedBatch, position: bigint): HandledCommand {
    return {
      receipt: {
        sessionId: scope.sessionId,
        revision: batch.state.revision,
        position: String(position),
        replayed: false,
        payloadDiffers: batch.payloadDiffers,
      },
      state: batch.state,
      events: batch.events.map(({ event }) => event),
    };
  }

  private async repeatedAnswer(scope: CommandScope, batch: DecidedBatch): Promise<HandledCommand> {
    const stream = sessionStream(scope.tenantId, scope.sessionId);
    const revision = batch.receipt?.last ?? batch.state.revision;
    const [last] = await this.events.read(stream, { from: revision, maxCount: 1 });
    return {
      receipt: {
        sessionId: scope.sessionId,
        revision,
        position: String(last?.position ?? 0n),
        replayed: true,
        payloadDiffers: batch.payloadDiffers,
      },
      state: batch.state,
      events: batch.receipt?.events ?? [],
    };
  }
}

interface DecidedBatch {
  readonly state: SessionState;
  readonly events: readonly NewEvent[];
  readonly receipt?: Receipt;
  readonly payloadDiffers: boolean;
}

/** The commands of one request, each decided on the state that the ones before it leave. */
class BatchInMaking {
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

/** Each step of a batch has an identity of its own under the request's Idempotency-Key. */
function stepScope(scope: CommandScope, index: number): CommandScope {
  const { idempotencyKey } = scope;
  return idempotencyKey === undefined
    ? scope
    : { ...scope, idempotencyKey: `${idempotencyKey}#${index}` };
}

function isDecision(error: unknown): boolean {
  return error instanceof Rejection || error instanceof PreconditionFailedError;
}

function expectedBy(state: SessionState): ExpectedRevision {
  return state.revision < 0 ? 'noStream' : state.revision;
}
