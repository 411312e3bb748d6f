import { transformFileSync } from '@swc/core';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';

const projectRoot = resolve(import.meta.dirname, '../..');

export interface CompiledSources {
  /** Absolute path of the compiled file of a source, like `test/support/children/x.ts`. */
  fileOf(source: string): string;
  remove(): void;
}

/**
 * Compiles TypeScript below the given folders of the project (specs left out) into a temporary
 * folder, with its JSON files, so that a test can start processes and threads without a build. Takes
 * about a second.
 */
export function compileForChildren(folders: readonly string[]): CompiledSources {
  const target = temporaryFolder();
  writeFileSync(join(target.path, 'package.json'), '{"type":"module"}');
  symlinkSync(join(projectRoot, 'node_modules'), join(target.path, 'node_modules'));
  for (const folder of folders) compileFolder(folder, target);
  return {
    fileOf: (source) => join(target.path, source.replace(/\.ts$/, '.js')),
    remove: target.remove,
  };
}

function compileFolder(folder: string, target: TemporaryFolder): void {
  const names = readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' });
  for (const name of names) {
    const source = join(folder, name);
    if (name.endsWith('.json')) copy(source, target);
    if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue;
    const { code } = transformFileSync(join(projectRoot, source), {
      swcrc: false,
      configFile: false,
      jsc: {
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
        target: 'es2022',
      },
      module: { type: 'es6' },
    });
    const file = join(target.path, source.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
}

function copy(source: string, target: TemporaryFolder): void {
  const file = join(target.path, source);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(projectRoot, source), file);
}
