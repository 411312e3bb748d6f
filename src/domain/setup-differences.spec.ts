import { describe, expect, it } from '@jest/globals';
import { claimRun, startToolCall, tool } from '../../test/support/commands.js';
import {
  askedFor,
  modelCallSettled,
  outcomeUnknown,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { CommandOf } from './commands.js';
import type { SessionEvent } from './events.js';
import type { RunSetup } from './run-setup.js';

const PAY = tool({ effect: 'keyedWrite', keyWindowMs: 86_400_000 });
const INTERRUPTED: SessionEvent = {
  type: 'RunInterrupted',
  data: { runId: 'run-1', epoch: 1, reason: 'shutdown' },
};
const OPEN = [...askedFor(PAY), modelCallSettled(), INTERRUPTED];
const FENCE = { epoch: 2, claimTokenHash: 'token-2' };

const claim = (setup?: RunSetup, more: Partial<CommandOf<'ClaimRun'>> = {}) =>
  claimRun({ commandId: 'claim-2', claimTokenHash: 'token-2', setup, ...more });
/** A claim by a worker like this, given back. */
const before = (setup: RunSetup): readonly SessionEvent[] => [
  {
    type: 'RunClaimed',
    data: {
      runId: 'run-1',
      epoch: 1,
      claimTokenHash: 'token-1',
      workerId: 'worker-1',
      kind: 'agent',
      reason: 'resume',
      inputIds: [],
      leaseTtlMs: 30_000,
      setup,
    },
  },
  INTERRUPTED,
];

const differencesIn = (outcome: unknown): unknown =>
  (outcome as readonly SessionEvent[]).flatMap((event) =>
    event.type === 'RunClaimed' ? (event.data.differences ?? []) : [],
  );

describe('a worker that claims', () => {
  it('is recorded as it says it is; what differs from the one before is reported', () => {
    const old = { profileVersion: '1', toolNames: ['mail', 'pay'], toolSetHash: 'a' };
    const now = { profileVersion: '2', toolNames: ['pay', 'search'], toolSetHash: 'b' };
    const { outcome, state } = given(OPEN, before(old)).when(claim(now));
    expect(differencesIn(outcome)).toEqual([
      { what: 'profileVersion', before: '1', now: '2', isIncompatible: false },
      { what: 'toolAdded', tool: 'search', isIncompatible: false },
      { what: 'toolMissing', tool: 'mail', isIncompatible: false },
    ]);
    expect(state.run?.setup).toEqual(now);
  });

  it('reports that the same tools promise something else', () => {
    const old = { toolNames: ['pay'], toolSetHash: 'a' };
    const { outcome } = given(OPEN, before(old)).when(claim({ ...old, toolSetHash: 'b' }));
    expect(differencesIn(outcome)).toMatchObject([{ what: 'toolPromises', before: 'a', now: 'b' }]);
  });

  it('that says nothing of itself is compared with nobody', () => {
    const old = { profileVersion: '1', toolNames: ['pay'] };
    expect(differencesIn(given(OPEN, before(old)).when(claim()).outcome)).toEqual([]);
  });

  it('needs a confirmation when it has not the tool of an open call', () => {
    const refused = given(OPEN).when(claim({ toolNames: ['search'] }));
    expect(refused.outcome).toBe('incompatible_setup');
    expect(refused.facts).toMatchObject({
      differences: [{ what: 'toolMissing', tool: 'pay', isIncompatible: true }],
    });
    const confirmed = given(OPEN).when(claim({ toolNames: ['search'] }, { confirmed: true }));
    expect(confirmed.short).toEqual([expect.stringContaining('RunClaimed')]);
  });

  it('needs one when the promise that an open call rests on is not given any more', () => {
    const promises = { pay: tool({ effect: 'opaqueWrite' }) };
    const setup = { toolNames: ['pay'] };
    const refused = given(OPEN).when(claim(setup, { promises }));
    expect(refused.outcome).toBe('incompatible_setup');
    expect(refused.facts).toMatchObject({
      differences: [{ what: 'toolPromises', before: 'keyedWrite', now: 'opaqueWrite' }],
    });
    const same = given(OPEN).when(claim(setup, { promises: { pay: PAY } }));
    expect(differencesIn(same.outcome)).toEqual([]);
  });
});

describe('a permit after a restore', () => {
  const start = startToolCall({ fence: FENCE, commandId: 'start' });

  it('is not given for a tool that the worker did not name', () => {
    const others = claim({ toolNames: ['search'] }, { confirmed: true });
    expect(given(OPEN).when(others, start).outcome).toBe('manifest_unavailable');
    expect(
      given(OPEN)
        .when(claim({ toolNames: ['pay'] }), start)
        .callStatus(),
    ).toBe('running');
  });

  it('waits for a permission that is needed since the call was requested', () => {
    const promises = { pay: { ...PAY, approval: 'finance' } };
    const claimed = given(OPEN).when(claim(undefined, { promises }));
    expect(claimed.short).toEqual([expect.stringContaining('RunClaimed'), 'ToolApprovalRequested']);
    expect(given(OPEN).when(claim(undefined, { promises }), start).outcome).toBe(
      'approval_pending',
    );
  });

  it('asks for none where the call has been started already', () => {
    const promises = { pay: { ...PAY, approval: 'finance' } };
    const started = [...askedFor(PAY), modelCallSettled(), toolCallStarted(), outcomeUnknown()];
    const claimed = given(started, INTERRUPTED).when(claim(undefined, { promises }));
    expect(claimed.short).toEqual([expect.stringContaining('RunClaimed')]);
  });
});
