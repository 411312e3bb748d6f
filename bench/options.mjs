import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = `npm run bench -- [--quick] [--peers] [--json] [--only P1,P4] [--dist <folder>]
                 [--no-page]

  --quick   under two minutes, with --peers under three: smaller sessions, fewer repetitions
  --peers   also the same work by LangGraph, Emmett and OpenAI Agents, which must be installed:
            npm ci --prefix bench --ignore-scripts && npm rebuild --prefix bench sqlite3
  --json    one JSON line per figure on stdout, the table on stderr
  --only    these workloads
  --dist    another build of Holdfast than ./dist
  --no-page leave docs/benchmarks.md as it is
`;

/** Sizes of a run. `rounds` is never below 3: each figure is a median of that many. */
const QUICK = {
  rounds: 3,
  turnsPerRound: 40,
  growthTurns: 1_000,
  longTurns: 3_000,
  flatTurns: 1_000,
  treeSessions: 3_000,
  diskTurns: 200,
  postsPerRound: 1_000,
  catchUpTurns: 300,
  comparedTurns: 10,
  comparedLength: 300,
  comparedTurnsEach: 1,
  comparedTree: 500,
};
const FULL = {
  rounds: 5,
  turnsPerRound: 300,
  growthTurns: 10_000,
  longTurns: 10_000,
  flatTurns: 10_000,
  treeSessions: 100_000,
  diskTurns: 2_000,
  postsPerRound: 10_000,
  catchUpTurns: 3_000,
  comparedTurns: 30,
  comparedLength: 1_000,
  comparedTurnsEach: 4,
  comparedTree: 10_000,
};

export function readOptions(args, known) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      dist: { type: 'string' },
      'no-page': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return { help: USAGE };
  const only = values.only?.split(',') ?? known;
  const unknown = only.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`--only ${unknown.join(',')}: there are ${known.join(', ')}`);
  }
  return {
    ...(values.quick ? QUICK : FULL),
    isQuick: values.quick,
    hasPeers: values.peers,
    isJson: values.json,
    only,
    dist: values.dist ?? fileURLToPath(new URL('../dist', import.meta.url)),
    // A page of some workloads, or of another build, would pass for the whole.
    writesPage: !values['no-page'] && values.only === undefined && values.dist === undefined,
  };
}

/** The command line of a run with these options. */
export function commandOf({ isQuick, hasPeers }) {
  const switches = [...(isQuick ? ['--quick'] : []), ...(hasPeers ? ['--peers'] : [])];
  return ['npm run bench', ...(switches.length > 0 ? ['--', ...switches] : [])].join(' ');
}
