import { afterAll, describe, expect, it } from '@jest/globals';
import { Threads } from '../support/threads.js';
import { type Search, type SearchResult, VARIANT_NAMES, merged } from './search.js';

/** SEED=7 replays one history; SEEDS=20000 makes it a long search, from FIRST_SEED on. */
const only = process.env['SEED'];
const first = Number(only ?? process.env['FIRST_SEED'] ?? 1);
const seeds = only === undefined ? Number(process.env['SEEDS'] ?? 200) : 1;
const PART_SEEDS = 25;
const MINUTES_MS = 60_000;

const FOLDERS = ['src', 'test/simulation', 'test/protocol', 'test/projections', 'test/support'];
const threads = new Threads<Search, SearchResult>(FOLDERS, 'test/simulation/search-thread.ts');

afterAll(() => threads.close());

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Plays seed after seed until one breaks an invariant. */
async function search(count: number, rest: Partial<Search> = {}) {
  const parts = Array.from({ length: Math.ceil(count / PART_SEEDS) }, (_, part): Search => {
    const from = part * PART_SEEDS;
    return { first: first + from, count: Math.min(PART_SEEDS, count - from), ...rest };
  });
  return merged(await threads.find(parts, ({ violation }) => violation !== undefined));
}

/** What has to happen often enough, or the histories prove nothing. */
const HAPPENS = [
  'serverKilled',
  'workerKilled',
  'workerPaused',
  'leasesLost',
  'leaseClockJumped',
  'RecoveryAttempted',
  'RunStopped',
  'RunFailed',
  'ToolOutcomeUnknown',
  'ToolRetryAuthorized',
  'ToolLateResultReceived',
  'ToolProbeRecorded',
  'ToolEscalated',
  'ToolEscalationDecided',
  'ToolApprovalRequested',
  'ToolApprovalDecided',
  'ToolCompensationRequested',
  'ToolCompensationRecorded',
  'Compacted',
  'CompactionFailed',
  'Forked',
  'InheritedOutcomeRecorded',
  'childStarted',
  'childStoppedWithParent',
];

describe('the simulation', () => {
  it(
    `holds in ${seeds} histories from seed ${first} on`,
    async () => {
      const { seeds: played, steps, counts, violation } = await search(seeds);
      print(`simulation: ${played} seeds, ${steps} steps`);
      for (const what of Object.keys(counts).sort()) print(`  ${what}: ${counts[what]}`);
      if (violation !== undefined) {
        print(`simulation: replay it with npm run test:simulation -- --seed ${violation.seed}`);
      }
      expect(violation).toBeUndefined();
      const rare = HAPPENS.filter((what) => (counts[what] ?? 0) * 200 < seeds);
      if (seeds >= 50) expect(rare).toEqual([]);
    },
    600 * MINUTES_MS,
  );

  it('makes the same history of the same seed', async () => {
    const [one] = await threads.find([{ first, count: 1 }]);
    const [other] = await threads.find([{ first, count: 1 }]);
    expect(other).toEqual(one);
  });

  it.each(VARIANT_NAMES)(
    'finds what is broken, and replays it: %s',
    async (variant) => {
      const { violation } = await search(300, { variant });
      print(`simulation: ${variant}: ${violation?.text} (seed ${violation?.seed})`);
      expect(violation).toBeDefined();
      expect(violation!.text).not.toContain('unexpected error');
      const [again] = await threads.find([{ first: violation!.seed, count: 1, variant }]);
      expect(again!.violation).toEqual(violation);
    },
    10 * MINUTES_MS,
  );
});
