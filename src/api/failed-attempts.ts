const WINDOW_MS = 60_000;
const FAILURES_MAX = 10;
const SENDERS_MAX = 10_000;

interface Window {
  readonly untilMs: number;
  failures: number;
}

/** Counts wrong credentials by where they come from. A right one is never held up by it. */
export class FailedAttempts {
  private readonly windows = new Map<string, Window>();

  /** @returns milliseconds to wait when this was one too many, otherwise 0. */
  note(sender: string, nowMs: number): number {
    let window = this.windows.get(sender);
    if (window === undefined || window.untilMs <= nowMs) {
      this.makeRoom(nowMs);
      window = { untilMs: nowMs + WINDOW_MS, failures: 0 };
      this.windows.set(sender, window);
    }
    window.failures += 1;
    return window.failures > FAILURES_MAX ? window.untilMs - nowMs : 0;
  }

  /** A flood of senders must not grow the memory: what is over goes first, then the oldest. */
  private makeRoom(nowMs: number): void {
    if (this.windows.size < SENDERS_MAX) return;
    for (const [sender, { untilMs }] of this.windows) {
      if (untilMs <= nowMs) this.windows.delete(sender);
    }
    for (const sender of this.windows.keys()) {
      if (this.windows.size < SENDERS_MAX) return;
      this.windows.delete(sender);
    }
  }
}
