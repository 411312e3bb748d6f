import canonicalize from 'canonicalize';
import type { CheckpointLog } from '../checkpoint-log.js';
import type { EventStore } from '../event-store.js';
import { type BrokenPlace, EMPTY_LOG, type LogSum, LogVerifier, hashOf } from './log-verifier.js';

const PAGE_EVENTS = 500;

/** A signed statement: so many events there were at that time, and these. */
export interface Checkpoint {
  /** From 1, without gaps. */
  readonly seq: number;
  readonly storeId: string;
  /** Of the last event that it covers. */
  readonly globalPosition: string;
  readonly eventCount: number;
  readonly rollingHash: string;
  /** SHA-256 of the line before it; empty for the first one. */
  readonly previousCheckpointHash: string;
  readonly keyId: string;
  readonly at: string;
  readonly signature: string;
}

/** The log was changed: what is left of it is not signed. */
export class BrokenLogError extends Error {
  constructor(readonly place: BrokenPlace) {
    super(describePlace(place));
    this.name = 'BrokenLogError';
  }
}

export function describePlace({ position, stream, revision, reason }: BrokenPlace): string {
  const what = stream === undefined ? `position ${position}` : `event ${revision} of ${stream}`;
  return `${what}: ${reason}`;
}

/**
 * Signs what has come since the last checkpoint, after it was verified; nothing when nothing came.
 * @param signal ends the verifying: what was verified by then is signed, and the next one goes on behind it.
 * @throws BrokenLogError
 */
export async function makeCheckpoint(
  store: EventStore,
  log: CheckpointLog,
  nowMs: number,
  signal?: AbortSignal,
): Promise<Checkpoint | undefined> {
  const storeId = await store.storeId();
  const lines = await log.all();
  const last = lines.length === 0 ? undefined : (JSON.parse(lines.at(-1)!) as Checkpoint);
  const isSameStore = last?.storeId === storeId;
  const start = isSameStore ? sumOf(last) : EMPTY_LOG;
  const verifier = new LogVerifier(store, start, isSameStore ? start.position : undefined);
  const broken = await verifyOnward(store, verifier, { signal });
  if (broken !== undefined) throw new BrokenLogError(broken);
  const { position, eventCount, rollingHash } = verifier.sum;
  if (isSameStore && eventCount === start.eventCount) return undefined;
  const statement = {
    seq: (last?.seq ?? 0) + 1,
    storeId,
    globalPosition: String(position),
    eventCount,
    rollingHash,
    previousCheckpointHash: lines.length === 0 ? '' : hashOf(lines.at(-1)!),
    keyId: log.keyId,
    at: new Date(nowMs).toISOString(),
  };
  const checkpoint = { ...statement, signature: log.sign(textOf(statement)) };
  await log.add(JSON.stringify(checkpoint));
  return checkpoint;
}

export interface VerifyOptions {
  /** What is wrong with the log up to an event, by what others know of it. */
  readonly afterEach?: (sum: LogSum) => BrokenPlace | undefined;
  readonly signal?: AbortSignal;
}

/** Takes all that is behind the verifier's position, page by page until the signal. */
export async function verifyOnward(
  store: EventStore,
  verifier: LogVerifier,
  { afterEach = () => undefined, signal }: VerifyOptions,
): Promise<BrokenPlace | undefined> {
  for (let after = verifier.sum.position; signal?.aborted !== true;) {
    const page = await store.readAll(after, PAGE_EVENTS);
    for (const stored of page.events) {
      const broken = (await verifier.take(stored)) ?? afterEach(verifier.sum);
      if (broken !== undefined) return broken;
    }
    if (page.caughtUp) return undefined;
    after = page.next;
  }
  return undefined;
}

export function sumOf({ globalPosition, eventCount, rollingHash }: Checkpoint): LogSum {
  return { position: BigInt(globalPosition), eventCount, rollingHash };
}

/** What is signed: the statement in RFC 8785's form, without the signature. */
export function textOf(statement: Omit<Checkpoint, 'signature'>): string {
  return canonicalize(statement) as string;
}
