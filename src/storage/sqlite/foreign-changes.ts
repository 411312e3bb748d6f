import type { ChangeSignal } from '../change-signal.js';

export const POLL_MS = 25;

/**
 * Wakes waiting readers when another process has committed. The version at the last poll is kept
 * between polls, so what happens while nobody waits is noticed at the next one.
 */
export class ForeignChanges {
  private timer: NodeJS.Timeout | undefined;
  private lastVersion: number | undefined;

  constructor(
    private readonly changes: ChangeSignal,
    /** undefined while the database is not open. */
    private readonly dataVersion: () => number | undefined,
  ) {}

  start(): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => this.poll(), POLL_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private poll(): void {
    if (!this.changes.hasWaiting) return;
    const version = this.versionNow();
    if (version === this.lastVersion) return;
    this.lastVersion = version;
    this.changes.notify();
  }

  /** A reader that is woken meets the error itself, and can say so. */
  private versionNow(): number | undefined {
    try {
      return this.dataVersion();
    } catch {
      return undefined;
    }
  }
}
