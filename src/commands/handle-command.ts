import { Inject, Injectable } from '@nestjs/common';
import {
  ARTIFACTS,
  CLOCK,
  CODEC,
  type Clock,
  EVENT_STORE,
  HASHER,
  type SessionHash,
  type SessionHasher,
} from '../tokens.js';
import type { SessionCommand } from '../domain/commands.js';
import type { SessionEvent } from '../domain/events.js';
import { keysOf } from '../domain/past.js';
import { Rejection } from '../domain/rejection.js';
import type { CallState, SessionState } from '../domain/state.js';
import { sessionStream } from '../identity/derived-ids.js';
import { appendSettled } from '../storage/append-settled.js';
import type { ArtifactStore } from '../storage/artifact-store.js';
import type { EventCodec, NewEvent } from '../storage/event-codec.js';
import {
  APPEND_EVENTS_MAX,
  type AppendOutcome,
  type EventStore,
  type ExpectedRevision,
  InvalidAppendError,
} from '../storage/event-store.js';
import { BatchInMaking, type DecidedBatch, redactionsIn } from './batch-in-making.js';
import type { CommandReceipt, CommandScope } from './command-scope.js';
import { ContentKeeper } from './content-keeper.js';
import { SettleReservations } from './budgets/settle-reservations.js';
import { RecordsByKey } from './records-by-key.js';
import { TenantRedaction } from './redaction/tenant-redaction.js';
import {
  PreconditionFailedError,
  VersionConflictError,
  checkPrecondition,
} from './revision-errors.js';
import { SessionRepository } from './session-repository.js';
import { SteadyTimes } from './steady-times.js';
import { Turns } from '../storage/turns.js';

const CONFLICT_RETRIES_MAX = 3;

/** What a handler may use to make its domain command. */
export interface CommandContext {
  readonly scope: CommandScope;
  readonly state: SessionState;
  /** ISO 8601. */
  readonly now: string;
  /** By which windows of a call are over (`SteadyTimes`); ISO 8601. */
  readonly latestFor: (call: CallState) => string;
  /** HMAC of the content with the session's key, hex. */
  readonly hash: SessionHash;
  /** Puts content that is too large for an event where it belongs. */
  readonly keeper: ContentKeeper;
}

export type CommandMaker = (context: CommandContext) => readonly SessionCommand[];

export interface HandledCommand {
  readonly receipt: CommandReceipt;
  /** State after the command. */
  readonly state: SessionState;
  /** The command's events: appended now, or when it was first done. */
  readonly events: readonly SessionEvent[];
}

/** Loads, decides, appends with the revision just read, and decides anew on a conflict. */
@Injectable()
export class CommandHandling {
  /** The commands of a session in this process: only other processes can be faster writers. */
  private readonly turns = new Turns();

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(HASHER) private readonly hasher: SessionHasher,
    @Inject(ARTIFACTS) private readonly artifacts: ArtifactStore,
    private readonly sessions: SessionRepository,
    private readonly reservations: SettleReservations,
    private readonly times: SteadyTimes,
    private readonly redaction: TenantRedaction,
  ) {}

  /**
   * @param makers make the commands of one request, each on the state that the ones before it
   *   leave; all or none of them are appended.
   * @throws Rejection, VersionConflictError, PreconditionFailedError, AppendUnknownError,
   *   StoreUnavailableError. Nothing is appended then, except that an unknown append may stand.
   */
  handle(scope: CommandScope, ...makers: readonly CommandMaker[]): Promise<HandledCommand> {
    const stream = sessionStream(scope.tenantId, scope.sessionId);
    return this.turns.take(stream, () => this.handleInTurn(stream, scope, makers));
  }

  private async handleInTurn(
    stream: string,
    scope: CommandScope,
    makers: readonly CommandMaker[],
  ): Promise<HandledCommand> {
    const redactor = await this.redaction.beforeAppend(scope);
    const keeper = new ContentKeeper(this.artifacts, scope, redactor);
    let { state, cached } = await this.sessions.load(stream);
    for (let conflicts = 0; conflicts < CONFLICT_RETRIES_MAX;) {
      let batch: DecidedBatch;
      try {
        batch = await this.decideAll(stream, scope, state, makers, keeper);
        if (batch.events.length > 0) checkPrecondition(scope, state);
      } catch (error) {
        if (!cached || !isDecision(error) || !(await this.sessions.isBehind(stream, state))) {
          throw error;
        }
        ({ state, cached } = { state: await this.sessions.loadCurrent(stream), cached: false });
        continue;
      }
      if (batch.events.length === 0) return this.repeatedAnswer(scope, batch);
      await keeper.refuseUnknown(state.segments);
      if (await keeper.keepApart()) continue;
      const outcome = await this.appendOrKeep(stream, expectedBy(state), batch.events, keeper);
      if (outcome === undefined) continue;
      if (outcome.outcome === 'written' && !outcome.repeated) {
        this.sessions.remember(stream, state, batch.state);
        const events = batch.events.map(({ event }) => event);
        await this.reservations.afterAppend(scope, events);
        return this.answer(scope, batch, outcome.position);
      }
      // Refused, or the same ids were written by a request of the same name: decide anew.
      conflicts += 1;
      ({ state, cached } = { state: await this.sessions.loadCurrent(stream), cached: false });
    }
    throw new VersionConflictError(stream);
  }

  nowMs(): number {
    return this.clock();
  }

  /**
   * Nearly every command is new, so the whole request is decided as if nothing of it were at rest,
   * and then one look-up for all its keys proves it. Only if something is found it is decided anew.
   */
  private async decideAll(
    stream: string,
    scope: CommandScope,
    before: SessionState,
    makers: readonly CommandMaker[],
    keeper: ContentKeeper,
  ): Promise<DecidedBatch> {
    const nowMs = this.clock();
    const atRest = new RecordsByKey();
    const hash = await this.hasher(scope.tenantId, scope.sessionId);
    for (;;) {
      const batch = new BatchInMaking(scope, before, nowMs, atRest, keeper.redaction);
      const decided = this.tryAll(batch, scope, makers, {
        now: new Date(nowMs).toISOString(),
        latestFor: (call: CallState) => this.times.latestFor(call),
        hash,
        keeper,
      });
      const found = await this.find(stream, before, batch.unknownKeys, atRest);
      if (found > 0) continue;
      if ('error' in decided) throw decided.error;
      return decided.batch;
    }
  }

  private tryAll(
    batch: BatchInMaking,
    scope: CommandScope,
    makers: readonly CommandMaker[],
    given: Pick<CommandContext, 'now' | 'latestFor' | 'hash' | 'keeper'>,
  ): { readonly batch: DecidedBatch } | { readonly error: unknown } {
    try {
      for (const [index, make] of makers.entries()) {
        const step = makers.length === 1 ? scope : stepScope(scope, index);
        const own = withoutClearKey(step, given.hash);
        const commands = make({ scope: own, state: batch.current(), ...given });
        for (const command of commands) batch.decide(command);
      }
      return { batch: batch.done() };
    } catch (error) {
      return { error };
    }
  }

  /** Receipts, and what the commands name that is at rest. Answers how many events there are. */
  private async find(
    stream: string,
    before: SessionState,
    keys: readonly string[],
    atRest: RecordsByKey,
  ): Promise<number> {
    if (before.revision < 0 || keys.length === 0) return 0;
    const stored = await this.events.findByKeys(stream, keys);
    for (const key of keys) atRest.note(key);
    const wanted = new Set(keys);
    const known = stored.filter((event) => event.revision <= before.revision);
    for (const record of known.map((event) => this.codec.decode(event))) {
      const own = keysOf(record.event, record.metadata).filter((key) => wanted.has(key));
      atRest.add(own, record);
    }
    return known.length;
  }

  /** Undefined: it was too large, what is large in it has been kept, and it has to be made anew. */
  private async appendOrKeep(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    keeper: ContentKeeper,
  ): Promise<AppendOutcome | undefined> {
    try {
      return await this.append(stream, expected, events);
    } catch (error) {
      if (error instanceof InvalidAppendError && (await keeper.keepLarge())) return undefined;
      throw error;
    }
  }

  private async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendOutcome> {
    const encoded = events.map((event) => this.codec.encode(event));
    try {
      const { outcome, resends } = await appendSettled(this.events, stream, expected, encoded);
      // Our own earlier sending was written after all; without one, somebody else was faster.
      const isOurs = outcome.outcome === 'written' && resends > 0;
      return isOurs ? { ...outcome, repeated: false } : outcome;
    } catch (error) {
      this.sessions.forget(stream);
      throw error;
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
        redactions: redactionsIn(batch.events),
      },
      state: batch.state,
      events: batch.events.map(({ event }) => event),
    };
  }

  /** The events are read back: only some of them are found by the keys of a command. */
  private async repeatedAnswer(scope: CommandScope, batch: DecidedBatch): Promise<HandledCommand> {
    const stream = sessionStream(scope.tenantId, scope.sessionId);
    const { revision: newest } = batch.state;
    const { first, last } = batch.receipt ?? { first: newest, last: newest };
    const from = Math.max(first, last - APPEND_EVENTS_MAX + 1);
    const stored = await this.events.read(stream, { from, maxCount: last - from + 1 });
    return {
      receipt: {
        sessionId: scope.sessionId,
        revision: last,
        position: String(stored.at(-1)?.position ?? 0n),
        replayed: true,
        payloadDiffers: batch.payloadDiffers,
      },
      state: batch.state,
      events:
        batch.receipt === undefined ? [] : stored.map((event) => this.codec.decode(event).event),
    };
  }
}

/** Each step of a batch has an identity of its own under the request's Idempotency-Key. */
function stepScope(scope: CommandScope, index: number): CommandScope {
  const { idempotencyKey } = scope;
  return idempotencyKey === undefined
    ? scope
    : { ...scope, idempotencyKey: `${idempotencyKey}#${index}` };
}

/** What is stored of the key says nothing once the session's key is destroyed. */
function withoutClearKey(scope: CommandScope, hash: SessionHash): CommandScope {
  const { idempotencyKey } = scope;
  if (idempotencyKey === undefined) return scope;
  return { ...scope, idempotencyKey: hash(`Idempotency-Key: ${idempotencyKey}`) };
}

function isDecision(error: unknown): boolean {
  return error instanceof Rejection || error instanceof PreconditionFailedError;
}

function expectedBy(state: SessionState): ExpectedRevision {
  return state.revision < 0 ? 'noStream' : state.revision;
}
