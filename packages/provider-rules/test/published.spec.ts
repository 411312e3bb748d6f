import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const PACKAGE = join(import.meta.dirname, '..');
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const examples = [...README.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!);

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: Packed;

/** The package as it would be published, in the only node_modules that an empty folder has. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provider-rules-'));
  const installed = join(folder, 'node_modules/@holdfast/provider-rules');
  mkdirSync(installed, { recursive: true });
  const parameters = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const said = execFileSync('npm', parameters, { cwd: PACKAGE, encoding: 'utf8', stdio: 'pipe' });
  [packed] = JSON.parse(said) as [Packed];
  const file = join(folder, packed.filename.replace('@', '').replace('/', '-'));
  execFileSync('tar', ['-xzf', file, '-C', installed, '--strip-components=1']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function printedBy(code: string): string {
  const file = join(folder, 'example.mjs');
  writeFileSync(file, code);
  return execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
}

/** What the comments behind `console.log` say that it prints. */
function promisedBy(code: string): string {
  return [...code.matchAll(/^\/\/ ?(.*)$/gm)].map(([, line]) => `${line}\n`).join('');
}

describe('the published package', () => {
  it('holds its code, its types, its licence and how to use it, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    const besides = paths.filter((path) => !/^dist\/[a-z/-]+\.(js|d\.ts)$/.test(path));
    expect(besides.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    const code = paths.filter((path) => path.endsWith('.js'));
    expect(code).toContain('dist/index.js');
    expect(paths).toEqual(expect.arrayContaining(code.map((path) => path.replace('.js', '.d.ts'))));
  });

  it('needs no other package', () => {
    const manifest = readFileSync(join(PACKAGE, 'package.json'), 'utf8');
    expect(Object.keys(JSON.parse(manifest) as object).join()).not.toMatch(/dependencies/i);
    const code = packed.files.filter(({ path }) => path.endsWith('.js'));
    const imported = code.flatMap(({ path }) => [
      ...readFileSync(join(folder, 'node_modules/@holdfast/provider-rules', path), 'utf8').matchAll(
        /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g,
      ),
    ]);
    expect(imported.map(([, name]) => name!).filter((name) => !name.startsWith('.'))).toEqual([]);
    expect(imported.length).toBeGreaterThan(50);
  });

  it.each(examples.map((code, index) => [index + 1, code] as const))(
    'does what example %i of its page says',
    (_number, code) => expect(printedBy(code)).toBe(promisedBy(code)),
  );

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(1);
  });
});
