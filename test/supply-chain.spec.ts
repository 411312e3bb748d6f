import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { projectFolder } from './architecture/project-files.js';

interface Package {
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly object[];
}

const ALLOWED = ['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC'];
/** By package: another licence, and why it is no hindrance. */
const EXCEPTIONS: Readonly<Record<string, readonly [licence: string, reason: string]>> = {
  argparse: [
    'Python-2.0',
    'permissive, like BSD; of js-yaml, which reads YAML for the API document',
  ],
  'caniuse-lite': ['CC-BY-4.0', 'data of a development tool; nothing of it is delivered'],
  'fast-sha256': ['Unlicense', 'public domain; of a provider SDK whose types only the tests use'],
  glob: ['BlueOak-1.0.0', 'permissive; of development tools'],
  'graceful-fs': ['BlueOak-1.0.0', 'permissive; of development tools'],
  jackspeak: ['BlueOak-1.0.0', 'permissive; of development tools'],
  'lru-cache': ['BlueOak-1.0.0', 'permissive; of Apollo Server and of development tools'],
  minimatch: ['BlueOak-1.0.0', 'permissive; of development tools'],
  minipass: ['BlueOak-1.0.0', 'permissive; of development tools'],
  'package-json-from-dist': ['BlueOak-1.0.0', 'permissive; of development tools'],
  'path-scurry': ['BlueOak-1.0.0', 'permissive; of development tools'],
  tslib: ['0BSD', 'BSD without the duty to name the authors'],
};

const read = <Content>(file: string): Content =>
  JSON.parse(readFileSync(join(projectFolder, file), 'utf8')) as Content;

const manifest = read<Manifest>('package.json');
const { packages } = read<{ packages: Record<string, Package> }>('package-lock.json');
/** What comes from elsewhere, by where it is installed. */
const foreign = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

/** An SPDX expression of AND and OR, without nesting. */
function isAllowed(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => ALLOWED.includes(licence)));
}

interface Exception {
  readonly advisory: string;
  readonly reason: string;
  readonly until: string;
}

const { blocking } = (await import(String('../scripts/audit.mjs'))) as {
  blocking(report: object, exceptions: readonly Exception[], now: Date): string[];
};

describe('what comes from elsewhere', () => {
  it('has a licence that is allowed, or an exception with its reason', () => {
    const others = foreign.filter(([, { license = 'none' }]) => !isAllowed(license));
    const found = others.map(([path, { license }]) => `${nameOf(path)}: ${license}`);
    const expected = Object.entries(EXCEPTIONS).map(([name, [licence]]) => `${name}: ${licence}`);
    expect([...new Set(found)].toSorted()).toEqual(expected.toSorted());
  });

  it('has one client of EventStoreDB: two in one process break each other', () => {
    const clients = ['@eventstore/db-client', '@kurrent/kurrentdb-client'];
    const installed = foreign.map(([path]) => nameOf(path)).filter((one) => clients.includes(one));
    expect(installed).toEqual(['@eventstore/db-client']);
  });

  it('is pinned by a hash of its content', () => {
    const loose = foreign.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(loose).toEqual([]);
  });

  it('comes from the package registry, wherever that is: no other address is in the lockfile', () => {
    const addresses = foreign.filter(([, { resolved }]) => resolved !== undefined);
    expect(addresses).toEqual([]);
  });

  it('is pinned for the benchmark too, where the peers are installed apart', () => {
    const { packages: peers } = read<{ packages: Record<string, Package> }>(
      'bench/package-lock.json',
    );
    const installed = Object.entries(peers).filter(
      ([path, { link }]) => path.startsWith('node_modules/') && !link,
    );
    const loose = installed.filter(
      ([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined,
    );
    expect(installed.length).toBeGreaterThan(0);
    expect(loose).toEqual([]);
  });

  it('runs a script at its installation only where that was decided', () => {
    const withScript = foreign
      .filter(([, each]) => each.hasInstallScript)
      .map(([path]) => nameOf(path));
    expect(withScript.toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted());
    const allowed = Object.entries(manifest.allowScripts).filter(([, decision]) => decision);
    expect(allowed).toEqual([['better-sqlite3', true]]);
  });

  it('is listed in a CycloneDX bill of materials, each with version, licence and hash', async () => {
    const run = promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      cwd: projectFolder,
      maxBuffer: 16_777_216,
    });
    const bill = JSON.parse((await run).stdout) as { bomFormat: string; components: Component[] };
    expect(bill.bomFormat).toBe('CycloneDX');
    const delivered = foreign.filter(([, { dev }]) => !dev).map(([path]) => nameOf(path));
    const listed = bill.components.filter(({ hashes }) => hashes !== undefined);
    expect(new Set(listed.map(({ name }) => name))).toEqual(new Set(delivered));
    for (const component of listed) {
      expect(component).toMatchObject({ version: expect.any(String), licenses: expect.any(Array) });
    }
    expect(delivered).toEqual(
      expect.arrayContaining(
        Object.keys(manifest.dependencies).filter((name) => name !== '@holdfast/provider-rules'),
      ),
    );
  });
});

describe('a known vulnerability', () => {
  const via = {
    name: 'left-pad',
    severity: 'high',
    title: 'Pads too far',
    url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  };
  const report = { vulnerabilities: { 'left-pad': { via: [via] }, above: { via: ['left-pad'] } } };
  const now = new Date('2026-06-01');
  const excuse = { advisory: 'GHSA-aaaa-bbbb-cccc', reason: 'never called', until: '2026-06-20' };

  it('blocks when it is high or critical', () => {
    expect(blocking(report, [], now)).toEqual(['GHSA-aaaa-bbbb-cccc high left-pad: Pads too far']);
    const low = { vulnerabilities: { 'left-pad': { via: [{ ...via, severity: 'moderate' }] } } };
    expect(blocking(low, [], now)).toEqual([]);
  });

  it.each([
    ['with a reason, for 30 days at most', excuse, 0],
    ['not without a reason', { ...excuse, reason: ' ' }, 1],
    ['not when it is over', { ...excuse, until: '2026-05-31' }, 1],
    ['not for longer', { ...excuse, until: '2026-09-01' }, 1],
    ['not for another one', { ...excuse, advisory: 'GHSA-dddd' }, 1],
  ])('can have an exception: %s', (_, exception, count) => {
    expect(blocking(report, [exception], now)).toHaveLength(count);
  });
});
