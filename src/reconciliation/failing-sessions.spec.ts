import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { StoreUnavailableError } from '../storage/event-store.js';
import { MissingKeyError } from '../storage/missing-key-error.js';
import {
  FAILING_PAUSE_MS_MAX,
  FAILING_PAUSE_MS_MIN,
  FAILURES_IN_A_ROW,
  FailingSessions,
} from './failing-sessions.js';

const SESSION = { tenantId: 'acme', sessionId: 's1' };
const OTHER = { tenantId: 'acme', sessionId: 's2' };

Logger.overrideLogger(false);

let nowMs: number;
let alarms: string[];
let failing: FailingSessions;

beforeEach(() => {
  nowMs = 1_000_000;
  alarms = [];
  failing = new FailingSessions(
    () => nowMs,
    (alarm) => alarms.push(alarm),
  );
});

/** How long it has to wait after it has failed once more. */
function pauseAfterFailure(error: Error): number {
  failing.failed(SESSION, error);
  const failedAtMs = nowMs;
  while (failing.hasToWait(SESSION)) nowMs += 1_000;
  return nowMs - failedAtMs;
}

describe('sessions whose steps fail', () => {
  it('wait after three failures in a row, ever longer, and hold up no other', () => {
    const pauses = Array.from({ length: 9 }, () => pauseAfterFailure(new Error('no')));
    const first = FAILING_PAUSE_MS_MIN;
    const rising = [0, 0, first, 2 * first, 4 * first, 8 * first, 16 * first];
    expect(pauses).toEqual([...rising, FAILING_PAUSE_MS_MAX, FAILING_PAUSE_MS_MAX]);
    failing.failed(SESSION, new Error('no'));
    expect(failing.hasToWait(SESSION)).toBe(true);
    expect(failing.hasToWait(OTHER)).toBe(false);
  });

  it('raise one alarm, and are named to whoever sweeps', () => {
    for (let count = 1; count < FAILURES_IN_A_ROW; count += 1) {
      failing.failed(SESSION, new Error('no'));
    }
    expect([alarms, failing.findings()]).toEqual([[], []]);
    failing.failed(SESSION, new Error('no'));
    failing.failed(SESSION, new Error('still no'));
    expect(alarms).toEqual(['session_failing']);
    expect(failing.findings()).toEqual([
      { ...SESSION, what: 'failing', detail: '4 times in a row: Error: still no' },
    ]);
  });

  it('are as any other once a step has come through', () => {
    for (let count = 0; count < 5; count += 1) failing.failed(SESSION, new Error('no'));
    failing.succeeded(SESSION);
    expect([failing.hasToWait(SESSION), failing.findings()]).toEqual([false, []]);
    expect(pauseAfterFailure(new Error('no'))).toBe(0);
  });

  it('are not to blame when the store is away, and are when their own key is missing', () => {
    for (let count = 0; count < 5; count += 1) {
      expect(pauseAfterFailure(new StoreUnavailableError('away', 1))).toBe(0);
    }
    expect(alarms).toEqual([]);
    const missing = new MissingKeyError(SESSION);
    for (let count = 0; count < 3; count += 1) failing.failed(SESSION, missing);
    expect([failing.hasToWait(SESSION), alarms]).toEqual([true, ['session_failing']]);
  });
});
