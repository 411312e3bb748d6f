import type { CheckpointLog } from '../checkpoint-log.js';
import type { EventStore } from '../event-store.js';
import { type Checkpoint, sumOf, textOf, verifyOnward } from './checkpoints.js';
import { type BrokenPlace, LogVerifier, type LogSum, hashOf } from './log-verifier.js';

export interface Verification {
  /** Events that were found as they were written. */
  readonly events: number;
  readonly checkpoints: number;
  /** Events behind the last checkpoint: of these the last ones could be missing unnoticed. */
  readonly uncovered: number;
  readonly broken?: BrokenPlace;
}

/**
 * Computes every chain and every checkpoint anew, from the beginning, in the memory of a page.
 * @param lines the checkpoints; those about other stores are passed over.
 */
export async function verifyLog(
  store: EventStore,
  log: Pick<CheckpointLog, 'isSigned'>,
  lines: readonly string[],
  onProgress: (position: bigint) => void = () => undefined,
): Promise<Verification> {
  const fault = faultIn(lines, log);
  const none = { events: 0, checkpoints: 0, uncovered: 0 };
  if (fault !== undefined) return { ...none, broken: { position: 0n, reason: fault } };
  const storeId = await store.storeId();
  const checkpoints = lines
    .map((line) => JSON.parse(line) as Checkpoint)
    .filter((checkpoint) => checkpoint.storeId === storeId);
  const first = checkpoints[0];
  const verifier = new LogVerifier(store, undefined, first && sumOf(first).position);
  const open = [...checkpoints];
  let last: LogSum | undefined;
  const compare = (sum: LogSum): BrokenPlace | undefined => {
    onProgress(sum.position);
    for (let next = open[0]; next && sumOf(next).position <= sum.position; next = open[0]) {
      if (!isSame(sumOf(next), sum)) return notAsSigned(next);
      last = sum;
      open.shift();
    }
    return undefined;
  };
  const broken =
    compare(verifier.sum) ??
    (await verifyOnward(store, verifier, { afterEach: compare })) ??
    (open[0] && cutOff(open[0], verifier.sum));
  return {
    events: verifier.sum.eventCount,
    checkpoints: checkpoints.length - open.length,
    uncovered: verifier.sum.eventCount - (last?.eventCount ?? 0),
    broken,
  };
}

function isSame(one: LogSum, other: LogSum): boolean {
  return (
    one.position === other.position &&
    one.eventCount === other.eventCount &&
    one.rollingHash === other.rollingHash
  );
}

function notAsSigned({ seq, at, globalPosition, eventCount }: Checkpoint): BrokenPlace {
  return {
    position: BigInt(globalPosition),
    reason:
      `checkpoint ${seq} of ${at} was signed over other events: between the checkpoint before it and ` +
      `event number ${eventCount} one was removed, added or changed`,
  };
}

function cutOff({ seq, at, eventCount }: Checkpoint, { position }: LogSum): BrokenPlace {
  return {
    position,
    reason: `the log ends here, and checkpoint ${seq} of ${at} was signed over ${eventCount} events`,
  };
}

/** Why the list of checkpoints is not the one that was written. */
function faultIn(
  lines: readonly string[],
  log: Pick<CheckpointLog, 'isSigned'>,
): string | undefined {
  for (const [index, line] of lines.entries()) {
    const name = `checkpoint ${index + 1}`;
    let checkpoint: Checkpoint;
    try {
      checkpoint = JSON.parse(line) as Checkpoint;
    } catch {
      return `${name} cannot be read`;
    }
    const { signature, ...statement } = checkpoint;
    const before = lines[index - 1];
    const isNext =
      checkpoint.seq === index + 1 &&
      checkpoint.previousCheckpointHash === (before === undefined ? '' : hashOf(before));
    if (!isNext) return `${name} does not follow the one before it`;
    if (!log.isSigned(textOf(statement), checkpoint.keyId, String(signature))) {
      return `${name} is not signed by a key of this installation`;
    }
  }
  return undefined;
}
