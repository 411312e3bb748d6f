import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventBody } from '../support/api-views.js';
import { TARGET_TOOLS } from '../support/fake-target.js';
import { crashKills, crashTimeoutMs, CrashWorld, LEASE_TTL_MS } from './crash-world.js';

jest.setTimeout(crashTimeoutMs());

/** One stopped process is a zombie in each of its sessions. */
const SESSIONS_PER_PROCESS = 5;
const ROUNDS = Math.ceil(crashKills(10) / SESSIONS_PER_PROCESS);

const counts = { zombies: 0, staleAppends: 0, refusals: 0, lateResults: 0 };

let world: CrashWorld;
beforeAll(async () => {
  world = await CrashWorld.open();
});
afterAll(async () => {
  await world.close();
  process.stderr.write(`zombies: ${JSON.stringify(counts)}\n`);
});

async function begun(sessionId: string): Promise<string> {
  const worker = world.worker(sessionId);
  await worker.start({ tools: TARGET_TOOLS });
  await worker.input('Begin.');
  return sessionId;
}

/** What an owner that has been replaced must not write any more. */
function appendsOf(epoch: number, events: readonly EventBody[]): readonly EventBody[] {
  const replaced = events.findIndex(
    ({ type, data }) => type === 'RunClaimed' && Number(data.epoch) > epoch,
  );
  return events.slice(replaced).filter(({ data }) => data.epoch === epoch);
}

describe('a worker that sleeps longer than its lease', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => [round]))(
    'fc-19.2, fc-19.3: writes nothing more when it wakes, and its answers are kept: round %i',
    async (round) => {
      const names = Array.from({ length: SESSIONS_PER_PROCESS }, (_, i) => `tools-${round}-${i}`);
      const sessionIds = await Promise.all(names.map(begun));
      world.target.holdBack();
      const sleeper = world.startAgent(sessionIds);
      await world.target.held(TARGET_TOOLS.length * sessionIds.length);
      sleeper.signal('SIGSTOP');
      await pause(LEASE_TTL_MS + 100);
      world.target.answer();
      await world.startAgent(sessionIds).done();
      sleeper.signal('SIGCONT');
      await sleeper.done();

      const late = sleeper.lines.flatMap((line) => ('late' in line ? [line] : []));
      expect(late).toHaveLength(TARGET_TOOLS.length * sessionIds.length);
      const codes = new Set(late.flatMap(({ refused }) => refused));
      expect([...codes].filter((code) => !['stale_epoch', 'run_ended'].includes(code))).toEqual([]);
      counts.refusals += late.flatMap(({ refused }) => refused).length;
      for (const sessionId of sessionIds) await checkSession(sessionId);
    },
  );
});

async function checkSession(sessionId: string): Promise<void> {
  counts.zombies += 1;
  const events = await world.worker(sessionId).events();
  const stale = appendsOf(1, events);
  counts.staleAppends += stale.length;
  expect(stale).toEqual([]);
  const kept = events.filter(({ type }) => type === 'ToolLateResultReceived');
  counts.lateResults += kept.length;
  expect(kept.map(({ data }) => data.claimedEpoch)).toEqual(TARGET_TOOLS.map(() => 1));
  expect(events.filter(({ type }) => type === 'ToolConflictDetected')).toEqual([]);
  const asked = events.filter(({ type }) => type === 'ToolCallRequested');
  for (const { data } of asked.filter(({ data }) => data.tool !== 'look_up')) {
    expect([data.tool, world.target.effectsOf(String(data.opKey))]).toEqual([data.tool, 1]);
  }
}
