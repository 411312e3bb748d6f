import { Schedule } from './schedule.js';
import { Violation } from './watched-call.js';
import type { Rules } from './world.js';

/** Schedules of one seed, from a number on. */
export interface Search {
  readonly seed: number;
  readonly first: number;
  readonly count: number;
}

export interface Outcome {
  /** How many have been run. */
  readonly schedules: number;
  /** How many events of each type there were in all schedules. */
  readonly events: Readonly<Record<string, number>>;
  /** Where the first broken invariant was found. */
  readonly violation?: { readonly schedule: number; readonly text: string };
}

/** Runs schedules until one breaks an invariant or all have been run. */
export function runSchedules({ seed, first, count }: Search, rules: Rules): Outcome {
  const events: Record<string, number> = {};
  // A refusal is an everyday answer here, and nobody reads where it was made.
  Error.stackTraceLimit = 0;
  for (let number = first; number < first + count; number += 1) {
    const schedule = new Schedule(seed, number, rules);
    try {
      schedule.run();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      return {
        schedules: number - first + 1,
        events,
        violation: { schedule: number, text: error.message },
      };
    }
    for (const [type, times] of schedule.world.watch.counts) {
      events[type] = (events[type] ?? 0) + times;
    }
  }
  return { schedules: count, events };
}
