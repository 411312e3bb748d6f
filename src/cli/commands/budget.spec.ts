import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { commandLineWith } from '../../../test/support/command-line.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

jest.setTimeout(60_000);

const folder = temporaryFolder();
const commandLine = commandLineWith(() => ({ HOLDFAST_DATA_DIR: join(folder.path, 'data') }));
afterAll(() => folder.remove());

const set = (...more: readonly string[]) => commandLine('budget', 'set', 'b', ...more);

describe('holdfast budget', () => {
  it('sets, shows, lists and removes', async () => {
    const made = await set('--user', 'ada', '--amount', '25.50', '--json');
    expect(made.exitCode).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({
      budgetId: 'b',
      scope: { kind: 'user', user: 'ada' },
      amount: '25.5',
      left: '25.5',
      currency: 'USD',
      setBy: expect.stringMatching(/^cli/),
    });
    const again = await set('--user', 'ada', '--amount', '25.50');
    expect(again.stderr).toContain('was so already');
    const raised = await set('--user', 'ada', '--amount', '30', '--on-unpriced', 'allow');
    expect(raised.stdout).toBe(
      'b  user ada\n30 USD\nspent 0 in 0 calls, held 0 for 0, left 30\n' +
        'lets calls without a price through: 0\n',
    );
    expect((await commandLine('budget', 'list')).stdout).toContain('0 of 30 USD');
    expect((await commandLine('budget', 'remove', 'b')).stdout).toBe('removed  b\n');
    expect((await commandLine('budget', 'list')).stderr).toContain('No budget is set');
    expect((await commandLine('budget', 'show', 'b')).exitCode).toBe(3);
  });

  it.each<[string, readonly string[], number, string]>([
    ['nobody', ['--amount', '1'], 2, 'say whose calls count'],
    ['two scopes', ['--amount', '1', '--tenant', '--user', 'ada'], 2, 'say whose calls count'],
    ['no amount', ['--tenant'], 2, '--amount'],
    ['an amount that is none', ['--tenant', '--amount', '1e3'], 2, 'must be an amount as text'],
    ['a zone that is none', ['--tenant', '--amount', '1', '--zone', 'X'], 2, 'IANA time zone'],
    ['a period that is none', ['--tenant', '--amount', '1', '--period', 'week'], 2, 'period'],
    ['a label without a value', ['--amount', '1', '--label', 'team'], 2, 'name and value'],
  ])('refuses %s', async (_, parameters, exitCode, message) => {
    const said = await set(...parameters);
    expect(said.exitCode).toBe(exitCode);
    expect(said.stderr).toContain(message);
  });
});
