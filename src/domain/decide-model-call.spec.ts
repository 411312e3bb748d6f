import { describe, expect, it } from '@jest/globals';
import {
  at,
  claimRun,
  completeRun,
  recordAssistantMessage,
  requestedCall,
  settleModelCall,
  startModelCall,
  stopRun,
  tool,
} from '../../test/support/commands.js';
import {
  assistantMessage,
  callIn,
  callRequested,
  escalated,
  inputAccepted,
  modelCallSettled,
  modelCallStarted,
  outcomeUnknown,
  ownedSession,
  sessionStarted,
  runClaimed,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { CALLS_PER_MESSAGE_MAX, OPEN_CALLS_MAX } from './decide-model-call.js';
import type { SessionEvent } from './events.js';
import type { CallStatus } from './state.js';

const next = startModelCall({ modelCallId: 'model-call-2' });
const thinking = [...ownedSession(), modelCallStarted()];

/** The model's second message, after a first one whose call has come to this status. */
function secondMessage(status: CallStatus, manifest = tool()): readonly SessionEvent[] {
  const second = modelCallStarted({ modelCallId: 'model-call-2', messageId: 'message-2' });
  return [...callIn(status, manifest.effect, manifest), second];
}

describe('starting a model call', () => {
  it('records what the model will have seen', () => {
    const started = given(ownedSession()).when(startModelCall({ provider: 'anthropic' }));
    expect(started.outcome).toMatchObject([
      {
        type: 'ModelCallStarted',
        data: { runId: 'run-1', epoch: 1, inputRevision: 3, provider: 'anthropic' },
      },
    ]);
    expect(started.state.run?.modelCalls).toBe(1);
  });

  it('delivers the inputs that its context contains, in the same append', () => {
    const steered = [...ownedSession(), inputAccepted({ inputId: 'input-2', delivery: 'steer' })];
    const deliver = [{ inputId: 'input-2', messageId: 'message-of-input-2' }];
    const started = given(steered).when(startModelCall({ deliver }));
    expect(started.short).toEqual(['InputDelivered', 'ModelCallStarted']);
    expect(started.outcome).toMatchObject([{}, { data: { inputRevision: 4 } }]);
    expect(started.state.pendingInputs).toEqual([]);
    expect(given(ownedSession()).when(startModelCall({ deliver })).outcome).toBe('context_stale');
  });

  it.each(['requested', 'running', 'unknown', 'retryAuthorized'] as const)(
    'is refused while a call of the run is %s',
    (status) => {
      expect(given(callIn(status, 'opaqueWrite')).when(next).outcome).toBe('open_calls');
    },
  );

  it.each([
    'completed',
    'failed',
    'skipped',
    'applied',
    'notApplied',
    'abandoned',
    'awaitingHuman',
  ] as const)('goes on with a call that is %s', (status) => {
    expect(given(callIn(status, 'opaqueWrite')).when(next).short).toEqual(['ModelCallStarted']);
  });

  it('waits for a question that holds the run', () => {
    const held = [...callIn('unknown', 'opaqueWrite'), escalated({ blocking: true })];
    const refused = given(held).when(next);
    expect(refused.outcome).toBe('waiting_calls');
    expect(refused.facts).toMatchObject({ calls: [{ callId: 'call-1', asked: 'operator' }] });
  });

  it('does not wait for an imported call, nor when it is no turn of the conversation', () => {
    const imported = [...callIn('running', 'opaqueWrite'), outcomeUnknown({ reason: 'imported' })];
    expect(given(imported).when(next).short).toEqual(['ModelCallStarted']);
    const summary = startModelCall({ modelCallId: 'model-call-2', purpose: 'compaction' });
    expect(given(callIn('unknown', 'opaqueWrite')).when(summary).short).toEqual([
      'ModelCallStarted',
    ]);
  });

  it('is refused while another one is open, under a used id, or of a later revision', () => {
    expect(given(thinking).when(next).outcome).toBe('invalid_state');
    const settled = [...thinking, modelCallSettled()];
    expect(given(settled).when(startModelCall({ commandId: 'key' })).outcome).toBe('id_in_use');
    const sameMessage = startModelCall({ modelCallId: 'model-call-2', messageId: 'message-1' });
    expect(given(settled).when(sameMessage).outcome).toBe('id_in_use');
    const ahead = startModelCall({ inputRevision: 99 });
    expect(given(ownedSession()).when(ahead).outcome).toBe('invalid_request');
  });

  it('is for the owner only, never after a stop, and no repetition changes that', () => {
    const other = claimRun({ claimTokenHash: 'token-2' });
    expect(given(ownedSession()).when(other, startModelCall()).outcome).toBe('stale_epoch');
    expect(given(ownedSession()).when(stopRun(), startModelCall()).outcome).toBe('run_stopped');
    const session = given(ownedSession());
    expect(session.when(startModelCall(), startModelCall()).outcome).toBe('repeated');
    expect(session.when(other, startModelCall()).outcome).toBe('stale_epoch');
    const stopped = given(ownedSession()).when(startModelCall(), stopRun(), startModelCall());
    expect(stopped.outcome).toBe('run_stopped');
  });
});

describe('recording what the model said', () => {
  it('requests its calls in the same append', () => {
    const said = given(thinking).when(recordAssistantMessage({ calls: [requestedCall()] }));
    expect(said.short).toEqual(['AssistantMessageRecorded', 'ToolCallRequested']);
    expect(said.outcome).toMatchObject([
      { data: { messageId: 'message-1', part: 0, final: true } },
      {
        data: {
          callId: 'call-1',
          runId: 'run-1',
          effect: 'opaqueWrite',
          timing: { timeoutMs: 60_000, maxFlightMs: 70_000, keyWindowMs: 0 },
          opKey: 'key-of-call-1',
        },
      },
    ]);
    expect(said.callStatus()).toBe('requested');
  });

  it('goes part by part until the last one', () => {
    const first = recordAssistantMessage({ final: false });
    const second = recordAssistantMessage({ part: 1 });
    expect(given(thinking).when(first, second).short).toEqual(['AssistantMessageRecorded']);
    expect(given(thinking).when(second).outcome).toBe('invalid_request');
    const third = recordAssistantMessage({ part: 2 });
    expect(given(thinking).when(first, second, third).outcome).toBe('invalid_state');
  });

  it('needs its model call to be open, and its sender to own the session', () => {
    expect(given(ownedSession()).when(recordAssistantMessage()).outcome).toBe('not_found');
    const old = recordAssistantMessage({ fence: { epoch: 0, claimTokenHash: 'token-0' } });
    expect(given(thinking).when(old).outcome).toBe('stale_epoch');
  });

  it('refuses a call that exists already, also within the message', () => {
    const known = recordAssistantMessage({
      modelCallId: 'model-call-2',
      calls: [requestedCall({ argsHash: 'others' })],
    });
    expect(given(secondMessage('completed')).when(known).outcome).toBe('tool_call_conflict');
    const double = recordAssistantMessage({ calls: [requestedCall(), requestedCall()] });
    expect(given(thinking).when(double).outcome).toBe('tool_call_conflict');
  });

  it('has limits for open calls and for the calls of one message', () => {
    const many = (count: number) =>
      recordAssistantMessage({
        calls: Array.from({ length: count }, (_, ordinal) =>
          requestedCall({ callId: `call-${ordinal}`, ordinal }),
        ),
      });
    expect(given(thinking).when(many(OPEN_CALLS_MAX)).state.counters.toolCalls).toBe(64);
    expect(given(thinking).when(many(OPEN_CALLS_MAX + 1)).outcome).toBe('limit_exceeded');
    const settled = Array.from({ length: CALLS_PER_MESSAGE_MAX }, (_, ordinal) => [
      callRequested(tool(), { callId: `earlier-${ordinal}`, ordinal }),
      {
        type: 'ToolCallSkipped',
        data: { callId: `earlier-${ordinal}`, reason: 'denied' },
      } as const,
    ]);
    expect(given(thinking, settled.flat()).when(many(1)).outcome).toBe('limit_exceeded');
  });
});

describe('settling a model call', () => {
  it('happens once, with usage and cost', () => {
    const settled = given(thinking, assistantMessage()).when(settleModelCall());
    expect(settled.outcome).toMatchObject([
      { data: { outcome: 'completed', purpose: 'turn', runId: 'run-1', startedAt: at(0) } },
    ]);
    expect(settled.state.modelCall).toBeUndefined();
    const again = settleModelCall({ commandId: 'again' });
    expect(given(thinking).when(settleModelCall(), again).outcome).toBe('not_found');
    expect(given(thinking).when(settleModelCall(), settleModelCall()).outcome).toBe('repeated');
  });

  it('is possible while a stop is carried out, and not for an old owner', () => {
    expect(given(thinking).when(stopRun(), settleModelCall()).short).toEqual([
      'ModelCallSettled(completed)',
    ]);
    const other = claimRun({ claimTokenHash: 'token-2' });
    expect(given(thinking).when(other, settleModelCall()).outcome).toBe('stale_epoch');
  });

  it('lets the run be completed', () => {
    const log = given(sessionStarted(), inputAccepted(), runClaimed(), modelCallStarted());
    expect(log.when(settleModelCall(), completeRun()).short).toEqual(['RunCompleted']);
  });
});
