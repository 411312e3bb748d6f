import { afterAll, describe, expect, it } from '@jest/globals';
import { Threads } from '../support/threads.js';
import { MUTATIONS } from './mutations.js';
import type { ProtocolSearch } from './protocol-thread.js';
import type { Outcome } from './run-schedules.js';

/**
 * The reconciliation protocol against a world with faults (§20 of its specification): the domain
 * itself is the system under test. SCHEDULES=100000 and another SEED make it a long search.
 */
const seed = Number(process.env['SEED'] ?? 42);
const schedules = Number(process.env['SCHEDULES'] ?? 10_000);
const MINUTES_MS = 60_000;

/** What has to happen often enough, or the schedules prove nothing. */
const HAPPENS_OFTEN = [
  'RecoveryAttempted',
  'SessionQuarantined',
  'SessionQuarantined(cost)',
  'Forked',
  'InheritedOutcomeRecorded',
  'child started',
  'child stopped',
  'RunStopped',
  'RunInterrupted',
  'ToolCallStarted',
  'ToolOutcomeUnknown',
  'ToolRetryAuthorized',
  'ToolRetryExpired',
  'ToolProbeRecorded',
  'ToolApprovalRequested',
  'ToolApprovalDecided',
  'ToolEscalated',
  'ToolEscalationDecided',
  'ToolLateResultReceived',
  'ToolCompensationRequested',
  'ToolCompensationRecorded',
  'ToolCallSkipped',
  'Compacted',
];

const PART_SCHEDULES = 500;
const FOLDERS = ['src', 'test/protocol', 'test/support'];
const threads = new Threads<ProtocolSearch, Outcome>(FOLDERS, 'test/protocol/protocol-thread.ts');

afterAll(() => threads.close());

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs schedules until one breaks an invariant; of those that do, the first. */
async function search(rest: Pick<ProtocolSearch, 'without' | 'heed'> = {}): Promise<Outcome> {
  const parts = Array.from({ length: Math.ceil(schedules / PART_SCHEDULES) }, (_, part) => {
    const from = part * PART_SCHEDULES;
    return { seed, first: from, count: Math.min(PART_SCHEDULES, schedules - from), ...rest };
  });
  const found = await threads.find(parts, ({ violation }) => violation !== undefined);
  const events: Record<string, number> = {};
  for (const [type, times] of found.flatMap((part) => Object.entries(part.events))) {
    events[type] = (events[type] ?? 0) + times;
  }
  const violations = found.flatMap(({ violation }) => (violation === undefined ? [] : [violation]));
  const [violation] = violations.sort((one, other) => one.schedule - other.schedule);
  return { schedules: found.reduce((sum, part) => sum + part.schedules, 0), events, violation };
}

describe('the protocol', () => {
  it(
    `holds in ${schedules} schedules of seed ${seed}`,
    async () => {
      const { schedules: run, violation, events } = await search();
      print(`protocol: seed ${seed}, ${run} schedules, ${JSON.stringify(events)}`);
      expect(violation).toBeUndefined();
      const rare = HAPPENS_OFTEN.filter((type) => (events[type] ?? 0) * 200 < schedules);
      expect(rare).toEqual([]);
    },
    60 * MINUTES_MS,
  );

  it.each(MUTATIONS)(
    'without a rule is found out: $name',
    async ({ name }) => {
      const { violation } = await search({ without: name });
      print(`protocol: ${name}: ${violation?.text} (schedule ${violation?.schedule})`);
      expect(violation).toBeDefined();
    },
    10 * MINUTES_MS,
  );

  it.each(MUTATIONS.filter((mutation) => mutation.showsInTheWorld))(
    'without a rule does harm in the world: $name',
    async ({ name }) => {
      const { violation } = await search({ without: name, heed: ['I-7', 'I-8'] });
      expect(violation).toBeDefined();
    },
    10 * MINUTES_MS,
  );
});
