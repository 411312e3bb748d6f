import { letsOthersIn } from '../../src/storage/fair-turn.js';
import type { Choices } from '../protocol/choices.js';

/** Somebody whose work can be cut off at any await, or sleep through anything. */
export class Actor {
  alive = true;
  sleepsUntilMs = 0;

  constructor(readonly name: string) {}
}

interface Waiting {
  readonly actor: Actor;
  readonly go: () => void;
}

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly happen: () => void;
}

/**
 * All chance, all order and all time of one simulation. Whoever does something visible waits for its
 * turn (`turn`), and the seed says whose is next; time passes only here.
 */
export class Scheduler {
  private ms = Date.UTC(2026, 0, 1);
  private text = new Date(this.ms).toISOString();
  private readonly waiting: Waiting[] = [];
  private readonly timers: Timer[] = [];
  private order = 0;

  constructor(readonly choices: Choices) {}

  get nowMs(): number {
    return this.ms;
  }

  /** ISO 8601. */
  get now(): string {
    return this.text;
  }

  /** Resolves when it is this actor's turn; never, once the actor is dead. */
  turn(actor: Actor): Promise<void> {
    if (!actor.alive) return never();
    return new Promise((go) => void this.waiting.push({ actor, go }));
  }

  /** Resolves after so much time, if the actor still lives. */
  async sleep(actor: Actor, ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.later(ms, resolve));
    await this.turn(actor);
  }

  later(afterMs: number, happen: () => void): void {
    this.order += 1;
    this.timers.push({ atMs: this.nowMs + afterMs, order: this.order, happen });
  }

  /** Lets one actor go on, or lets time pass to the next timer. False: nothing is left to happen. */
  async step(): Promise<boolean> {
    await everybodyWaits();
    const ready = this.waiting.filter(
      ({ actor }) => actor.alive && actor.sleepsUntilMs <= this.nowMs,
    );
    // Now and then time passes although somebody could go on: that one is slow.
    if (ready.length > 0 && !(this.timers.length > 0 && this.choices.oneIn(25))) {
      const next = this.choices.pick(ready);
      this.waiting.splice(this.waiting.indexOf(next), 1);
      next.go();
      return true;
    }
    const timer = this.nextTimer();
    if (timer === undefined) return false;
    this.timers.splice(this.timers.indexOf(timer), 1);
    if (timer.atMs > this.ms) {
      this.ms = timer.atMs;
      this.text = new Date(this.ms).toISOString();
    }
    timer.happen();
    return true;
  }

  private nextTimer(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.timers) {
      const isEarlier =
        next === undefined ||
        timer.atMs < next.atMs ||
        (timer.atMs === next.atMs && timer.order < next.order);
      if (isEarlier) next = timer;
    }
    return next;
  }
}

/** One for each who waits: one for all would keep every history in memory. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * Everything that does not wait for its turn has been done: what lets others in between, as long as
 * real time says so, is no chance of this world.
 */
async function everybodyWaits(): Promise<void> {
  do {
    await new Promise((resolve) => void setImmediate(resolve));
  } while (letsOthersIn());
}
