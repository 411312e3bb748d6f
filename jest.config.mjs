import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

/**
 * What takes long and hangs on little: stores behind their doubles, every command of the guides, what
 * is asked of real targets, the given failure cases, simulated histories, kills beyond the usual ones,
 * every cut of real sessions, requests of all kinds, the longer properties, feeds and metrics.
 * `npm test` leaves it out, `npm run test:more` runs it alone (TEST_MORE=only); CI runs both.
 */
const MORE = [
  '/src/storage/(mongodb|eventstoredb)/',
  '/packages/provider-rules/test/properties',
  '/src/context/(omission-check.property|sample-forks)',
  '/src/projections/cost-tree/(cost-tree.property|tree-scan)',
  '/src/reconciliation/reconcile-reservations',
  '/test/(failure-cases|fuzz|simulation|stores)/',
  '/test/context/samples',
  '/test/crash/(budgets|crash-loop|erasures|many-clients|zombie)',
  '/test/e2e/[a-z]+-guide',
  '/test/e2e/graphql-(access|limits|loading|page|subscriptions)',
  '/test/e2e/(artifacts|broken-exports|context-restart|events-feed|feed-credentials|past-contexts|slow-feed)',
  '/test/e2e/(damaged-session|metrics|mongodb-outage|quarantine|server-probes|wake-ups|work|worker-example)',
];
const SPECS = '\\.(e2e-)?spec\\.ts$';
const wanted = process.env['TEST_MORE'];

export default {
  testEnvironment: './test/support/outside-environment.mjs',
  testSequencer: './test/support/long-first.mjs',
  // A limit that finds hangs; how fast things are is the benchmark's subject.
  testTimeout: 60_000,
  // Jest's own default leaves one core out: on two cores it would run one file at a time.
  maxWorkers: '100%',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@holdfast/provider-rules$': '<rootDir>/packages/provider-rules/src/index.ts',
  },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false, sourceMaps: 'inline' }] },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/packages/.*/dist/'],
  testPathIgnorePatterns: ['/node_modules/', ...(wanted === undefined ? MORE : [])],
  roots: ['<rootDir>/src', '<rootDir>/packages', '<rootDir>/test'],
  testRegex: wanted === 'only' ? MORE.map((path) => `${path}.*${SPECS}`) : SPECS,
};
