import { describe, expect, it } from '@jest/globals';
import { NO_LEASE, at, startToolCall, stopRun, tool } from '../../test/support/commands.js';
import { askedFor } from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { decideApproval, reconcileCall } from '../../test/support/settling-commands.js';
import type { SessionEvent } from './events.js';
import { nextDueAt } from './next-step.js';
import { statusOf } from './state.js';

const HOUR_MS = 3_600_000;
const DEPLOY = tool({ approval: 'finance', escalationDueMs: HOUR_MS });
const ASKED: SessionEvent = {
  type: 'ToolApprovalRequested',
  data: { callId: 'call-1', to: 'finance', dueAt: at(HOUR_MS) },
};
const REQUESTED = [...askedFor(DEPLOY), ASKED];

describe('a call that somebody has to allow', () => {
  it('is not started before, and says who is asked and by when', () => {
    const then = given(REQUESTED).when(startToolCall());
    expect(then.outcome).toBe('approval_pending');
    expect(then.facts).toMatchObject({ asked: 'finance', dueAt: at(HOUR_MS) });
  });

  it('is started once it is allowed', () => {
    const then = given(REQUESTED).when(decideApproval(), startToolCall());
    expect(then.callStatus()).toBe('running');
  });

  it('is skipped when it is denied, or when nobody decides in time', () => {
    const denied = given(REQUESTED).when(decideApproval({ decision: 'deny' }));
    expect(denied.short).toEqual(['ToolApprovalDecided(deny)', 'ToolCallSkipped(denied)']);
    const expired = given(REQUESTED).when(reconcileCall({ now: at(HOUR_MS + 1) }));
    expect(expired.short).toEqual(['ToolCallSkipped(approvalExpired)']);
    expect(given(REQUESTED).when(reconcileCall({ now: at(HOUR_MS) })).outcome).toBe('repeated');
    expect(nextDueAt(given(REQUESTED).state)).toBe(at(HOUR_MS));
  });

  it('is decided once, and in time', () => {
    const again = decideApproval({ commandId: 'approval-2', decision: 'deny' });
    expect(given(REQUESTED).when(decideApproval(), again).outcome).toBe('already_decided');
    const late = decideApproval({ now: at(HOUR_MS + 1) });
    expect(given(REQUESTED).when(late).outcome).toBe('already_decided');
    const stopped = given(REQUESTED).when(stopRun({ lease: NO_LEASE }), decideApproval());
    expect(stopped.outcome).toBe('already_decided');
    expect(given(askedFor(tool())).when(decideApproval()).outcome).toBe('invalid_state');
  });

  it('keeps a session waiting that nobody owns', () => {
    const released: SessionEvent = {
      type: 'SessionReleased',
      data: { runId: 'run-1', epoch: 1, reason: 'waiting' },
    };
    expect(statusOf(given(REQUESTED, released).state)).toBe('waiting');
    expect(statusOf(given(REQUESTED, released).when(decideApproval()).state)).toBe('scheduled');
  });
});
