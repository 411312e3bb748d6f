import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock, EVENT_STORE } from '../../tokens.js';
import {
  LEDGER_SCHEMA_VERSION,
  type LedgerEvent,
  type LedgerState,
  evolveLedger,
  initialLedger,
} from '../../domain/budget/ledger.js';
import { derivedId, ledgerStream } from '../../identity/derived-ids.js';
import { appendSettled } from '../../storage/append-settled.js';
import type { AppendOutcome, EventStore } from '../../storage/event-store.js';
import {
  chargeKey,
  decodeLedgerEvent,
  encodeLedgerEvent,
} from '../../storage/ledger-event-codec.js';
import { Turns } from '../../storage/turns.js';
import { VersionConflictError } from '../revision-errors.js';
import { own } from '../../domain/own.js';

/** Every model call of a tenant may meet in one ledger, so a loser tries again for long. */
const TRIES_MAX = 200;
const PAUSE_MS = 20;
const READ_PAGE_EVENTS = 500;
const SNAPSHOT_EVERY_EVENTS = 256;
const LEDGERS_CACHED_MAX = 1_000;

export interface LedgerPlace {
  readonly tenantId: string;
  readonly ledgerId: string;
  readonly actor: string;
}

export interface LedgerDecision<T> {
  readonly events: readonly LedgerEvent[];
  readonly answer: T;
}

/**
 * Budgets' ledgers, each a stream that is appended with the revision it was read at: whoever is
 * second decides anew, in this process and in all others.
 */
@Injectable()
export class BudgetLedgers {
  private readonly log = new Logger(BudgetLedgers.name);
  private readonly states = new Map<string, LedgerState>();
  private readonly turns = new Turns();

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** As it is in the store now. */
  async current(tenantId: string, ledgerId: string): Promise<LedgerState> {
    const stream = ledgerStream(tenantId, ledgerId);
    const known = this.states.get(stream) ?? (await this.snapshot(stream));
    return this.catchUp(stream, known);
  }

  /** @throws VersionConflictError when other writers were faster for seconds; the store's errors. */
  change<T>(place: LedgerPlace, decide: (state: LedgerState) => LedgerDecision<T>): Promise<T> {
    const stream = ledgerStream(place.tenantId, place.ledgerId);
    return this.turns.take(stream, () => this.changeInTurn(stream, place, decide));
  }

  /** As `change`, with what the ledger has charged for the reservation so far. */
  changeKnowing<T>(
    place: LedgerPlace,
    reservationId: string,
    decide: (state: LedgerState, chargedPico: string | undefined) => LedgerDecision<T>,
  ): Promise<T> {
    const stream = ledgerStream(place.tenantId, place.ledgerId);
    return this.turns.take(stream, () =>
      this.changeInTurn(stream, place, async (state) => {
        const isHeld = own(state.held, reservationId) !== undefined;
        return decide(state, isHeld ? undefined : await this.chargedFor(stream, reservationId));
      }),
    );
  }

  private async chargedFor(stream: string, reservationId: string): Promise<string | undefined> {
    const found = await this.events.findByKeys(stream, [chargeKey(reservationId)]);
    const last = found.map(decodeLedgerEvent).at(-1);
    return last?.type === 'CostCharged' ? last.data.amountPico : undefined;
  }

  private async changeInTurn<T>(
    stream: string,
    place: LedgerPlace,
    decide: (state: LedgerState) => LedgerDecision<T> | Promise<LedgerDecision<T>>,
  ): Promise<T> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const state = await this.current(place.tenantId, place.ledgerId);
      const { events, answer } = await decide(state);
      if (events.length === 0) return answer;
      const outcome = await this.append(stream, place, state, events);
      if (outcome.outcome === 'written') {
        this.remember(stream, events.reduce(evolveLedger, state));
        return answer;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * Math.random()));
    }
    throw new VersionConflictError(stream);
  }

  private async append(
    stream: string,
    { tenantId, actor }: LedgerPlace,
    { revision }: LedgerState,
    events: readonly LedgerEvent[],
  ): Promise<AppendOutcome> {
    const recordedAtMs = this.clock();
    // Two processes may decide the same for one revision; their ids must differ, or both have won.
    const attempt = crypto.randomUUID();
    const batch = events.map((event, index) =>
      encodeLedgerEvent({
        eventId: derivedId('ledger', stream, revision, index, attempt),
        event,
        metadata: { tenantId, actor, commandType: 'ChangeLedger', commandId: attempt },
        recordedAtMs,
      }),
    );
    const expected = revision < 0 ? 'noStream' : revision;
    return (await appendSettled(this.events, stream, expected, batch)).outcome;
  }

  private async catchUp(stream: string, known: LedgerState): Promise<LedgerState> {
    let state = known;
    for (;;) {
      const from = state.revision + 1;
      const page = await this.events.read(stream, { from, maxCount: READ_PAGE_EVENTS });
      state = page.map(decodeLedgerEvent).reduce(evolveLedger, state);
      if (page.length < READ_PAGE_EVENTS) break;
    }
    if (state.revision >= 0) this.remember(stream, state);
    return state;
  }

  private async snapshot(stream: string): Promise<LedgerState> {
    const found = await this.events.loadSnapshot(stream, LEDGER_SCHEMA_VERSION);
    return found === undefined ? initialLedger : (JSON.parse(found.state) as LedgerState);
  }

  private remember(stream: string, state: LedgerState): void {
    const before = this.states.get(stream)?.revision ?? state.revision;
    this.states.delete(stream);
    this.states.set(stream, state);
    if (this.states.size > LEDGERS_CACHED_MAX) this.states.delete(this.states.keys().next().value!);
    const step = (revision: number) => Math.floor(revision / SNAPSHOT_EVERY_EVENTS);
    if (step(state.revision) > step(before)) void this.save(stream, state);
  }

  private async save(stream: string, state: LedgerState): Promise<void> {
    const { revision } = state;
    const snapshot = {
      revision,
      schemaVersion: LEDGER_SCHEMA_VERSION,
      state: JSON.stringify(state),
    };
    try {
      await this.events.saveSnapshot(stream, snapshot);
    } catch (error) {
      this.log.warn(`no snapshot of ${stream} at ${revision}: ${String(error)}`);
    }
  }
}
