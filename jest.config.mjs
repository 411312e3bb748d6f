import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

/**
 * What takes long and hangs on little: stores behind their doubles, every command of the guides, budgets
 * under kills, forks at many cuts of real sessions, and simulated histories.
 * `npm run test:more` runs these, and CI does both.
 */
const MORE = [
  '/src/storage/(mongodb|eventstoredb)/',
  '/test/stores/',
  '/test/e2e/mongodb-outage',
  '/test/e2e/[a-z]+-guide',
  '/test/crash/budgets',
  '/src/context/sample-forks',
  '/test/simulation/',
];
const isMore = process.env['TEST_MORE'] !== undefined;

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
  testPathIgnorePatterns: ['/node_modules/', ...(isMore ? [] : MORE)],
  testMatch: [
    '<rootDir>/src/**/*.spec.ts',
    '<rootDir>/packages/*/**/*.spec.ts',
    '<rootDir>/test/**/*.spec.ts',
    '<rootDir>/test/**/*.e2e-spec.ts',
  ],
};
