import { describe, expect, it } from '@jest/globals';
import { at, recordAssistantMessage, requestedCall, tool } from '../../test/support/commands.js';
import {
  callIn,
  inputAccepted,
  modelCallStarted,
  ownedSession,
  runClaimed,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { SessionEvent } from './events.js';
import type { CallStatus } from './state.js';

const thinking = [...ownedSession(), modelCallStarted()];

/** The model's second message, after a first one whose call has come to this status. */
function secondMessage(status: CallStatus, manifest = tool()): readonly SessionEvent[] {
  const second = modelCallStarted({ modelCallId: 'model-call-2', messageId: 'message-2' });
  return [...callIn(status, manifest.effect, manifest), second];
}

/** The same call again: same tool, same arguments, another id. */
const twin = recordAssistantMessage({
  modelCallId: 'model-call-2',
  calls: [requestedCall({ callId: 'call-2', argsHash: 'args-of-call-1' })],
});

describe('the twin guard', () => {
  it.each(['running', 'unknown', 'retryAuthorized', 'awaitingHuman'] as const)(
    'skips a call whose equal of an earlier message is %s, in the append that requests it',
    (status) => {
      const said = given(secondMessage(status)).when(twin);
      expect(said.short).toEqual([
        'AssistantMessageRecorded',
        'ToolCallRequested',
        'ToolCallSkipped(unresolvedTwin)',
      ]);
      expect(said.outcome).toMatchObject([{}, {}, { data: { twinOf: 'call-1' } }]);
      expect(said.callStatus('call-2')).toBe('skipped');
    },
  );

  it.each(['completed', 'failed', 'skipped', 'applied', 'notApplied', 'abandoned'] as const)(
    'lets the call be when its equal is %s',
    (status) => {
      expect(given(secondMessage(status)).when(twin).callStatus('call-2')).toBe('requested');
    },
  );

  it('looks at inherited calls too', () => {
    const inherited = {
      callId: 'call-1',
      originSessionId: 'parent',
      opKey: 'key-of-call-1',
      tool: 'pay',
      argsHash: 'args-of-call-1',
      effect: 'opaqueWrite' as const,
      stateAtCut: 'unknown',
    };
    const fork: SessionEvent = {
      type: 'Forked',
      data: {
        sessionId: 'session-1',
        labels: {},
        parentId: 'parent',
        parentVersion: 9,
        cut: { sessionId: 'parent', revision: 9 },
        segments: [],
        ancestors: ['parent'],
        profile: { name: 'agent', version: '1' },
        tools: [],
        recoveryMode: 'auto',
        facts: [],
        hidden: [],
        inherited: [inherited],
        startedAt: at(0),
      },
    };
    const second = modelCallStarted({ modelCallId: 'model-call-2', messageId: 'message-2' });
    const said = given(fork, inputAccepted(), runClaimed(), second).when(twin);
    expect(said.callStatus('call-2')).toBe('skipped');
  });

  it('lets equal calls of one message both be meant', () => {
    const both = recordAssistantMessage({
      calls: [requestedCall(), requestedCall({ callId: 'call-2', argsHash: 'args-of-call-1' })],
    });
    expect(given(thinking).when(both).callStatus('call-2')).toBe('requested');
    const inTwoParts = recordAssistantMessage({
      part: 1,
      calls: [requestedCall({ callId: 'call-2', argsHash: 'args-of-call-1' })],
    });
    const firstPart = recordAssistantMessage({ final: false, calls: [requestedCall()] });
    expect(given(thinking).when(firstPart, inTwoParts).callStatus('call-2')).toBe('requested');
  });

  it('is not for other arguments, other tools, or tools that do not want it', () => {
    const unknown = secondMessage('unknown');
    const said = (call: Partial<Parameters<typeof requestedCall>[0]>) =>
      given(unknown)
        .when({
          ...twin,
          calls: [requestedCall({ callId: 'call-2', argsHash: 'args-of-call-1', ...call })],
        })
        .callStatus('call-2');
    expect(said({ argsHash: 'others' })).toBe('requested');
    expect(said({ tool: 'refund' })).toBe('requested');
    expect(said({ manifest: tool({ twinGuard: false }) })).toBe('requested');
  });
});
