import { describe, expect, it } from '@jest/globals';
import { RECOVERY_ATTEMPTS_MAX } from '../../src/domain/decide-claim.js';
import { claimRun, recordAssistantMessage, startModelCall } from '../support/commands.js';
import { ownedSession } from '../support/events.js';
import { given } from '../support/given-when-then.js';
import type { SessionLog } from '../support/session-log.js';

/** The owner is lost, again and again; each new one calls the model before it is lost too. */
function restart(log: SessionLog, times: number, answers: boolean): void {
  for (let restarts = 0; restarts < times; restarts += 1) {
    const claimTokenHash = `token-of-${log.state.epoch + 1}`;
    log.handle(claimRun({ claimTokenHash }));
    const fence = { epoch: log.state.epoch, claimTokenHash };
    const modelCallId = `model-call-of-${fence.epoch}`;
    log.handle(startModelCall({ fence, modelCallId }));
    if (answers) log.handle(recordAssistantMessage({ fence, modelCallId }));
  }
}

describe('the budget of recovery attempts', () => {
  it('lets a healthy session survive fifty restarts, and ends a crash loop', () => {
    const { log: healthy } = given(ownedSession());
    restart(healthy, 50, true);
    expect(healthy.state.run).toMatchObject({ status: 'active', recoveryTotal: 50 });
    expect(healthy.state.counters.modelCalls).toBe(50);

    const { log: looping } = given(ownedSession());
    restart(looping, 50, false);
    expect(looping.state.run).toMatchObject({ status: 'quarantined' });
    expect(looping.state.counters.modelCalls).toBe(RECOVERY_ATTEMPTS_MAX);
  });

  it('ends also a loop that answers each time, after a hundred restarts', () => {
    const { log } = given(ownedSession());
    restart(log, 120, true);
    expect(log.state.run).toMatchObject({ status: 'quarantined', recoveryTotal: 100 });
  });
});
