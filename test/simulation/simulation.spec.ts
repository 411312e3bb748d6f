import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Outcome, Simulation, type Variant } from './simulation.js';
import { VARIANTS } from './variants.js';

Logger.overrideLogger(false);

/** SEED=7 replays one history; SEEDS=20000 makes it a long search, from FIRST_SEED on. */
const only = process.env['SEED'];
const first = Number(only ?? process.env['FIRST_SEED'] ?? 1);
const seeds = only === undefined ? Number(process.env['SEEDS'] ?? 200) : 1;
const MINUTES_MS = 60_000;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Plays seed after seed until one breaks an invariant. */
async function search(count: number, variant?: Variant): Promise<Found> {
  const counts = new Map<string, number>();
  let steps = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const outcome = await new Simulation(seed, variant).run();
    steps += outcome.steps;
    for (const [what, times] of outcome.counts) counts.set(what, (counts.get(what) ?? 0) + times);
    const { violation } = outcome;
    if (violation !== undefined) return { counts, steps, violation: { seed, text: violation } };
  }
  return { counts, steps };
}

/** What has to happen often enough, or the histories prove nothing. */
const HAPPENS = [
  'serverKilled',
  'workerKilled',
  'workerPaused',
  'leasesLost',
  'RecoveryAttempted',
  'RunStopped',
  'RunFailed',
  'ToolOutcomeUnknown',
  'ToolRetryAuthorized',
  'ToolLateResultReceived',
  'ToolProbeRecorded',
  'ToolEscalationDecided',
  'ToolApprovalDecided',
  'ToolCompensationRequested',
  'ToolCompensationRecorded',
  'Compacted',
  'CompactionFailed',
  'Forked',
  'InheritedOutcomeRecorded',
];

interface Found extends Pick<Outcome, 'counts' | 'steps'> {
  readonly violation?: { readonly seed: number; readonly text: string };
}

describe('the simulation', () => {
  it(
    `holds in ${seeds} histories from seed ${first} on`,
    async () => {
      const { counts, steps, violation } = await search(seeds);
      print(`simulation: ${seeds} seeds, ${steps} steps, ${JSON.stringify([...counts])}`);
      if (violation !== undefined) {
        print(`simulation: replay it with npm run test:simulation -- --seed ${violation.seed}`);
      }
      expect(violation).toBeUndefined();
      const rare = HAPPENS.filter((what) => (counts.get(what) ?? 0) * 50 < seeds);
      if (seeds >= 50) expect(rare).toEqual([]);
    },
    120 * MINUTES_MS,
  );

  it('makes the same history of the same seed', async () => {
    const one = await new Simulation(first).run();
    const other = await new Simulation(first).run();
    expect(other.log).toBe(one.log);
    expect(other.steps).toBe(one.steps);
  });

  it.each(VARIANTS)(
    'finds what is broken, and replays it: $name',
    async ({ variant }) => {
      const { violation } = await search(Math.max(seeds, 300), variant);
      print(`simulation: ${violation?.text} (seed ${violation?.seed})`);
      expect(violation).toBeDefined();
      const again = await new Simulation(violation!.seed, variant).run();
      expect(again.violation).toBe(violation!.text);
    },
    10 * MINUTES_MS,
  );
});
