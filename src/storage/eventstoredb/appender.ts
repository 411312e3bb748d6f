import { randomUUID } from 'node:crypto';
import {
  type AppendOutcome,
  AppendUnknownError,
  type EventToAppend,
  type ExpectedRevision,
  InvalidAppendError,
  StoreUnavailableError,
} from '../event-store.js';
import { pause } from '../pause.js';
import { type CallFailure, failureOf, textOf } from './call-failure.js';
import { backOffMs } from './connection-times.js';
import type { EsdbEventData } from './esdb-client.js';
import { type EsdbConnection, within } from './esdb-connection.js';
import { toStore } from './stored-event.js';
import type { StreamReader } from './stream-reader.js';

const TRIES_MAX = 5;
const FIRST_BACK_OFF_MS = 50;
/** The client's own deadline ends the call; the limit around it is for a client that hangs. */
const DEADLINE_GRACE_MS = 250;

interface Sending {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
  readonly appendId: string;
  readonly stored: readonly EsdbEventData[];
  /** An earlier try of this sending may have been written. */
  readonly mayStand: boolean;
}

/** Writes a batch, and finds out what became of it when the answer does not come. */
export class Appender {
  constructor(
    private readonly connection: EsdbConnection,
    private readonly reader: StreamReader,
  ) {}

  /** @throws AppendUnknownError, StoreUnavailableError, InvalidAppendError. */
  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    await this.connection.checkReachable();
    const appendId = randomUUID();
    const stored = toStore(events, appendId);
    const { appendSettleMs, appendTryMs } = this.connection.times;
    const endsAtMs = performance.now() + appendSettleMs;
    for (let tries = 1; ; tries += 1) {
      const sending = { stream, expected, events, appendId, stored, mayStand: tries > 1 };
      try {
        return await this.send(sending);
      } catch (error) {
        const failure = failureOf(error);
        if (error instanceof AppendUnknownError || error instanceof StreamDeletedError) throw error;
        if (failure !== 'unknown') throw refusal(sending, failure, error);
        this.connection.distrust();
        const left = endsAtMs - performance.now();
        if (tries >= TRIES_MAX || left <= 0 || this.connection.closed) {
          throw unknownOutcome(stream, error);
        }
        const waitMs = backOffMs(tries, FIRST_BACK_OFF_MS, appendTryMs);
        await pause(Math.min(left, waitMs), this.connection.signal);
      }
    }
  }

  private async send(sending: Sending): Promise<AppendOutcome> {
    const { stream, expected, stored } = sending;
    const { client, times } = this.connection;
    const expectation = expected === 'noStream' ? expected : BigInt(expected);
    const answer = await within(
      `an append to ${stream}`,
      times.appendTryMs + DEADLINE_GRACE_MS,
      client.append(stream, expectation, stored, times.appendTryMs),
    );
    this.connection.trust();
    if (!answer.written) return this.compare(sending, answer.actual);
    const { revision } = answer;
    if (expected === 'noStream' && revision !== stored.length - 1) {
      throw new StreamDeletedError(stream);
    }
    const position = answer.position ?? (await this.positionOf(stream, revision));
    this.reader.know(position);
    return { outcome: 'written', revision, position, repeated: false };
  }

  /** The expectation does not hold: is it this very batch that stands there? */
  private async compare(sending: Sending, actual: number | 'noStream'): Promise<AppendOutcome> {
    const { stream, expected, events, appendId } = sending;
    const refused: AppendOutcome = { outcome: 'refused', currentRevision: actual };
    const from = expected === 'noStream' ? 0 : expected + 1;
    if (actual === 'noStream' || actual < from) return refused;
    const there = await this.readBack(stream, from, events.length);
    const same = events.every((event, index) => there[index]?.event.eventId === event.eventId);
    const last = there.at(-1);
    if (!same || last === undefined) return refused;
    const { revision, position } = last.event;
    return { outcome: 'written', revision, position, repeated: last.appendId !== appendId };
  }

  private async readBack(stream: string, from: number, count: number) {
    try {
      return await this.reader.page(stream, { from, count });
    } catch (error) {
      throw unknownOutcome(stream, error);
    }
  }

  private async positionOf(stream: string, revision: number): Promise<bigint> {
    const [last] = await this.readBack(stream, revision, 1);
    if (last === undefined) throw unknownOutcome(stream, new Error('it is not there'));
    return last.event.position;
  }
}

/** What the server said for certain about this try; an earlier one may have been written. */
function refusal(
  { stream, mayStand }: Sending,
  failure: Exclude<CallFailure, 'unknown'>,
  cause: unknown,
): Error {
  if (mayStand) return unknownOutcome(stream, cause);
  switch (failure) {
    case 'invalid':
      return new InvalidAppendError(
        `append to ${stream}: the server does not take it (${textOf(cause)})`,
      );
    case 'denied':
      return new StoreUnavailableError(
        'EventStoreDB denies Holdfast the right to write: see the user in its URL',
        5,
        { cause },
      );
    default:
      return new StreamDeletedError(stream, { cause });
  }
}

/**
 * Somebody deleted the stream in the server. For good: no append to it will ever succeed. Or softly:
 * it looks as if it had never been, and the server goes on behind the events that nobody sees.
 */
export class StreamDeletedError extends Error {
  constructor(stream: string, options?: ErrorOptions) {
    const what = options === undefined ? 'softly: restore it there' : 'for good';
    super(`the stream ${stream} was deleted in EventStoreDB ${what}`, options);
    this.name = 'StreamDeletedError';
  }
}

function unknownOutcome(stream: string, cause: unknown): AppendUnknownError {
  return new AppendUnknownError(
    `it is not known whether the append to ${stream} was written: ${textOf(cause)}`,
    { cause },
  );
}
