import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { startNode } from '../support/child-process.js';
import { commandLineWith } from '../support/command-line.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(180_000);

const PROGRAM = join(import.meta.dirname, '../../bin/holdfast.mjs');

let folder: TemporaryFolder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

const environmentOf = ({ path }: TemporaryFolder) => ({
  HOLDFAST_DATA_DIR: join(path, 'data'),
  HOLDFAST_PORT: '0',
});

describe('a server that cannot start', () => {
  async function refusal(environment: Readonly<Record<string, string>>) {
    const said = await commandLineWith(() => ({ ...environmentOf(folder), ...environment }))(
      'serve',
    );
    expect(said.stdout).toBe('');
    expect(said.stderr).not.toMatch(/\n\s+at /);
    return said;
  }

  it('because its port is in use says so', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const environment = { ...environmentOf(folder), HOLDFAST_PORT: String(port) };
    const { exitCode, stdout, stderr } = await startNode(PROGRAM, ['serve'], environment).ended;
    other.close();
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `holdfast: cannot listen at 127.0.0.1, port ${port}: another program listens there, perhaps ` +
        'another Holdfast: end it, or set HOLDFAST_PORT to a free port\n',
    );
  });

  it('because its machine does not have the address says so', async () => {
    const environment = { HOLDFAST_HOST: '192.0.2.1', HOLDFAST_TLS_IN_FRONT: 'yes' };
    const { exitCode, stderr } = await refusal(environment);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('192.0.2.1, port 0: this machine has no such address');
  });

  it('because its data folder cannot be made says so', async () => {
    const file = join(folder.path, 'a-file');
    writeFileSync(file, '');
    const { exitCode, stderr } = await refusal({ HOLDFAST_DATA_DIR: join(file, 'data') });
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/^holdfast: .*a-file.*\n$/);
  });

  it('because its data folder is a file says so, and makes nothing', async () => {
    const file = join(folder.path, 'another-file');
    writeFileSync(file, '');
    const { exitCode, stderr } = await refusal({ HOLDFAST_DATA_DIR: file });
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(
      /^holdfast: the folder .*another-file .*\(a file has this name\); .*\n$/,
    );
    expect(existsSync(`${file}-keys`)).toBe(false);
  });

  it('because of its configuration names every mistake at once', async () => {
    const { exitCode, stderr } = await refusal({
      HOLDFAST_PORT: 'many',
      HOLDFAST_LEASE_TTL_MS: '1',
      HOLDFAST_PROT: '1',
    });
    expect(exitCode).toBe(2);
    for (const name of ['HOLDFAST_PORT', 'HOLDFAST_LEASE_TTL_MS', 'HOLDFAST_PROT']) {
      expect(stderr).toContain(name);
    }
  });

  it('because everybody could reach it says what to do', async () => {
    const { exitCode, stderr } = await refusal({ HOLDFAST_HOST: '0.0.0.0' });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/loopback.*TLS.*HOLDFAST_TLS_IN_FRONT=yes/s);
  });
});
