import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as DependencyCruiser from 'dependency-cruiser';
import type * as ExtractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import type * as ExtractTypeScriptConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { importOutside } from '../support/import-outside.js';
import { projectFolder } from './project-files.js';

const { cruise } = await importOutside<typeof DependencyCruiser>('dependency-cruiser');
const { default: extractOptions } = await importOutside<typeof ExtractOptions>(
  'dependency-cruiser/config-utl/extract-depcruise-options',
);
const { default: extractTypeScriptConfig } = await importOutside<typeof ExtractTypeScriptConfig>(
  'dependency-cruiser/config-utl/extract-ts-config',
);

/** One import that a rule forbids. Paths are relative to the folder that was looked through. */
export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

const rulesFile = join(projectFolder, '.dependency-cruiser.cjs');

/** The imports below `folders` of `baseFolder` that the rules of this project forbid. */
export async function violationsIn(
  baseFolder: string,
  folders: readonly string[],
): Promise<Violation[]> {
  const options = await extractOptions(rulesFile);
  const tsConfig = extractTypeScriptConfig(join(projectFolder, 'tsconfig.json'));
  const result = await cruise(
    [...folders],
    { ...options, baseDir: baseFolder, validate: true },
    {},
    { tsConfig },
  );
  const { summary } = result.output as DependencyCruiser.ICruiseResult;
  return summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
}

export async function ruleNames(): Promise<string[]> {
  const { ruleSet } = await extractOptions(rulesFile);
  return (ruleSet?.forbidden ?? []).map(({ name }) => name ?? 'a rule without a name');
}

/** Lays `files` out in a folder of its own, calls `use` with it, and removes it again. */
export async function withFiles<Result>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-architecture-'));
  try {
    const manifest = await readFile(join(projectFolder, 'package.json'), 'utf8');
    for (const [path, text] of Object.entries({ ...files, 'package.json': manifest })) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
