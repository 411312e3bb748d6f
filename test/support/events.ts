import type { EventOf, SessionEvent, SessionEventType } from '../../src/domain/events.js';
import type { CallStatus } from '../../src/domain/state.js';
import type { EffectClass, ToolManifest } from '../../src/domain/tool-manifest.js';
import { at, tool } from './commands.js';
import { SESSION } from './session-log.js';
import { UNDONE, undoOrdered } from './undo-events.js';

/** Events with sane defaults, and scenes made of them. */

type Data<T extends SessionEventType> = EventOf<T>['data'];

export function sessionStarted(given: Partial<Data<'SessionStarted'>> = {}): SessionEvent {
  return {
    type: 'SessionStarted',
    data: {
      sessionId: SESSION,
      labels: {},
      profile: { name: 'agent', version: '1' },
      tools: [],
      recoveryMode: 'auto',
      ancestors: [],
      startedAt: at(0),
      ...given,
    },
  };
}

export function inputAccepted(given: Partial<Data<'InputAccepted'>> = {}): SessionEvent {
  return {
    type: 'InputAccepted',
    data: {
      inputId: 'input-1',
      delivery: 'queue',
      resume: true,
      content: [{ type: 'text', text: 'Pay the invoice.' }],
      author: 'user-1',
      ...given,
    },
  };
}

export function inputDelivered(given: Partial<Data<'InputDelivered'>> = {}): SessionEvent {
  return {
    type: 'InputDelivered',
    data: { inputId: 'input-1', runId: 'run-1', messageId: 'message-of-input-1', ...given },
  };
}

export function runClaimed(given: Partial<Data<'RunClaimed'>> = {}): SessionEvent {
  return {
    type: 'RunClaimed',
    data: {
      runId: 'run-1',
      epoch: 1,
      claimTokenHash: 'token-1',
      workerId: 'worker-1',
      kind: 'agent',
      reason: 'start',
      inputIds: ['input-1'],
      leaseTtlMs: 30_000,
      ...given,
    },
  };
}

export function modelCallStarted(given: Partial<Data<'ModelCallStarted'>> = {}): SessionEvent {
  return {
    type: 'ModelCallStarted',
    data: {
      modelCallId: 'model-call-1',
      messageId: 'message-1',
      runId: 'run-1',
      epoch: 1,
      purpose: 'turn',
      inputRevision: 3,
      startedAt: at(0),
      ...given,
    },
  };
}

export function assistantMessage(
  given: Partial<Data<'AssistantMessageRecorded'>> = {},
): SessionEvent {
  return {
    type: 'AssistantMessageRecorded',
    data: {
      modelCallId: 'model-call-1',
      messageId: 'message-1',
      part: 0,
      final: true,
      blocks: [{ type: 'toolCall', ordinal: 0 }],
      ...given,
    },
  };
}

export function modelCallSettled(given: Partial<Data<'ModelCallSettled'>> = {}): SessionEvent {
  return {
    type: 'ModelCallSettled',
    data: {
      modelCallId: 'model-call-1',
      outcome: 'completed',
      providerReached: 'yes',
      purpose: 'turn',
      callKey: 'provider-request-1',
      endedAt: at(0),
      ...given,
    },
  };
}

export function callRequested(
  manifest: ToolManifest,
  given: Partial<Data<'ToolCallRequested'>> = {},
): SessionEvent {
  const callId = given.callId ?? 'call-1';
  const { timeoutMs, maxFlightMs, keyWindowMs, notFoundIsFinalAfterMs } = manifest;
  return {
    type: 'ToolCallRequested',
    data: {
      callId,
      runId: 'run-1',
      modelCallId: 'model-call-1',
      messageId: 'message-1',
      ordinal: 0,
      tool: manifest.name,
      manifestVersion: manifest.version,
      effect: manifest.effect,
      timing: { timeoutMs, maxFlightMs, keyWindowMs, notFoundIsFinalAfterMs },
      opKey: `key-of-${callId}`,
      argsHash: `args-of-${callId}`,
      ...(manifest.compensateWhenRunFails === true ? { undoWhenRunFails: true } : {}),
      args: { amount: 100 },
      ...given,
    },
  };
}

export function toolCallStarted(given: Partial<Data<'ToolCallStarted'>> = {}): SessionEvent {
  return {
    type: 'ToolCallStarted',
    data: {
      callId: 'call-1',
      attempt: 1,
      epoch: 1,
      startedAt: at(0),
      dispatchBy: at(5_000),
      deadline: at(65_000),
      basis: 'first',
      ...given,
    },
  };
}

export function resultRecorded(given: Partial<Data<'ToolResultRecorded'>> = {}): SessionEvent {
  return {
    type: 'ToolResultRecorded',
    data: {
      callId: 'call-1',
      attempt: 1,
      epoch: 1,
      status: 'completed',
      resultHash: 'hash-1',
      result: { isError: false, content: 'paid' },
      ...given,
    },
  };
}

export function outcomeUnknown(given: Partial<Data<'ToolOutcomeUnknown'>> = {}): SessionEvent {
  return {
    type: 'ToolOutcomeUnknown',
    data: { callId: 'call-1', attempt: 1, reason: 'transport', ...given },
  };
}

export function retryAuthorized(given: Partial<Data<'ToolRetryAuthorized'>> = {}): SessionEvent {
  return {
    type: 'ToolRetryAuthorized',
    data: { callId: 'call-1', nextAttempt: 2, basis: 'readOnly', notAfter: null, ...given },
  };
}

export function escalated(given: Partial<Data<'ToolEscalated'>> = {}): SessionEvent {
  return {
    type: 'ToolEscalated',
    data: {
      callId: 'call-1',
      escalationId: 'escalation-1',
      to: 'operator',
      dueAt: at(86_400_000),
      reason: 'noPolicy',
      blocking: false,
      ...given,
    },
  };
}

export function resolved(given: Partial<Data<'ToolOutcomeResolved'>> = {}): SessionEvent {
  return {
    type: 'ToolOutcomeResolved',
    data: { callId: 'call-1', verdict: 'abandoned', basis: 'expiry', ...given },
  };
}

/** A session, owned in epoch 1, whose only input has been delivered to its only run. */
export function ownedSession(...tools: readonly ToolManifest[]): readonly SessionEvent[] {
  return [sessionStarted({ tools }), inputAccepted(), runClaimed(), inputDelivered()];
}

/** ... in which the model has asked for one call of this tool. */
export function askedFor(manifest: ToolManifest): readonly SessionEvent[] {
  return [
    ...ownedSession(manifest),
    modelCallStarted(),
    assistantMessage(),
    callRequested(manifest),
    modelCallSettled(),
  ];
}

const RETRY_BASIS = {
  readOnly: 'readOnly',
  keyedWrite: 'keyedWithinWindow',
  queryableWrite: 'probeNotApplied',
  opaqueWrite: 'human',
} as const;

/** What brings a call of this class from its request to the status, by the shortest usual way. */
function wayTo(status: CallStatus, effect: EffectClass): readonly SessionEvent[] {
  const unknown = [toolCallStarted(), outcomeUnknown()];
  switch (status) {
    case 'requested':
      return [];
    case 'running':
      return [toolCallStarted()];
    case 'unknown':
      return unknown;
    case 'retryAuthorized':
      return [...unknown, retryAuthorized({ basis: RETRY_BASIS[effect] })];
    case 'awaitingHuman':
      return [...unknown, escalated()];
    case 'completed':
      return [toolCallStarted(), resultRecorded()];
    case 'failed':
      return [toolCallStarted(), resultRecorded({ status: 'noEffect' })];
    case 'skipped':
      return [{ type: 'ToolCallSkipped', data: { callId: 'call-1', reason: 'denied' } }];
    case 'applied':
    case 'notApplied':
      return [...unknown, resolved({ verdict: status, basis: 'human' })];
    case 'abandoned':
      return [...unknown, resolved()];
    case 'compensating':
      return [...unknown, escalated(), undoOrdered()];
    case 'compensated':
      return [...unknown, escalated(), undoOrdered(), ...UNDONE];
    case 'inherited':
      throw new TypeError('an inherited call comes with the Forked event');
  }
}

/** ... and the call has come to this status. */
export function callIn(
  status: CallStatus,
  effect: EffectClass,
  manifest: ToolManifest = tool({ effect }),
): readonly SessionEvent[] {
  return [...askedFor(manifest), ...wayTo(status, effect)];
}

const TELLING_FIELDS = [
  'attempt',
  'nextAttempt',
  'status',
  'reason',
  'kind',
  'decision',
  'verdict',
  'outcome',
  'budget',
  'cause',
  'basis',
] as const;

/** An event as one phrase: its name, and the fields that tell it from others of its name. */
export function inShort(event: SessionEvent): string {
  const data = event.data as object as Readonly<Record<string, unknown>>;
  const telling = TELLING_FIELDS.flatMap((field) => {
    const value = data[field];
    return typeof value === 'string' || typeof value === 'number' ? [value] : [];
  });
  return telling.length === 0 ? event.type : `${event.type}(${telling.join(' ')})`;
}
