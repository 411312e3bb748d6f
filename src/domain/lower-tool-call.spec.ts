import { describe, expect, it } from '@jest/globals';
import { tool } from '../../test/support/commands.js';
import { askedFor, outcomeUnknown, toolCallStarted } from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import {
  decideEscalation,
  lowerToolCall,
  reconcileCall,
} from '../../test/support/settling-commands.js';

const KEYED = tool({ effect: 'keyedWrite', keyWindowMs: 86_400_000 });
const UNKNOWN = [...askedFor(KEYED), toolCallStarted(), outcomeUnknown()];

describe('lowering a call to an opaqueWrite', () => {
  it('leaves nothing to a policy that relied on the promise', () => {
    const then = given(UNKNOWN).when(lowerToolCall(), reconcileCall());
    expect(then.short).toEqual(['ToolEscalated(noPolicy)']);
  });

  it('takes back a retry that relied on it, and not one that a person ordered', () => {
    const byPolicy = given(UNKNOWN).when(reconcileCall(), lowerToolCall());
    expect(byPolicy.callStatus()).toBe('unknown');
    const ordered = given(UNKNOWN).when(decideEscalation({ decision: 'retry' }), lowerToolCall());
    expect(ordered.callStatus()).toBe('retryAuthorized');
  });

  it('changes nothing the second time, and nothing about a settled call', () => {
    const again = lowerToolCall({ commandId: 'lower-2' });
    expect(given(UNKNOWN).when(lowerToolCall(), again).outcome).toBe('repeated');
    const settled = given(UNKNOWN).when(decideEscalation(), lowerToolCall());
    expect(settled.outcome).toBe('already_decided');
  });
});
