import { describe, expect, it } from '@jest/globals';
import {
  LIVE_LEASE,
  at,
  claimRun,
  completeRun,
  confirmStopped,
  failRun,
  interruptRun,
  releaseRun,
  stopRun,
  tool,
} from '../../test/support/commands.js';
import {
  askedFor,
  callIn,
  callRequested,
  escalated,
  inputAccepted,
  modelCallStarted,
  outcomeUnknown,
  ownedSession,
  retryAuthorized,
  sessionStarted,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { SessionEvent } from './events.js';

const COMPLETED: SessionEvent = { type: 'RunCompleted', data: { runId: 'run-1', epoch: 1 } };
const COMPACTION_STARTED: SessionEvent = {
  type: 'CompactionStarted',
  data: {
    compactionId: 'compaction-1',
    epoch: 1,
    coveredFrom: { sessionId: 'session-1', revision: 0 },
    coveredTo: { sessionId: 'session-1', revision: 1 },
    keptFrom: { sessionId: 'session-1', revision: 2 },
    trigger: 'auto',
  },
};
const takeover = claimRun({ claimTokenHash: 'token-2', workerId: 'worker-2', now: at(60_000) });

/** One call of each kind that a run can leave open, and an open model call and compaction. */
const leftOpen: readonly SessionEvent[] = [
  ...askedFor(tool()),
  callRequested(tool(), { callId: 'requested', ordinal: 1 }),
  callRequested(tool(), { callId: 'probed', ordinal: 2 }),
  callRequested(tool(), { callId: 'ordered', ordinal: 3 }),
  toolCallStarted(),
  retryAuthorized({ callId: 'probed', basis: 'probeNotApplied' }),
  retryAuthorized({ callId: 'ordered', basis: 'human' }),
  modelCallStarted({ modelCallId: 'model-call-2', messageId: 'message-2', purpose: 'title' }),
  COMPACTION_STARTED,
];

function attempted(attempt: number, total = attempt): SessionEvent {
  return { type: 'RecoveryAttempted', data: { runId: 'run-1', epoch: 1, attempt, total } };
}

describe('a claim', () => {
  it('begins a run with everything that steers and the first input that queues', () => {
    const waiting = [
      sessionStarted(),
      inputAccepted({ inputId: 'queued-1' }),
      inputAccepted({ inputId: 'queued-2' }),
      inputAccepted({ inputId: 'steering', delivery: 'steer', resume: false }),
    ];
    const claimed = given(waiting).when(claimRun());
    expect(claimed.short).toEqual(['RunClaimed(start agent)', 'InputDelivered', 'InputDelivered']);
    expect(claimed.outcome).toMatchObject([
      { data: { epoch: 1, inputIds: ['queued-1', 'steering'], claimTokenHash: 'token-1' } },
      { data: { inputId: 'queued-1', messageId: 'message-of-queued-1', runId: 'run-1' } },
      { data: { inputId: 'steering' } },
    ]);
    expect(claimed.state.pendingInputs.map((input) => input.inputId)).toEqual(['queued-2']);
  });

  it('needs something to run', () => {
    expect(given(sessionStarted()).when(claimRun()).outcome).toBe('nothing_to_run');
    const quiet = [sessionStarted(), inputAccepted({ resume: false })];
    expect(given(quiet).when(claimRun()).outcome).toBe('nothing_to_run');
    expect(given(ownedSession(), COMPLETED).when(takeover).outcome).toBe('nothing_to_run');
    const compaction = given(sessionStarted()).when(claimRun({ kind: 'compaction' }));
    expect(compaction.short).toEqual(['RunClaimed(start compaction)']);
  });

  it('is refused while the lease is live, unless an operator forces it', () => {
    const refused = given(ownedSession()).when({ ...takeover, lease: LIVE_LEASE });
    expect(refused.outcome).toBe('owned');
    expect(refused.facts).toMatchObject({ heldBy: 'worker-1', leaseExpiresAt: at(30_000) });
    const forced = given(ownedSession()).when({ ...takeover, lease: LIVE_LEASE, force: true });
    expect(forced.short).toEqual(['RunClaimed(takeover agent)', 'RecoveryAttempted(1)']);
    expect(forced.outcome).toMatchObject([{ data: { forced: true } }, {}]);
    const unheld = given(ownedSession()).when({ ...takeover, force: true });
    expect(unheld.outcome).toMatchObject([
      { data: expect.not.objectContaining({ forced: true }) },
      {},
    ]);
  });

  it('after a lost owner settles what that one left open, in the same append', () => {
    const claimed = given(leftOpen).when(takeover);
    expect(claimed.short).toEqual([
      'RunClaimed(takeover agent)',
      'RecoveryAttempted(1)',
      'ToolOutcomeUnknown(1 ownerLost)',
      'ModelCallSettled(interrupted)',
      'CompactionFailed(interrupted)',
    ]);
    expect(claimed.outcome).toMatchObject([
      { data: { runId: 'run-1', epoch: 2 } },
      {},
      {},
      { data: { modelCallId: 'model-call-2', usage: { state: 'unknown' } } },
      {},
    ]);
    expect(claimed.callStatus('requested')).toBe('requested');
    expect(claimed.callStatus('probed')).toBe('retryAuthorized');
  });

  it('again by the same token is the same claim', () => {
    const session = given(sessionStarted(), inputAccepted());
    expect(session.when(claimRun(), claimRun()).outcome).toBe('repeated');
  });

  it('after a clean interruption or a release is not counted as a recovery', () => {
    const interrupted = given(ownedSession()).when(interruptRun(), takeover);
    expect(interrupted.short).toEqual(['RunClaimed(resume agent)']);
    const released = given(ownedSession()).when(releaseRun(), takeover);
    expect(released.short).toEqual(['RunClaimed(resume agent)']);
    expect(released.state.run).toMatchObject({ runId: 'run-1', epoch: 2, recoveryTotal: 0 });
  });

  it.each([
    ['recoveryAttempts', attempted(10)],
    ['recoveryTotal', attempted(0, 100)],
  ])('is refused for ever once %s is used up, and nothing is dropped', (budget, event) => {
    const claimed = given(leftOpen, event).when(takeover);
    expect(claimed.short).toEqual([
      `SessionQuarantined(${budget})`,
      'ToolOutcomeUnknown(1 ownerLost)',
      'ModelCallSettled(interrupted)',
      'CompactionFailed(interrupted)',
    ]);
    expect(claimed.state.run).toMatchObject({ status: 'quarantined', owned: false });
    const again = claimRun({ claimTokenHash: 'token-3' });
    expect(given(leftOpen, event).when(takeover, again).outcome).toBe('session_quarantined');
  });

  it('may try ten times', () => {
    expect(given(ownedSession(), attempted(9)).when(takeover).short).toEqual([
      'RunClaimed(takeover agent)',
      'RecoveryAttempted(10)',
    ]);
  });

  it('does not lift the stop of a user', () => {
    expect(given(ownedSession()).when(stopRun(), takeover).outcome).toBe('run_stopped');
    const stopped = given(ownedSession(), inputAccepted({ inputId: 'input-2' }));
    expect(stopped.when(stopRun(), confirmStopped(), takeover).outcome).toBe('session_stopped');
  });

  it('cannot take the id of a run that there was, or of something else', () => {
    const idle = [...ownedSession(), COMPLETED, inputAccepted({ inputId: 'input-2' })];
    expect(given(idle).when(takeover).outcome).toBe('id_in_use');
    expect(given(idle).when({ ...takeover, runId: 'input-2' }).outcome).toBe('id_in_use');
    expect(given(idle).when({ ...takeover, runId: 'run-2' }).short).toEqual([
      'RunClaimed(start agent)',
      'InputDelivered',
    ]);
  });
});

describe('completing a run', () => {
  it('ends it', () => {
    const completed = given(ownedSession()).when(completeRun());
    expect(completed.short).toEqual(['RunCompleted']);
    expect(completed.state).toMatchObject({ lastRun: { runId: 'run-1', outcome: 'completed' } });
    expect(completed.state.run).toBeUndefined();
  });

  it.each(['requested', 'running', 'unknown', 'retryAuthorized'] as const)(
    'is refused while a call is %s',
    (status) => {
      const open = given(callIn(status, 'opaqueWrite')).when(completeRun());
      expect(open.outcome).toBe('open_calls');
      expect(open.facts).toEqual({ calls: [{ callId: 'call-1', tool: 'pay', state: status }] });
    },
  );

  it('leaves an open question behind, unless it holds the run', () => {
    const unknown = callIn('unknown', 'opaqueWrite');
    expect(given(unknown, escalated()).when(completeRun()).short).toEqual(['RunCompleted']);
    expect(given(unknown, escalated({ blocking: true })).when(completeRun()).outcome).toBe(
      'waiting_calls',
    );
  });

  it('does not wait for an imported call of unknown outcome', () => {
    const imported = [...callIn('running', 'opaqueWrite'), outcomeUnknown({ reason: 'imported' })];
    expect(given(imported).when(completeRun()).short).toEqual(['RunCompleted']);
  });

  it('is refused while a model call or a compaction is open', () => {
    expect(given(ownedSession(), modelCallStarted()).when(completeRun()).outcome).toBe(
      'invalid_state',
    );
    expect(given(ownedSession(), COMPACTION_STARTED).when(completeRun()).outcome).toBe(
      'compaction_open',
    );
  });

  it('loses against a stop', () => {
    expect(given(ownedSession()).when(stopRun(), completeRun()).outcome).toBe('run_stopped');
  });

  it.each([
    [
      'an old owner',
      completeRun({ fence: { epoch: 0, claimTokenHash: 'token-1' } }),
      'stale_epoch',
    ],
    ['a stranger', completeRun({ fence: { epoch: 1, claimTokenHash: 'no' } }), 'stale_epoch'],
    ['a run that never was', completeRun({ runId: 'run-9' }), 'not_found'],
  ])('is refused to %s', (_, command, code) => {
    expect(given(ownedSession()).when(command).outcome).toBe(code);
  });

  it('twice by another command finds it ended', () => {
    const again = completeRun({ commandId: 'again' });
    const refused = given(ownedSession()).when(completeRun(), again);
    expect(refused.outcome).toBe('run_ended');
    expect(refused.facts).toMatchObject({ outcome: 'completed' });
  });
});

describe('a run that ends for good gives up what it never started', () => {
  const settled = [
    'ToolOutcomeUnknown(1 stoppedInFlight)',
    'ModelCallSettled(stopped)',
    'CompactionFailed(stopped)',
  ];

  it('when it fails', () => {
    const failed = given(leftOpen).when(failRun());
    expect(failed.short).toEqual([
      ...settled,
      'ToolCallSkipped(runEnded)',
      'ToolOutcomeResolved(notApplied policy)',
      'ToolOutcomeUnknown(0 retryStopped)',
      'RunFailed',
    ]);
    expect(failed.state.lastRun).toEqual({ runId: 'run-1', outcome: 'failed' });
  });

  it('when it is stopped', () => {
    const stopped = given(leftOpen).when(stopRun(), confirmStopped({ by: 'owner' }));
    expect(stopped.short).toEqual([
      ...settled,
      'ToolCallSkipped(stopped)',
      'ToolOutcomeResolved(notApplied policy)',
      'ToolOutcomeUnknown(0 retryStopped)',
      'RunStopped',
    ]);
  });
});

describe('an orderly shutdown', () => {
  it('leaves no outcome guessed and the run to be continued', () => {
    const interrupted = given(leftOpen).when(interruptRun());
    expect(interrupted.short).toEqual([
      'ToolOutcomeUnknown(1 shutdown)',
      'ModelCallSettled(interrupted)',
      'CompactionFailed(interrupted)',
      'RunInterrupted(shutdown)',
    ]);
    expect(interrupted.state.run).toMatchObject({ status: 'interrupted', owned: false });
    expect(interrupted.callStatus('requested')).toBe('requested');
  });

  it('is not for a stopped run, and not for an old owner', () => {
    expect(given(ownedSession()).when(stopRun(), interruptRun()).outcome).toBe('run_stopped');
    const lost = given(ownedSession()).when(takeover, interruptRun());
    expect(lost.outcome).toBe('stale_epoch');
    expect(given(ownedSession()).when(takeover, releaseRun()).outcome).toBe('stale_epoch');
  });
});
