import { describe, expect, it } from '@jest/globals';
import type { SessionCommand } from './commands.js';
import {
  acceptInput,
  claimRun,
  labelSession,
  recordFacts,
  resumeSession,
  startSession,
  stopRun,
  tool,
  withdrawInput,
} from '../../test/support/commands.js';
import {
  askedFor,
  callRequested,
  inputAccepted,
  ownedSession,
  retryAuthorized,
  sessionStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { FACTS_MAX, PENDING_INPUTS_MAX } from './decide-session.js';
import type { SessionEvent } from './events.js';

const STOPPED: SessionEvent = { type: 'RunStopped', data: { runId: 'run-1', by: 'owner' } };
const QUARANTINED: SessionEvent = {
  type: 'SessionQuarantined',
  data: { runId: 'run-1', budget: 'recoveryAttempts', counters: {}, notify: 'operator' },
};
const secondInput = acceptInput({ inputId: 'input-2' });

describe('starting a session', () => {
  it('records what it runs with', () => {
    const started = given().when(startSession({ title: 'Invoices', tools: [tool()] }));
    expect(started.short).toEqual(['SessionStarted']);
    expect(started.state).toMatchObject({ sessionId: 'session-1', title: 'Invoices', revision: 0 });
    expect(Object.keys(started.state.tools)).toEqual(['pay']);
  });

  it('again by the same command is the same session, by another one it is refused', () => {
    expect(given().when(startSession(), startSession()).outcome).toBe('repeated');
    expect(given(sessionStarted()).when(startSession()).outcome).toBe('id_in_use');
  });

  it('refuses two declarations of one tool, whatever their order', () => {
    for (const effects of [
      ['opaqueWrite', 'readOnly'] as const,
      ['readOnly', 'readOnly'] as const,
    ]) {
      const tools = effects.map((effect) => tool({ name: 'pay', effect }));
      expect(given().when(startSession({ tools })).outcome).toBe('invalid_manifest');
    }
  });

  it('refuses a tool whose promises contradict each other', () => {
    const refused = given().when(
      startSession({ tools: [tool({ maxFlightMs: 1 }), tool({ name: 'get' })] }),
    );
    expect(refused.outcome).toBe('invalid_manifest');
    expect(refused.facts).toEqual({
      errors: [
        {
          at: 'pay',
          message: 'maxFlightMs must be at least 65000 (dispatch window + timeoutMs)',
        },
      ],
    });
    const keyed = tool({ effect: 'opaqueWrite', keyWindowMs: 1 });
    expect(given().when(startSession({ tools: [keyed] })).outcome).toBe('invalid_manifest');
    const blind = tool({ effect: 'queryableWrite', probe: false });
    expect(given().when(startSession({ tools: [blind] })).outcome).toBe('invalid_manifest');
  });

  it('comes before everything else', () => {
    expect(given().when(acceptInput()).outcome).toBe('not_found');
  });
});

describe('an input', () => {
  it('is accepted, and waits', () => {
    const accepted = given(sessionStarted()).when(acceptInput());
    expect(accepted.short).toEqual(['InputAccepted']);
    expect(accepted.state.pendingInputs).toMatchObject([{ inputId: 'input-1', revision: 1 }]);
  });

  it('with the same id is the same input: the first content stays', () => {
    const first = acceptInput({ payloadHash: 'hash-1' });
    const log = given(sessionStarted()).log;
    log.handle(first);
    expect(log.handle(acceptInput({ payloadHash: 'hash-2' }))).toMatchObject({
      kind: 'repeated',
      payloadDiffers: true,
      receipt: { first: 1, last: 1, payloadHash: 'hash-1' },
    });
  });

  it('with the same Idempotency-Key and other content is refused', () => {
    const first = acceptInput({ commandId: 'key-1', keyed: true, payloadHash: 'hash-1' });
    const other = acceptInput({
      commandId: 'key-1',
      keyed: true,
      payloadHash: 'hash-2',
      inputId: 'input-2',
    });
    expect(given(sessionStarted()).when(first, other).outcome).toBe('idempotency_key_reused');
  });

  it('is told that the session is erased, since nothing can be hashed with its key any more', () => {
    const first = acceptInput({ commandId: 'key-1', keyed: true, payloadHash: 'hash-1' });
    const erase: SessionCommand = {
      type: 'EraseSession',
      commandId: 'erase-1',
      now: first.now,
      erasureId: 'erasure-1',
      reason: 'other',
      descendants: [],
      acknowledgeUnknown: true,
      keyIds: [],
    };
    const again = acceptInput({ commandId: 'key-1', keyed: true, payloadHash: '0'.repeat(64) });
    expect(given(sessionStarted()).when(first, erase, again).outcome).toBe('session_erased');
  });

  it('cannot take an id that is in use, under another key either', () => {
    const ofRun = given(ownedSession()).when(acceptInput({ inputId: 'run-1' }));
    expect(ofRun.outcome).toBe('id_in_use');
    const again = acceptInput({ commandId: 'key-2' });
    expect(given(ownedSession()).when(again).outcome).toBe('id_in_use');
  });

  it('lifts a stop, unless it is to wake nobody', () => {
    const stopped = [...ownedSession(), STOPPED];
    const lifted = given(stopped).when(secondInput);
    expect(lifted.short).toEqual(['InputAccepted', 'SessionResumed(input)']);
    expect(lifted.state.stopped).toBe(false);
    const quiet = given(stopped).when({ ...secondInput, resume: false });
    expect(quiet.short).toEqual(['InputAccepted']);
    expect(quiet.state.stopped).toBe(true);
  });

  it('ends a quarantined run, with everything that this one had left open', () => {
    const quarantined = [
      ...askedFor(tool()),
      callRequested(tool(), { callId: 'probed', ordinal: 1 }),
      callRequested(tool(), { callId: 'ordered', ordinal: 2 }),
      retryAuthorized({ callId: 'probed', basis: 'probeNotApplied' }),
      retryAuthorized({ callId: 'ordered', basis: 'human' }),
      QUARANTINED,
    ];
    const ended = given(quarantined).when(secondInput);
    expect(ended.short).toEqual([
      'InputAccepted',
      'SessionResumed(input)',
      'ToolCallSkipped(runEnded)',
      'ToolOutcomeResolved(notApplied policy)',
      'ToolOutcomeUnknown(0 retryStopped)',
      'RunFailed',
    ]);
    expect(ended.state.lastRun).toEqual({ runId: 'run-1', outcome: 'failed' });
    const next = claimRun({ runId: 'run-2', claimTokenHash: 'token-2' });
    expect(given(quarantined).when(secondInput, next).short).toEqual([
      'RunClaimed(start agent)',
      'InputDelivered',
    ]);
  });

  it('is one of at most so many that wait', () => {
    const many = Array.from({ length: PENDING_INPUTS_MAX }, (_, index) =>
      inputAccepted({ inputId: `waiting-${index}` }),
    );
    const refused = given(sessionStarted(), many).when(acceptInput());
    expect(refused.outcome).toBe('limit_exceeded');
    expect(refused.facts).toEqual({ limit: 'pendingInputsMax', retryable: true });
  });

  it('can be withdrawn until it is delivered', () => {
    const waiting = [sessionStarted(), inputAccepted()];
    expect(given(waiting).when(withdrawInput()).state.pendingInputs).toEqual([]);
    expect(given(ownedSession()).when(withdrawInput()).outcome).toBe('invalid_state');
    expect(given(waiting).when(withdrawInput({ inputId: 'input-9' })).outcome).toBe('not_found');
  });

  it('that a stop has dropped is not waiting any more', () => {
    const dropped = given(ownedSession(), inputAccepted({ inputId: 'input-2' }));
    const stop = stopRun({ dropPendingInputs: true });
    expect(dropped.when(stop, withdrawInput({ inputId: 'input-2' })).outcome).toBe('invalid_state');
  });
});

describe('resuming', () => {
  it('lifts the stop of a user', () => {
    const resumed = given(ownedSession(), STOPPED).when(resumeSession());
    expect(resumed.outcome).toMatchObject([{ data: { cause: 'command', clears: 'stop' } }]);
    expect(resumed.state.stopped).toBe(false);
  });

  it('continues a quarantined run with fresh counters', () => {
    const counted: SessionEvent = {
      type: 'RecoveryAttempted',
      data: { runId: 'run-1', epoch: 1, attempt: 10, total: 40 },
    };
    const resumed = given(ownedSession(), counted, QUARANTINED).when(resumeSession());
    expect(resumed.outcome).toMatchObject([{ data: { clears: 'quarantine' } }]);
    expect(resumed.state.run).toMatchObject({
      runId: 'run-1',
      status: 'interrupted',
      recoveryAttempts: 0,
      recoveryTotal: 0,
    });
  });

  it('needs something to lift', () => {
    expect(given(ownedSession()).when(resumeSession()).outcome).toBe('invalid_state');
  });
});

describe('labels', () => {
  it('are set and removed by one event that names only what changes', () => {
    const log = given(sessionStarted({ labels: { project: 'apollo', stage: 'draft' } }));
    const then = log.when(
      labelSession({ set: { project: 'apollo', team: 'core' }, remove: ['stage', 'none'] }),
    );
    expect(then.outcome).toEqual([
      { type: 'SessionLabelled', data: { set: { team: 'core' }, removed: ['stage'] } },
    ]);
    expect(then.state.labels).toEqual({ project: 'apollo', team: 'core' });
  });

  it('that stand already make no event', () => {
    const log = given(sessionStarted({ labels: { project: 'apollo' } }));
    expect(log.when(labelSession({ remove: ['none'] })).outcome).toBe('repeated');
  });

  it('are at most 32, and a name is either set or removed', () => {
    const labels = Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`label-${n}`, 'x']));
    const full = given(sessionStarted({ labels }));
    expect(full.when(labelSession()).outcome).toBe('limit_exceeded');
    expect(full.when(labelSession({ remove: ['label-1'] })).short).toHaveLength(1);
    const both = labelSession({ commandId: 'labels-2', set: { a: '' }, remove: ['a'] });
    expect(full.when(both).outcome).toBe('invalid_request');
  });
});

describe('facts', () => {
  it('get a version each time they are recorded, and can be retired', () => {
    const goal = { factId: 'fact-1', kind: 'goal', text: 'Pay twice.' } as const;
    const again = recordFacts({ commandId: 'facts-2', facts: [{ ...goal, retired: true }] });
    const retired = given(sessionStarted()).when(recordFacts(), again);
    expect(retired.outcome).toMatchObject([{ data: { facts: [{ version: 2, retired: true }] } }]);
    expect(retired.state.facts['fact-1']).toMatchObject({ version: 2, retired: true });
    expect(given(sessionStarted()).when(again).outcome).toBe('not_found');
  });

  it('may bear any name', () => {
    const odd = { factId: '__proto__', kind: 'note', text: 'odd' } as const;
    const recorded = given(sessionStarted()).when(recordFacts({ facts: [odd] }));
    expect(Object.keys(recorded.state.facts)).toEqual(['__proto__']);
  });

  it('are at most so many', () => {
    const facts = Array.from({ length: FACTS_MAX + 1 }, (_, index) => ({
      factId: `fact-${index}`,
      kind: 'note' as const,
      text: '',
    }));
    expect(given(sessionStarted()).when(recordFacts({ facts })).outcome).toBe('limit_exceeded');
  });
});
