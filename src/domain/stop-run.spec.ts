import { describe, expect, it } from '@jest/globals';
import {
  at,
  claimRun,
  confirmStopped,
  interruptRun,
  stopRun,
} from '../../test/support/commands.js';
import { inputAccepted, ownedSession, runClaimed } from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { SessionEvent } from './events.js';

const COMPLETED: SessionEvent = { type: 'RunCompleted', data: { runId: 'run-1', epoch: 1 } };
const takeover = claimRun({ claimTokenHash: 'token-2', workerId: 'worker-2', now: at(60_000) });

function attempted(attempt: number, total = attempt): SessionEvent {
  return { type: 'RecoveryAttempted', data: { runId: 'run-1', epoch: 1, attempt, total } };
}

describe('a stop', () => {
  it('waits for a living owner to abort what it does', () => {
    const stopping = given(ownedSession()).when(stopRun({ now: at(5_000), note: 'enough' }));
    expect(stopping.outcome).toEqual([
      {
        type: 'StopRequested',
        data: {
          runId: 'run-1',
          requestedAt: at(5_000),
          note: 'enough',
          dropPendingInputs: false,
        },
      },
    ]);
    expect(stopping.state.run?.status).toBe('stopping');
  });

  it('is carried out at once when nobody is there to be asked', () => {
    const stopped = given(ownedSession()).when(stopRun({ lease: { live: false } }));
    expect(stopped.short).toEqual(['StopRequested', 'RunStopped']);
    expect(stopped.state).toMatchObject({ stopped: true, lastRun: { outcome: 'stopped' } });
    const interrupted = given(ownedSession()).when(interruptRun(), stopRun());
    expect(interrupted.short).toEqual(['StopRequested', 'RunStopped']);
  });

  it('is possible while the run is quarantined', () => {
    const stopped = given(ownedSession(), attempted(10)).when(takeover, stopRun());
    expect(stopped.short).toEqual(['StopRequested', 'RunStopped']);
  });

  it('drops the waiting inputs only when asked to', () => {
    const more = [...ownedSession(), inputAccepted({ inputId: 'input-2' })];
    const kept = given(more).when(stopRun());
    expect(kept.state.pendingInputs).toHaveLength(1);
    const dropped = given(more).when(stopRun({ dropPendingInputs: true }));
    expect(dropped.state.pendingInputs).toEqual([]);
  });

  it('names its run, so that an old stop hits no later run', () => {
    const later = [...ownedSession(), COMPLETED, inputAccepted({ inputId: 'input-2' })];
    const running = [...later, runClaimed({ runId: 'run-2', epoch: 2, inputIds: ['input-2'] })];
    expect(given(running).when(stopRun()).outcome).toBe('run_ended');
    expect(given(later).when(stopRun()).outcome).toBe('run_ended');
    expect(given(running).when(stopRun({ runId: 'run-9' })).outcome).toBe('not_found');
  });

  it('twice is one stop', () => {
    const again = stopRun({ commandId: 'stop-2' });
    expect(given(ownedSession()).when(stopRun(), again).outcome).toBe('repeated');
    expect(given(ownedSession()).when(confirmStopped()).outcome).toBe('repeated');
  });
});
