import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { at, tool } from '../../test/support/commands.js';
import { askedFor, toolCallStarted } from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { SteadyTimes } from './steady-times.js';

Logger.overrideLogger(false);

const ORDER = tool({ effect: 'queryableWrite', probe: true, notFoundIsFinalAfterMs: 600_000 });
const { maxFlightMs } = ORDER;
const CALL = given([...askedFor(ORDER), toolCallStarted()]).state.calls['call-1']!;

let wallMs: number;
let steadyMs: number;
let times: SteadyTimes;
beforeEach(() => {
  wallMs = Date.parse(at(0));
  steadyMs = 5_000;
  times = newProcess();
});

function newProcess(): SteadyTimes {
  return new SteadyTimes(
    () => steadyMs,
    () => wallMs,
  );
}

function pass(ms: number): void {
  wallMs += ms;
  steadyMs += ms;
}

describe('a wait that permits something afterwards', () => {
  it('has to pass on the monotonic clock, from when the process has known the attempt', () => {
    expect(times.hasWaited(CALL)).toBe(false);
    wallMs += 4_000;
    pass(maxFlightMs - 1);
    expect(times.hasWaited(CALL)).toBe(false);
    pass(1);
    expect(times.hasWaited(CALL)).toBe(true);
  });

  it('begins anew, whole, when the clock has jumped', () => {
    times.hasWaited(CALL);
    pass(maxFlightMs);
    wallMs += 3_600_000;
    expect(times.hasWaited(CALL)).toBe(false);
    pass(ORDER.notFoundIsFinalAfterMs! - 1);
    expect(times.hasWaited(CALL)).toBe(false);
    pass(1);
    expect(times.hasWaited(CALL)).toBe(true);
  });

  it('is whole after a restart with a clock behind what the log says', () => {
    wallMs -= 60_000;
    times = newProcess();
    pass(maxFlightMs);
    expect(times.hasWaited(CALL)).toBe(false);
    pass(ORDER.notFoundIsFinalAfterMs!);
    expect(times.hasWaited(CALL)).toBe(true);
  });

  it('is not longer for what is started after the jump, nor for a small correction', () => {
    wallMs -= 3_600_000;
    times.latestNow();
    times.started(CALL);
    pass(maxFlightMs);
    expect(times.hasWaited(CALL)).toBe(true);
    wallMs = Date.parse(at(0));
    const calm = newProcess();
    calm.hasWaited(CALL);
    wallMs -= 4_000;
    pass(maxFlightMs);
    expect(calm.hasWaited(CALL)).toBe(true);
  });
});

describe('a window that permits something inside it', () => {
  it('is measured by the later of the two clocks', () => {
    expect(times.latestNow()).toBe(at(0));
    pass(10_000);
    expect(times.latestNow()).toBe(at(10_000));
    wallMs -= 3_600_000;
    pass(5_000);
    expect(times.latestNow()).toBe(at(15_000));
    wallMs += 7_200_000;
    expect(times.latestNow()).toBe(at(3_615_000));
  });

  it('is over for what was under way when the clock jumped, and open for what starts later', () => {
    expect(times.latestFor(CALL)).toBe(at(0));
    wallMs -= 3_600_000;
    expect(times.latestFor(CALL) > at(1e12)).toBe(true);
    times.started(CALL);
    expect(times.latestFor(CALL)).toBe(at(0));
  });

  it('is measured from what the log says, where a new process has an earlier clock', () => {
    wallMs -= 3_600_000;
    times = newProcess();
    times.hasWaited(CALL);
    pass(1_000);
    expect(times.latestNow()).toBe(at(1_000));
  });
});
