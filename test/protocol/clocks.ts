import { SteadyTimes } from '../../src/commands/steady-times.js';
import type { CallState } from '../../src/domain/state.js';
import { at } from '../support/commands.js';
import type { Choices } from './choices.js';

/** Smaller differences between the clocks are none. */
const TOLERANCE_MS = 5_000;
const BEGIN_MS = Date.parse(at(0));

/**
 * The clocks of the server: the wall clock jumps, the monotonic one is the true time. What may happen
 * when is asked of the same code as in the server.
 */
export class Clocks {
  private offsetMs = 0;
  private newestRecordedMs = 0;
  private times: SteadyTimes;
  private text = { ms: 0, text: at(0) };

  constructor(
    private readonly choices: Choices,
    private readonly trueMs: () => number,
  ) {
    this.times = this.newProcess();
  }

  /** ISO 8601, by the wall clock. */
  get now(): string {
    const ms = this.trueMs() + this.offsetMs;
    if (this.text.ms !== ms) this.text = { ms, text: at(ms) };
    return this.text.text;
  }

  /** Something was written now. */
  recorded(): void {
    this.newestRecordedMs = Math.max(this.newestRecordedMs, this.trueMs() + this.offsetMs);
  }

  latestFor(call: CallState): string {
    return this.times.latestFor(call);
  }

  started(call: CallState): void {
    this.times.started(call);
  }

  hasWaited(call: CallState): boolean {
    return this.times.hasWaited(call);
  }

  /** Ahead, or back behind everything that was written: a clock that is set back within the time in
   * which nothing was written cannot be told from a right one after a restart. */
  jump(): void {
    const jumpMs = TOLERANCE_MS + 1_000 + this.choices.below(3_600_000);
    const silentMs = this.trueMs() + this.offsetMs - this.newestRecordedMs;
    this.offsetMs += this.choices.oneIn(2) ? jumpMs : -(jumpMs + silentMs);
    this.times.latestNow();
  }

  restart(): void {
    this.times = this.newProcess();
    this.times.noteRecorded(BEGIN_MS + this.newestRecordedMs);
  }

  private newProcess(): SteadyTimes {
    return new SteadyTimes(this.trueMs, () => BEGIN_MS + this.trueMs() + this.offsetMs);
  }
}
