import { Inject, Injectable, Logger } from '@nestjs/common';
import { ALARMS, type Alarms } from '../alarms.js';
import { latestPermit } from '../domain/attempts.js';
import type { CallState } from '../domain/state.js';
import { CLOCK, type Clock, MONOTONIC } from '../tokens.js';

const KNOWN_MAX = 100_000;
/** More than this apart, and the wall clock has been set, or the machine has slept. */
const TOLERANCE_MS = 5_000;

interface Known {
  readonly sinceMs: number;
  /** Started before the clock jumped, as far as is known: the whole wait has to pass again. */
  readonly beforeJump: boolean;
}

const WINDOWS_ARE_OVER = '9999-12-31T23:59:59.999Z';

/**
 * Time that nobody can set, for what would do harm too early or too late (protocol, §10.2): a wait
 * that permits something has to pass on the monotonic clock as well, and a window is over when the
 * later of the two clocks says so. Whatever was under way when the clock jumped gets no window any
 * more, and waits anew: a jump can delay, and never permits.
 */
@Injectable()
export class SteadyTimes {
  private readonly log = new Logger(SteadyTimes.name);
  private readonly attempts = new Map<string, Known>();
  /** Wall and monotonic clock, as they were together when last trusted. */
  private together: { readonly wallMs: number; readonly steadyMs: number };
  /** The latest time ever seen or read from the log, and when: it goes on with the monotonic clock. */
  private latest: { readonly wallMs: number; readonly steadyMs: number };
  private isBehind = false;
  private hasJumped = false;

  constructor(
    @Inject(MONOTONIC) private readonly monotonic: Clock,
    @Inject(CLOCK) private readonly wall: Clock,
    @Inject(ALARMS) private readonly alarms: Alarms = () => undefined,
  ) {
    this.together = { wallMs: wall(), steadyMs: monotonic() };
    this.latest = this.together;
  }

  /** ISO 8601: no earlier than any time that was recorded here, plus what has passed since. */
  latestNow(): string {
    return new Date(this.latestMs()).toISOString();
  }

  /** By which windows of this call are over; ISO 8601. */
  latestFor(call: CallState): string {
    return this.known(call).beforeJump ? WINDOWS_ARE_OVER : this.latestNow();
  }

  /** As it stands in the log: the wall clock was there already. */
  noteRecorded(wallMs: number): void {
    this.note(wallMs);
  }

  /** The process has just let it start. */
  started(call: CallState): void {
    this.latestMs();
    this.remember(nameOf(call), { sinceMs: this.monotonic(), beforeJump: false });
  }

  /** Whether "not found" may be believed, as far as this process's own time tells. */
  hasWaited(call: CallState): boolean {
    const { sinceMs, beforeJump } = this.known(call);
    const { maxFlightMs, notFoundIsFinalAfterMs } = call;
    const wholeMs = Math.max(maxFlightMs, notFoundIsFinalAfterMs ?? 0);
    return this.monotonic() - sinceMs >= (beforeJump ? wholeMs : maxFlightMs);
  }

  private known(call: CallState): Known {
    this.note(Date.parse(latestPermit(call)?.startedAt ?? '') || 0);
    const name = nameOf(call);
    const known = this.attempts.get(name);
    if (known !== undefined) return known;
    return this.remember(name, { sinceMs: this.monotonic(), beforeJump: this.hasJumped });
  }

  private remember(name: string, known: Known): Known {
    // Forgetting makes waits longer, never shorter.
    if (this.attempts.size >= KNOWN_MAX) this.attempts.clear();
    this.attempts.set(name, known);
    return known;
  }

  private latestMs(): number {
    this.note(this.wall());
    return this.latest.wallMs + this.monotonic() - this.latest.steadyMs;
  }

  /** A time of the wall clock, now or as it stands in the log. */
  private note(wallMs: number): void {
    const steadyMs = this.monotonic();
    const latestMs = this.latest.wallMs + steadyMs - this.latest.steadyMs;
    if (wallMs > latestMs) this.latest = { wallMs, steadyMs };
    const nowMs = this.wall();
    const driftMs = nowMs - this.together.wallMs - (steadyMs - this.together.steadyMs);
    const behindMs = Math.max(wallMs, latestMs) - nowMs;
    const fellBehind = behindMs > TOLERANCE_MS && !this.isBehind;
    this.isBehind = behindMs > TOLERANCE_MS;
    if (Math.abs(driftMs) > TOLERANCE_MS || fellBehind) this.jumped(driftMs, behindMs, nowMs);
  }

  private jumped(driftMs: number, behindMs: number, wallMs: number): void {
    this.log.warn(
      `clock_jump: ${Math.round(driftMs / 1_000)} s against the monotonic clock, ` +
        `${Math.round(behindMs / 1_000)} s behind what was recorded; waits begin anew`,
    );
    this.alarms('clock_jump');
    this.together = { wallMs, steadyMs: this.monotonic() };
    this.hasJumped = true;
    this.attempts.clear();
  }
}

function nameOf(call: CallState): string {
  return `${call.callId}:${latestPermit(call)?.attempt ?? 0}`;
}
