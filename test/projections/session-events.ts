import type { EventOf, SessionEvent } from '../../src/domain/events.js';
import type { ParentEdge } from '../../src/domain/events/session-events.js';
import type { Cost } from '../../src/domain/money.js';
import type { Buckets, Usage, UsageState } from '../../src/domain/usage.js';

type Data<T extends SessionEvent['type']> = EventOf<T>['data'];

const STARTED_AT = '2026-01-01T00:00:00.000Z';

/** Events as the domain writes them; a test names only what it is about. */
export function sessionStarted(
  sessionId: string,
  data: Partial<Data<'SessionStarted'>> = {},
): SessionEvent {
  return {
    type: 'SessionStarted',
    data: {
      sessionId,
      labels: {},
      profile: { name: 'coder', version: '1', model: 'claude-sonnet-4-5' },
      tools: [],
      recoveryMode: 'auto',
      ancestors: data.parent === undefined ? [] : [data.parent.sessionId],
      startedAt: STARTED_AT,
      ...data,
    },
  };
}

export function childStarted(
  sessionId: string,
  parentId: string,
  edge: Exclude<ParentEdge, 'fork'> = 'subagent',
  data: Partial<Data<'SessionStarted'>> = {},
): SessionEvent {
  return sessionStarted(sessionId, { parent: { sessionId: parentId, edge }, ...data });
}

export function forked(
  sessionId: string,
  parentId: string,
  data: Partial<Data<'Forked'>> = {},
): SessionEvent {
  return {
    type: 'Forked',
    data: {
      sessionId,
      labels: {},
      parentId,
      parentVersion: 0,
      cut: { sessionId: parentId, revision: 0 },
      segments: [{ sessionId: parentId, from: 0, to: 0 }],
      ancestors: [parentId],
      profile: { name: 'coder', version: '1' },
      tools: [],
      recoveryMode: 'auto',
      facts: [],
      hidden: [],
      inherited: [],
      startedAt: STARTED_AT,
      ...data,
    },
  };
}

export function usage(buckets: Buckets, state: UsageState = 'final'): Usage {
  return {
    state,
    buckets,
    counts: {},
    splits: { cacheLife: 'known', reasoning: 'known' },
    flags: [],
    source: 'provider',
  };
}

export function priced(amountPico: string | bigint, currency = 'USD'): Cost {
  return { amountPico: amountPico.toString(), currency, source: 'local' };
}

export function settled(
  callKey: string,
  data: Partial<Data<'ModelCallSettled'>> = {},
): SessionEvent {
  return {
    type: 'ModelCallSettled',
    data: {
      modelCallId: callKey,
      outcome: 'completed',
      providerReached: 'yes',
      purpose: 'turn',
      callKey,
      provider: 'anthropic',
      responseModel: 'claude-sonnet-4-5',
      endedAt: STARTED_AT,
      ...data,
    },
  };
}

/** A report that comes after the settlement of the same call. */
export function usageReported(
  callKey: string,
  data: Partial<Data<'ModelUsageReported'>> = {},
): SessionEvent {
  return {
    type: 'ModelUsageReported',
    data: {
      modelCallId: callKey,
      purpose: 'turn',
      callKey,
      provider: 'anthropic',
      responseModel: 'claude-sonnet-4-5',
      usage: usage({ inputFresh: 100, outputText: 10 }),
      cost: priced(450n),
      reporter: 'worker-7',
      reportedAt: STARTED_AT,
      ...data,
    },
  };
}

/** From whatever the calls had cost to these amounts. */
export function repriced(amounts: Readonly<Record<string, bigint | null>>): SessionEvent {
  return {
    type: 'CallsRepriced',
    data: {
      repricingId: 'repricing-1',
      reason: 'The contract changed.',
      actor: 'ada',
      repricedAt: STARTED_AT,
      calls: Object.entries(amounts).map(([callKey, amount]) => ({
        modelCallId: callKey,
        callKey,
        before: { amountPico: null, currency: 'USD', source: 'local' },
        cost: { amountPico: amount?.toString() ?? null, currency: 'USD', source: 'local' },
      })),
    },
  };
}

export function inputAccepted(
  inputId: string,
  text: string,
  data: Partial<Data<'InputAccepted'>> = {},
): SessionEvent {
  return {
    type: 'InputAccepted',
    data: {
      inputId,
      delivery: 'queue',
      resume: true,
      content: [{ type: 'text', text }],
      author: 'ada',
      ...data,
    },
  };
}

export function inputDelivered(inputId: string): SessionEvent {
  return {
    type: 'InputDelivered',
    data: { inputId, runId: 'run-1', messageId: `message-of-${inputId}` },
  };
}

export function runClaimed(data: Partial<Data<'RunClaimed'>> = {}): SessionEvent {
  return {
    type: 'RunClaimed',
    data: {
      runId: 'run-1',
      epoch: 1,
      claimTokenHash: 'secret-hash',
      workerId: 'worker-7',
      kind: 'agent',
      reason: 'start',
      inputIds: [],
      leaseTtlMs: 30_000,
      ...data,
    },
  };
}

export function assistantMessage(
  messageId: string,
  text: string,
  data: Partial<Data<'AssistantMessageRecorded'>> = {},
): SessionEvent {
  return {
    type: 'AssistantMessageRecorded',
    data: {
      modelCallId: `call-of-${messageId}`,
      messageId,
      part: 0,
      final: true,
      blocks: [{ type: 'text', text }],
      ...data,
    },
  };
}

export function toolRequested(
  callId: string,
  data: Partial<Data<'ToolCallRequested'>> = {},
): SessionEvent {
  return {
    type: 'ToolCallRequested',
    data: {
      callId,
      modelCallId: 'model-call-1',
      messageId: 'message-1',
      ordinal: 0,
      tool: 'send_mail',
      manifestVersion: 1,
      effect: 'opaqueWrite',
      timing: { timeoutMs: 1, maxFlightMs: 1, keyWindowMs: 0, notFoundIsFinalAfterMs: null },
      opKey: `hf1${callId}`,
      argsHash: 'hash',
      args: { to: 'bob' },
      ...data,
    },
  };
}

export function toolStarted(callId: string): SessionEvent {
  return {
    type: 'ToolCallStarted',
    data: {
      callId,
      attempt: 1,
      epoch: 1,
      startedAt: STARTED_AT,
      dispatchBy: STARTED_AT,
      deadline: STARTED_AT,
      basis: 'first',
    },
  };
}

export function toolResult(callId: string, text: string): SessionEvent {
  return {
    type: 'ToolResultRecorded',
    data: {
      callId,
      attempt: 1,
      epoch: 1,
      status: 'completed',
      resultHash: 'hash',
      result: { isError: false, content: text },
    },
  };
}

export function toolUnknown(callId: string): SessionEvent {
  return { type: 'ToolOutcomeUnknown', data: { callId, attempt: 1, reason: 'ownerLost' } };
}

/** A message that says its own name. */
export function spoken(name: string): SessionEvent[] {
  return [inputAccepted(name, name), inputDelivered(name)];
}

/** A result that came after its owner was gone, and what it settles. */
export function late(callId: string, text: string): SessionEvent[] {
  return [
    {
      type: 'ToolLateResultReceived',
      data: {
        callId,
        attempt: 1,
        claimedEpoch: 1,
        status: 'completed',
        resultHash: 'h2',
        result: { isError: false, content: text },
        agrees: null,
      },
    },
    {
      type: 'ToolOutcomeResolved',
      data: { callId, verdict: 'completed', basis: 'lateResult' },
    },
  ];
}
