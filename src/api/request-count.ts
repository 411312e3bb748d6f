const SENDERS_MAX = 10_000;

interface Window {
  readonly untilMs: number;
  count: number;
}

/** Counts requests by who sends them, in windows of a fixed length. */
export class RequestCount {
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly countMax: number,
    private readonly windowMs: number,
  ) {}

  /** @returns milliseconds to wait when this was one too many, otherwise 0. */
  note(sender: string, nowMs: number): number {
    let window = this.windows.get(sender);
    if (window === undefined || window.untilMs <= nowMs) {
      this.makeRoom(nowMs);
      window = { untilMs: nowMs + this.windowMs, count: 0 };
      this.windows.set(sender, window);
    }
    window.count += 1;
    return window.count > this.countMax ? window.untilMs - nowMs : 0;
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
