import { describe, expect, it } from '@jest/globals';
import { tool } from '../../../test/support/commands.js';
import type { ToolManifest } from '../tool-manifest.js';
import { decideTenant, evolveTenant, initialTenantState } from './tenant.js';
import { TOOLS_MAX, newestManifest } from './tools.js';

function registered(...batches: readonly (readonly ToolManifest[])[]) {
  let state = initialTenantState;
  for (const manifests of batches) {
    state = decideTenant({ type: 'RegisterTools', manifests }, state).reduce(evolveTenant, state);
  }
  return state;
}

const PAY = tool({ effect: 'keyedWrite', keyWindowMs: 3_600_000 });

describe('registering tools', () => {
  it('counts the versions and keeps each of them', () => {
    const state = registered([PAY], [{ ...PAY, maxAttempts: 2 }], [PAY]);
    expect(state.tools['pay']?.map(({ version, maxAttempts }) => [version, maxAttempts])).toEqual([
      [1, 3],
      [2, 2],
      [3, 3],
    ]);
    expect(newestManifest(state.tools, 'pay')?.version).toBe(3);
  });

  it('adds nothing when the newest version says the same', () => {
    const state = registered([PAY]);
    expect(decideTenant({ type: 'RegisterTools', manifests: [PAY] }, state)).toEqual([]);
  });

  it('finds no tool in the names of every object', () => {
    expect(newestManifest(registered([PAY]).tools, 'toString')).toBeUndefined();
  });

  it('has a limit', () => {
    const names = Array.from({ length: TOOLS_MAX + 1 }, (_, index) =>
      tool({ name: `tool-${index}` }),
    );
    expect(() => registered(names)).toThrow('at most');
  });
});
