import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withFiles } from './architecture/cruise.js';
import { projectFolder } from './architecture/project-files.js';

interface Finding {
  readonly code: string;
  readonly filename: string;
}

const compilerOptions = { strict: true, module: 'nodenext', target: 'ES2023' };

const files = {
  'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
  'src/commands/bus.ts': "import { EventBus } from '@nestjs/cqrs';\nexport { EventBus };\n",
  'src/reconciliation/saga.ts': "import { Saga } from '@nestjs/cqrs';\nexport { Saga };\n",
  'src/commands/handler.ts': "import { CommandBus } from '@nestjs/cqrs';\nexport { CommandBus };\n",
  'src/app/floating.ts':
    'async function save(): Promise<void> {}\nexport function run(): void {\n  save();\n}\n',
  'src/app/anything.ts': 'export const parse = (text: any): string => String(text);\n',
  'src/app/ignore.ts': '// @ts-ignore\nexport const wrong: string = 1;\n',
  'src/app/print.ts': "console.log('x');\nexport {};\n",
  'src/cli/print.ts': "console.log('x');\nexport {};\n",
};

describe('the lint', () => {
  it('finds each planted fault, and nothing else', async () => {
    const findings = await withFiles(files, lint);
    expect(findings.map(({ filename, code }) => `${filename}: ${code}`).sort()).toEqual([
      'src/app/anything.ts: typescript(no-explicit-any)',
      'src/app/floating.ts: typescript(no-floating-promises)',
      'src/app/ignore.ts: typescript(ban-ts-comment)',
      'src/app/print.ts: eslint(no-console)',
      'src/commands/bus.ts: eslint(no-restricted-imports)',
      'src/reconciliation/saga.ts: eslint(no-restricted-imports)',
    ]);
  }, 30_000);
});

async function lint(folder: string): Promise<Finding[]> {
  const configuration = '.oxlintrc.json';
  await copyFile(join(projectFolder, configuration), join(folder, configuration));
  const program = join(projectFolder, 'node_modules/oxlint/bin/oxlint');
  const output = await new Promise<string>((resolve) => {
    const parameters = [program, '--type-aware', '--format', 'json', 'src'];
    const PATH = `${join(projectFolder, 'node_modules/.bin')}:${process.env.PATH ?? ''}`;
    const options = { cwd: folder, env: { ...process.env, PATH } };
    execFile(process.execPath, parameters, options, (_error, stdout) => resolve(stdout));
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: Finding[] };
  return diagnostics.map(({ code, filename }) => ({ code, filename }));
}
