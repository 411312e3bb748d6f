import type { Violation } from './cruise.js';

const installed = (name: string): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: 'index.js' }),
  [`node_modules/${name}/index.js`]: 'module.exports = {};',
});

/**
 * A small tree of sources that breaks every rule of `.dependency-cruiser.cjs`, by path. Laid out in
 * a folder of its own, because a planted file among the real ones would be found by every other lint.
 */
export const plantedFiles: Readonly<Record<string, string>> = {
  ...installed('better-sqlite3'),
  ...installed('@jest/globals'),
  'src/domain/clock.ts': `import { randomUUID } from 'node:crypto';\nexport const id = randomUUID;\n`,
  'src/domain/typed.ts': `import type { Type } from '@nestjs/common';\nexport type Made = Type;\n`,
  'src/domain/outward.ts': `import { read } from '../context/build.js';\nexport { read };\n`,
  'src/domain/decide.ts': `export const decide = () => [];\n`,
  'src/domain/circle.ts': `import { back } from './circle-back.js';\nexport const there = () => back;\n`,
  'src/domain/circle-back.ts': `import { there } from './circle.js';\nexport const back = () => there;\n`,
  'src/context/build.ts': `import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n`,
  'src/usage/count.ts': `import { read } from '../context/build.js';\nexport { read };\n`,
  'src/redaction/log.ts': `import { read } from '../context/build.js';\nexport { read };\n`,
  'src/pricing/fetch.ts': `import { get } from 'node:http';\nexport { get };\n`,
  'src/commands/handler.ts': `import { open } from '../storage/sqlite/store.js';\nexport { open };\n`,
  'src/projections/feed.ts': `import { open } from '../storage/memory/store.js';\nexport { open };\n`,
  'src/reconciliation/scan.ts': `import { route } from '../api/controller.js';\nexport { route };\n`,
  'src/import/raw.ts': `import Database from 'better-sqlite3';\nexport { Database };\n`,
  'src/reconciliation/ask.ts': `import { request } from 'node:https';\nexport { request };\n`,
  'src/import/sample.ts': `import { sample } from '../../test/sample.js';\nexport { sample };\n`,
  'src/import/spying.ts': `import { jest } from '@jest/globals';\nexport { jest };\n`,
  'src/api/controller.ts': `import { decide } from '../domain/decide.js';\nexport const route = decide;\n`,
  'packages/client/src/index.ts': `import { decide } from '../../../src/domain/decide.js';\nexport { decide };\n`,
  'src/storage/sqlite/store.ts': `export const open = () => undefined;\n`,
  'src/storage/memory/store.ts': `export const open = () => undefined;\n`,
  'test/sample.ts': `export const sample = 1;\n`,
};

export const plantedViolations: readonly Violation[] = [
  { rule: 'domain-is-pure', from: 'src/domain/clock.ts', to: 'crypto' },
  { rule: 'domain-is-pure', from: 'src/domain/typed.ts', to: '@nestjs/common' },
  { rule: 'domain-is-pure', from: 'src/domain/outward.ts', to: 'src/context/build.ts' },
  { rule: 'context-is-pure', from: 'src/context/build.ts', to: 'fs' },
  { rule: 'usage-is-pure', from: 'src/usage/count.ts', to: 'src/context/build.ts' },
  { rule: 'redaction-is-pure', from: 'src/redaction/log.ts', to: 'src/context/build.ts' },
  { rule: 'pricing-is-pure', from: 'src/pricing/fetch.ts', to: 'http' },
  { rule: 'no-circular', from: 'src/domain/circle-back.ts', to: 'src/domain/circle.ts' },
  {
    rule: 'adapters-only-behind-ports',
    from: 'src/commands/handler.ts',
    to: 'src/storage/sqlite/store.ts',
  },
  {
    rule: 'adapters-only-behind-ports',
    from: 'src/projections/feed.ts',
    to: 'src/storage/memory/store.ts',
  },
  {
    rule: 'one-place-for-clients',
    from: 'src/import/raw.ts',
    to: 'node_modules/better-sqlite3/index.js',
  },
  { rule: 'one-way-out', from: 'src/reconciliation/ask.ts', to: 'https' },
  { rule: 'nothing-imports-test', from: 'src/import/sample.ts', to: 'test/sample.ts' },
  { rule: 'controllers-do-not-decide', from: 'src/api/controller.ts', to: 'src/domain/decide.ts' },
  {
    rule: 'inside-does-not-know-outside',
    from: 'src/reconciliation/scan.ts',
    to: 'src/api/controller.ts',
  },
  {
    rule: 'packages-stand-alone',
    from: 'packages/client/src/index.ts',
    to: 'src/domain/decide.ts',
  },
  {
    rule: 'nothing-ships-with-development-tools',
    from: 'src/import/spying.ts',
    to: 'node_modules/@jest/globals/index.js',
  },
];

/** What the rules allow, so that a rule which forbids everything is found out too. */
export const allowedFiles: Readonly<Record<string, string>> = {
  ...installed('better-sqlite3'),
  ...installed('@jest/globals'),
  'src/domain/decide.ts': `import { state } from './state.js';\nexport const decide = () => state;\n`,
  'src/domain/state.ts': `export const state = {};\n`,
  'src/domain/decide.spec.ts': `import { it } from '@jest/globals';\nimport { sample } from '../../test/sample.js';\nit(sample, () => undefined);\n`,
  'src/context/build.ts': `import { state } from '../domain/state.js';\nexport const built = state;\n`,
  'src/pricing/cards.ts': `import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n`,
  'src/storage/event-store.ts': `export const limit = 1;\n`,
  'src/storage/sqlite/store.ts': `import Database from 'better-sqlite3';\nexport { Database };\n`,
  'src/egress/send.ts': `import { request } from 'node:https';\nexport { request };\n`,
  'src/commands/handler.ts': `import { decide } from '../domain/decide.js';\nimport { limit } from '../storage/event-store.js';\nexport { decide, limit };\n`,
  'src/app/storage.module.ts': `import { Database } from '../storage/sqlite/store.js';\nexport { Database };\n`,
  'src/cli/verify.ts': `import { Database } from '../storage/sqlite/store.js';\nexport { Database };\n`,
  'test/sample.ts': `export const sample = 'sample';\n`,
};
