import { Inject, Injectable } from '@nestjs/common';
import { latestPermit } from '../domain/attempts.js';
import type { CallState } from '../domain/state.js';
import { type Clock, MONOTONIC } from '../tokens.js';

const KNOWN_MAX = 100_000;

/**
 * For how long this process has known an attempt, on a clock that nobody can set. A wait that permits
 * something afterwards has to pass on it as well: a wall clock that jumps ahead permits nothing
 * early, and a restart can only make the wait longer (protocol, C2).
 */
@Injectable()
export class SteadyTimes {
  private readonly since = new Map<string, number>();

  constructor(@Inject(MONOTONIC) private readonly monotonic: Clock) {}

  /** 0 when it is first seen now. */
  knownForMs(call: CallState): number {
    const name = `${call.callId}:${latestPermit(call)?.attempt ?? 0}`;
    const nowMs = this.monotonic();
    const sinceMs = this.since.get(name);
    if (sinceMs !== undefined) return nowMs - sinceMs;
    // Forgetting makes waits longer, never shorter.
    if (this.since.size >= KNOWN_MAX) this.since.clear();
    this.since.set(name, nowMs);
    return 0;
  }
}
