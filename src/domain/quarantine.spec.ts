import { describe, expect, it } from '@jest/globals';
import {
  at,
  claimRun,
  recordToolProgress,
  resumeSession,
  startModelCall,
  tool,
} from '../../test/support/commands.js';
import {
  askedFor,
  escalated,
  inputAccepted,
  modelCallSettled,
  modelCallStarted,
  outcomeUnknown,
  ownedSession,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { CommandOf } from './commands.js';
import { MODEL_CALLS_PER_RUN_MAX } from './decide-model-call.js';
import { MODEL_CALL_TIMEOUT_MS, isOwnersTurn } from './quarantine.js';
import type { SessionState } from './state.js';

const LATER = at(90_000_000);

function idle(state: SessionState, given: { readonly now?: string } = {}) {
  const command: CommandOf<'QuarantineIdleRun'> = {
    type: 'QuarantineIdleRun',
    commandId: 'idle-1',
    now: given.now ?? at(300_000),
    runId: 'run-1',
    ownerRevision: state.ownerRevision,
    idleMs: 300_000,
  };
  return command;
}

describe('an owner that records nothing', () => {
  it('loses its run, which is quarantined with everything that it left open', () => {
    const thinking = given(ownedSession(), modelCallStarted({ startedAt: at(0) }));
    const now = at(MODEL_CALL_TIMEOUT_MS + 300_000);
    const ended = thinking.when(idle(thinking.state, { now }));
    expect(ended.short).toEqual([
      'SessionQuarantined(noProgress)',
      'ModelCallSettled(interrupted)',
    ]);
    expect(ended.state.run).toMatchObject({
      status: 'quarantined',
      owned: false,
      quarantine: 'noProgress',
    });
    const late = thinking.when(startModelCall({ modelCallId: 'model-call-2' }));
    expect([late.outcome, late.facts]).toEqual([
      'session_quarantined',
      { runId: 'run-1', budget: 'noProgress' },
    ]);
  });

  it('keeps it when it has recorded something after all, or the run is another', () => {
    const owned = given(ownedSession());
    const watched = idle(owned.state);
    expect(owned.when(startModelCall(), { ...watched, now: LATER }).outcome).toBe('repeated');
    expect(given(ownedSession()).when({ ...watched, runId: 'run-2' }).outcome).toBe('repeated');
  });

  it('is not helped by what others do: only an owner makes progress', () => {
    const owned = given(ownedSession());
    const watched = idle(owned.state);
    owned.log.append({ type: 'Given', commandId: 'given', now: at(1) }, [
      inputAccepted({ inputId: 'input-2' }),
    ]);
    expect(owned.when(watched).short).toEqual(['SessionQuarantined(noProgress)']);
    const { log } = given(askedFor(tool()), toolCallStarted());
    const before = log.state.ownerRevision;
    log.handle(recordToolProgress({ note: 'half of it' }));
    expect(log.state.ownerRevision).toBe(before + 1);
  });

  it('goes on with the same run and all its budgets once somebody resumes it', () => {
    const { log } = given(ownedSession());
    log.handle(idle(log.state));
    log.handle(resumeSession());
    expect(log.state.run).toMatchObject({ runId: 'run-1', status: 'interrupted', modelCalls: 0 });
    expect(log.state.run?.quarantine).toBeUndefined();
    log.handle(claimRun({ claimTokenHash: 'token-2' }));
    expect(log.state.run).toMatchObject({ runId: 'run-1', status: 'active', epoch: 2 });
  });
});

describe('whose turn it is', () => {
  const reading = askedFor(tool({ effect: 'readOnly' }));
  const asked = askedFor(tool({ effect: 'opaqueWrite' }));
  const probed = askedFor(
    tool({ effect: 'queryableWrite', probe: true, namedProbe: 'orders', maxProbes: 3 }),
  );
  const started = toolCallStarted({ startedAt: at(0), deadline: at(60_000) });
  const question = escalated({ dueAt: at(80_000_000), blocking: true });
  const quiet = escalated({ dueAt: at(80_000_000), blocking: false });
  const decision = [started, outcomeUnknown()];

  it.each([
    ['its owner’s, after the claim', ownedSession(), at(1), true],
    ['its owner’s, with a call that nobody has started', reading, at(1), true],
    ['the tool’s, inside its deadline', [...reading, started], at(59_000), false],
    ['its owner’s, after that', [...reading, started], at(61_000), true],
    ['a person’s, who holds the run up', [...asked, ...decision, question], at(70_000_000), false],
    ['its owner’s, when the model was told', [...asked, ...decision, quiet], at(70_000_000), true],
    ['the server’s, while it asks a target', [...probed, ...decision], at(0), false],
  ] as const)('%s', (_, events, now, expected) => {
    expect(isOwnersTurn(given(events).state, now)).toBe(expected);
  });

  it.each([
    [undefined, MODEL_CALL_TIMEOUT_MS],
    [3_600_000, 3_600_000],
  ])('the model’s, for as long as its owner gives it: %s', (timeoutMs, expectedMs) => {
    const call = modelCallStarted({ startedAt: at(0), timeoutMs });
    const { state } = given(ownedSession(), call);
    expect(isOwnersTurn(state, at(expectedMs))).toBe(false);
    expect(isOwnersTurn(state, at(expectedMs + 1))).toBe(true);
    const settled = given(ownedSession(), call, modelCallSettled()).state;
    expect(isOwnersTurn(settled, at(1))).toBe(true);
  });
});

it('a run that has made all of its model calls is quarantined, and resumed with fresh ones', () => {
  const calls = Array.from({ length: MODEL_CALLS_PER_RUN_MAX }, (_, index) => [
    modelCallStarted({ modelCallId: `call-${index}`, messageId: `message-of-${index}` }),
    modelCallSettled({ modelCallId: `call-${index}` }),
  ]);
  const spent = given(ownedSession(), calls.flat());
  const next = startModelCall({ modelCallId: 'call-next', messageId: 'message-next' });
  const refused = spent.when(next);
  expect(refused.outcome).toEqual([
    {
      type: 'SessionQuarantined',
      data: {
        runId: 'run-1',
        budget: 'modelCalls',
        counters: { modelCalls: MODEL_CALLS_PER_RUN_MAX },
        notify: 'operator',
      },
    },
  ]);
  expect(spent.when(next).outcome).toBe('session_quarantined');
  spent.log.handle(resumeSession());
  spent.log.handle(claimRun({ claimTokenHash: 'token-2' }));
  const fence = { epoch: 2, claimTokenHash: 'token-2' };
  expect(spent.when({ ...next, commandId: 'again', fence }).short).toEqual(['ModelCallStarted']);
});
