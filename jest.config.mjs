import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

/**
 * What takes long and hangs on little: stores behind their doubles, every command of the guides, what
 * is asked of real targets, simulated histories, kills under budgets, forks at many cuts of real sessions.
 * `npm test` leaves it out, `npm run test:more` runs it alone (TEST_MORE=only); CI runs both.
 */
const MORE = [
  '/src/storage/(mongodb|eventstoredb)/',
  '/test/stores/',
  '/test/simulation/',
  '/test/e2e/mongodb-outage',
  '/test/e2e/[a-z]+-guide',
  '/test/e2e/server-probes',
  '/test/e2e/past-contexts',
  '/test/e2e/slow-feed',
  '/test/crash/(budgets|crash-loop)',
  '/src/context/sample-forks',
];
const SPECS = '\\.(e2e-)?spec\\.ts$';
const wanted = process.env['TEST_MORE'];

export default {
  testEnvironment: './test/support/outside-environment.mjs',
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
