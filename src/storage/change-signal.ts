/** Wakes those who wait for new events. */
export class ChangeSignal {
  private readonly waiting = new Set<() => void>();
  private changes = 0;

  /** Take it before reading, and give it to `wait`: a change in between is then not missed. */
  get changeCount(): number {
    return this.changes;
  }

  get hasWaiting(): boolean {
    return this.waiting.size > 0;
  }

  notify(): void {
    this.changes += 1;
    for (const wake of this.waiting) wake();
  }

  /** Resolves when there were changes since `changeCount`, or when the signal is aborted. */
  wait(changeCount: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.changes !== changeCount) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      signal.addEventListener('abort', wake, { once: true });
      this.waiting.add(wake);
    });
  }
}
