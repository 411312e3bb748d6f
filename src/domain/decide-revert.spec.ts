import { describe, expect, it } from '@jest/globals';
import {
  acceptInput,
  clearRevert,
  recordFacts,
  revertSession,
  stopRun,
  tool,
} from '../../test/support/commands.js';
import {
  assistantMessage,
  callRequested,
  inputAccepted,
  inputDelivered,
  modelCallSettled,
  modelCallStarted,
  outcomeUnknown,
  runClaimed,
  sessionStarted,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { SessionEvent } from './events.js';
import type { Shown } from './events/positions.js';
import { shownBy } from './shown.js';

const own = (revision: number) => ({ sessionId: 'session-1', revision });
const NOTHING: Shown = { facts: [], hidden: [] };

/** A run of seven events: an input, and the model's answer to it. */
function turn(name: string): readonly SessionEvent[] {
  const ids = { modelCallId: `model-call-${name}`, messageId: `message-${name}` };
  const [inputId, runId] = [`input-${name}`, `run-${name}`];
  return [
    inputAccepted({ inputId }),
    runClaimed({ runId, inputIds: [inputId] }),
    inputDelivered({ inputId, runId, messageId: `message-of-${inputId}` }),
    modelCallStarted({ ...ids, runId }),
    assistantMessage({ ...ids, blocks: [{ type: 'text', text: name }] }),
    modelCallSettled({ modelCallId: ids.modelCallId }),
    { type: 'RunCompleted', data: { runId, epoch: 1 } },
  ];
}

const compacted: SessionEvent = {
  type: 'Compacted',
  data: {
    compactionId: 'compaction-1',
    summary: 'So far.',
    coveredFrom: own(0),
    coveredTo: own(7),
    keptFrom: own(8),
    openCalls: [],
    trigger: 'manual',
  },
};

const facts = (version: number, text: string): SessionEvent => ({
  type: 'FactsRecorded',
  data: { facts: [{ factId: 'goal', version, kind: 'goal', text }] },
});

describe('a revert', () => {
  it('hides what stands behind the place, and takes nothing out of the log', () => {
    const { outcome, state } = given(sessionStarted(), turn('1'), turn('2')).when(
      revertSession({ to: own(7) }),
    );
    const hidden = [{ sessionId: 'session-1', from: 8, to: 14 }];
    expect(outcome).toMatchObject([{ type: 'Reverted', data: { to: own(7), hidden } }]);
    expect(state).toMatchObject({ revision: 15, hidden, revert: { revision: 15, to: own(7) } });
  });

  it('behind a compaction undoes it, and goes back to the summary from before', () => {
    const { state } = given(sessionStarted(), turn('1'), compacted, turn('2')).when(
      revertSession({ to: own(7) }),
    );
    expect(state.watermark).toBeUndefined();
    const later = given(sessionStarted(), turn('1'), compacted, turn('2'));
    const kept = later.when(revertSession({ to: own(8), then: shownBy(later.state) }));
    expect(kept.state.watermark?.compactionId).toBe('compaction-1');
  });

  it('gives facts the words of that time; no version is ever given twice', () => {
    const events = [sessionStarted(), facts(1, 'one'), facts(2, 'two')];
    const then = shownBy(given(...events.slice(0, 2)).state);
    const { state } = given(events).when(
      revertSession({ to: own(1), then }),
      recordFacts({
        facts: [
          { factId: 'goal', kind: 'goal', text: 'three' },
          { factId: 'other', kind: 'note', text: 'x' },
        ],
      }),
    );
    expect(state.facts).toMatchObject({
      goal: { version: 3, at: own(4) },
      other: { version: 1 },
    });
    const gone = given(events).when(revertSession({ to: own(0) }));
    expect(gone.state.facts).toMatchObject({ goal: { version: 2, retired: true } });
  });

  it('into the inherited part of a fork hides it there, for this session only', () => {
    const forked: SessionEvent = {
      type: 'Forked',
      data: {
        sessionId: 'session-1',
        labels: {},
        parentId: 'origin',
        parentVersion: 9,
        cut: { sessionId: 'origin', revision: 9 },
        segments: [
          { sessionId: 'root', from: 0, to: 5 },
          { sessionId: 'origin', from: 0, to: 9 },
        ],
        ancestors: ['origin', 'root'],
        profile: { name: 'agent', version: '1' },
        tools: [],
        recoveryMode: 'auto',
        ...NOTHING,
        inherited: [],
        startedAt: '2026-01-05T09:00:00.000Z',
      },
    };
    const to = { sessionId: 'root', revision: 3 };
    expect(given(forked, turn('1')).when(revertSession({ to })).state.hidden).toEqual([
      { sessionId: 'root', from: 4, to: 5 },
      { sessionId: 'origin', from: 0, to: 9 },
      { sessionId: 'session-1', from: 0, to: 7 },
    ]);
    const beyond = { sessionId: 'root', revision: 6 };
    expect(given(forked).when(revertSession({ to: beyond })).short).toBe('invalid_request');
  });

  it('is refused while anything could go on by itself, and says what to do', () => {
    const running = turn('2').slice(0, 6);
    const { short, facts: told } = given(sessionStarted(), turn('1'), running).when(
      revertSession({ to: own(7) }),
    );
    expect(short).toBe('run_open');
    expect(told).toEqual({ runId: 'run-2', runStatus: 'active' });
    const interrupted: SessionEvent = {
      type: 'RunInterrupted',
      data: { runId: 'run-2', epoch: 1, reason: 'shutdown' },
    };
    const gone = given(sessionStarted(), turn('1'), running, interrupted);
    expect(gone.when(revertSession({ to: own(7) })).facts).toMatchObject({
      runStatus: 'interrupted',
    });
    const stop = stopRun({ runId: 'run-2' });
    expect(gone.when(stop, revertSession({ to: own(7) })).short).toEqual(['Reverted']);
  });

  it('is refused where nothing stands behind the place', () => {
    const { short } = given(sessionStarted(), turn('1')).when(revertSession({ to: own(7) }));
    expect(short).toBe('invalid_request');
  });

  it('keeps a call in its hidden part under reconciliation', () => {
    const asked = turn('2').slice(0, 5);
    const ids = { runId: 'run-2', messageId: 'message-2' };
    const { state } = given(
      sessionStarted(),
      turn('1'),
      asked,
      callRequested(tool(), ids),
      turn('2').slice(5, 6),
      toolCallStarted(),
      outcomeUnknown(),
      { type: 'RunFailed', data: { runId: 'run-2', epoch: 1, errorClass: 'x', message: '' } },
    ).when(revertSession({ to: own(7) }));
    expect(state.calls['call-1']?.status).toBe('unknown');
  });
});

describe('inputs that no model has read', () => {
  const waiting = inputAccepted({ inputId: 'waiting', resume: false });
  const delivered = turn('2').slice(0, 3);
  const failed: SessionEvent = {
    type: 'RunFailed',
    data: { runId: 'run-2', epoch: 1, errorClass: 'x', message: '' },
  };

  it('are not dropped without a word', () => {
    const session = given(sessionStarted(), turn('1'), delivered, failed, waiting);
    const { short, facts: told } = session.when(revertSession({ to: own(7) }));
    expect(short).toBe('unseen_inputs');
    expect(told).toEqual({
      inputs: [
        { inputId: 'input-2', state: 'delivered' },
        { inputId: 'waiting', state: 'pending' },
      ],
    });
  });

  it('go on waiting where the caller keeps them', () => {
    const kept = revertSession({ to: own(7), unseenInputs: 'keep' });
    const { short, state } = given(sessionStarted(), turn('1'), waiting).when(kept);
    expect(short).toEqual(['Reverted']);
    expect(state.pendingInputs).toMatchObject([{ inputId: 'waiting' }]);
    const said = given(sessionStarted(), turn('1'), delivered, failed).when(kept);
    expect(said.short).toBe('unseen_inputs');
  });

  it('are withdrawn or hidden where the caller drops them', () => {
    const session = given(sessionStarted(), turn('1'), delivered, failed, waiting);
    const drop = revertSession({ to: own(7), unseenInputs: 'drop' });
    const { short, state } = session.when(drop);
    expect(short).toEqual(['InputWithdrawn', 'Reverted']);
    expect(state.pendingInputs).toEqual([]);
    const again = revertSession({ commandId: 'revert-2', to: own(0) });
    expect(session.when(again).short).toEqual(['Reverted']);
  });

  it('from before the place are no hindrance, nor are inputs that a model has read', () => {
    const session = given(sessionStarted(), waiting, turn('1'), turn('2'));
    expect(session.when(revertSession({ to: own(8) })).short).toEqual(['Reverted']);
  });

  it('count as unread after a request that provably never left', () => {
    const notSent = modelCallSettled({ modelCallId: 'model-call-2', outcome: 'notSent' });
    const started = turn('2')[3]!;
    const { short } = given(sessionStarted(), turn('1'), delivered, started, notSent, failed).when(
      revertSession({ to: own(7) }),
    );
    expect(short).toBe('unseen_inputs');
  });
});

describe('clearing a revert', () => {
  const spoken = [sessionStarted(), facts(1, 'one'), turn('1'), facts(2, 'two'), turn('2')];
  const before = { revertedAt: 17, shown: shownBy(given(...spoken).state) };
  const then = shownBy(given(...spoken.slice(0, 3)).state);

  it('shows again what was hidden, with the facts that were recorded since', () => {
    const { short, state } = given(...spoken).when(
      revertSession({ to: own(8), then }),
      recordFacts({ facts: [{ factId: 'new', kind: 'note', text: 'x' }] }),
      clearRevert({ before }),
    );
    expect(short).toEqual(['RevertCleared']);
    expect(state).toMatchObject({
      hidden: [],
      facts: { goal: { version: 2 }, new: { version: 1 } },
    });
    expect(state.revert).toBeUndefined();
  });

  it('undoes all reverts since the last input', () => {
    const { short, state } = given(...spoken).when(
      revertSession({ to: own(8), then }),
      revertSession({ commandId: 'revert-2', to: own(0) }),
      clearRevert({ before }),
    );
    expect(short).toEqual(['RevertCleared']);
    expect(state.hidden).toEqual([]);
  });

  it('is refused after the next input, and without a revert', () => {
    const late = given(...spoken).when(
      revertSession({ to: own(8), then }),
      acceptInput({ inputId: 'next' }),
      clearRevert({ before }),
    );
    expect(late.short).toBe('invalid_state');
    expect(given(...spoken).when(clearRevert({ before })).short).toBe('invalid_state');
    expect(given(...spoken).when(clearRevert({})).short).toBe('invalid_state');
  });

  it('is refused if it was decided on another revert', () => {
    const other = { ...before, revertedAt: 16 };
    const { short } = given(...spoken).when(
      revertSession({ to: own(8), then }),
      clearRevert({ before: other }),
    );
    expect(short).toBe('invalid_state');
  });

  it('done twice, answers the same', () => {
    const command = clearRevert({ before });
    const revert = revertSession({ to: own(8), then });
    expect(given(...spoken).when(revert, command, command).short).toBe('repeated');
  });
});
