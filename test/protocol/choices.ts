// A global is slow to reach from inside a test, and chance is asked for a hundred times a schedule.
const { floor, imul } = Math;

/** All chance of one schedule: the same seed makes the same schedule again (mulberry32). */
export class Choices {
  private state: number;

  constructor(seed: number, schedule: number) {
    this.state = (imul(seed, 0x9e3779b1) ^ imul(schedule + 1, 0x85ebca6b)) >>> 0;
  }

  /** A whole number from 0 up to and not including the limit. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
  }

  /** True once in so many times. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}
