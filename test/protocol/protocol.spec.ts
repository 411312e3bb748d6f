import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MUTATIONS } from './mutations.js';
import { runSchedules } from './run-schedules.js';
import { ALL_RULES } from './world.js';

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

Logger.overrideLogger(false);

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

describe('the protocol', () => {
  it(
    `holds in ${schedules} schedules of seed ${seed}`,
    () => {
      const { violation, events } = runSchedules(seed, schedules, ALL_RULES);
      print(`protocol: seed ${seed}, ${schedules} schedules, ${JSON.stringify(events)}`);
      expect(violation).toBeUndefined();
      const rare = HAPPENS_OFTEN.filter((type) => (events[type] ?? 0) * 200 < schedules);
      expect(rare).toEqual([]);
    },
    60 * MINUTES_MS,
  );

  it.each(MUTATIONS)(
    'without a rule is found out: $name',
    ({ name, rules }) => {
      const { violation } = runSchedules(seed, schedules, rules);
      print(`protocol: ${name}: ${violation?.text} (schedule ${violation?.schedule})`);
      expect(violation).toBeDefined();
    },
    5 * MINUTES_MS,
  );

  it.each(MUTATIONS.filter((mutation) => mutation.showsInTheWorld))(
    'without a rule does harm in the world: $name',
    ({ rules }) => {
      const onlyEffects = { ...rules, heed: ['I-7', 'I-8'] };
      expect(runSchedules(seed, schedules, onlyEffects).violation).toBeDefined();
    },
    5 * MINUTES_MS,
  );
});
