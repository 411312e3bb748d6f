import type {
  CommandOf,
  Fence,
  RequestedCall,
  SessionCommandType,
} from '../../src/domain/commands.js';
import {
  type ToolDeclaration,
  type ToolManifest,
  completeManifest,
} from '../../src/domain/tool-manifest.js';
import { SESSION } from './session-log.js';

/** Commands with sane defaults: one session, run, model call and tool call, all numbered 1. */

const START_MS = Date.parse('2026-01-05T09:00:00.000Z');

/** ISO time, so many milliseconds after the beginning of the test's world. */
export function at(ms: number): string {
  return new Date(START_MS + ms).toISOString();
}

/** What the first claim of a session is known by. */
export const FENCE: Fence = { epoch: 1, claimTokenHash: 'token-1' };
export const NO_LEASE = { live: false } as const;
export const LIVE_LEASE = { live: true, holder: 'token-1', expiresAt: at(30_000) } as const;

type Given<T extends SessionCommandType> = Partial<Omit<CommandOf<T>, 'type'>>;
type Builder<T extends SessionCommandType> = (given?: Given<T>) => CommandOf<T>;

export function tool(declaration: Partial<ToolDeclaration> = {}): ToolManifest {
  const isKeyed = declaration.effect === 'keyedWrite';
  const key = isKeyed ? { keyField: { header: 'Idempotency-Key' } } : {};
  return completeManifest({ name: 'pay', effect: 'opaqueWrite', ...key, ...declaration });
}

export const startSession: Builder<'StartSession'> = (given) => ({
  type: 'StartSession',
  commandId: given?.sessionId ?? SESSION,
  now: at(0),
  sessionId: SESSION,
  labels: {},
  profile: { name: 'agent', version: '1' },
  tools: [],
  recoveryMode: 'auto',
  ancestors: [],
  ...given,
});

export const recordFacts: Builder<'RecordFacts'> = (given) => ({
  type: 'RecordFacts',
  commandId: 'facts-1',
  now: at(0),
  facts: [{ factId: 'fact-1', kind: 'goal', text: 'Pay the invoice.' }],
  ...given,
});

export const labelSession: Builder<'LabelSession'> = (given) => ({
  type: 'LabelSession',
  commandId: 'labels-1',
  now: at(0),
  set: { project: 'apollo' },
  remove: [],
  ...given,
});

export const resumeSession: Builder<'ResumeSession'> = (given) => ({
  type: 'ResumeSession',
  commandId: 'resume-1',
  now: at(0),
  ...given,
});

export const revertSession: Builder<'RevertSession'> = (given) => ({
  type: 'RevertSession',
  commandId: 'revert-1',
  now: at(0),
  to: { sessionId: SESSION, revision: 0 },
  then: { facts: [], hidden: [] },
  unseenInputs: 'refuse',
  ...given,
});

export const clearRevert: Builder<'ClearRevert'> = (given) => ({
  type: 'ClearRevert',
  commandId: 'clear-1',
  now: at(0),
  ...given,
});

export const acceptInput: Builder<'AcceptInput'> = (given) => ({
  type: 'AcceptInput',
  commandId: given?.inputId ?? 'input-1',
  now: at(0),
  inputId: 'input-1',
  delivery: 'queue',
  resume: true,
  content: [{ type: 'text', text: 'Pay the invoice.' }],
  author: 'user-1',
  ...given,
});

export const withdrawInput: Builder<'WithdrawInput'> = (given) => ({
  type: 'WithdrawInput',
  commandId: `withdraw:${given?.inputId ?? 'input-1'}`,
  now: at(0),
  inputId: 'input-1',
  ...given,
});

export const claimRun: Builder<'ClaimRun'> = (given) => ({
  type: 'ClaimRun',
  commandId: given?.claimTokenHash ?? 'token-1',
  now: at(0),
  runId: 'run-1',
  workerId: 'worker-1',
  claimTokenHash: 'token-1',
  leaseTtlMs: 30_000,
  lease: NO_LEASE,
  kind: 'agent',
  force: false,
  messageIdOf: (inputId) => `message-of-${inputId}`,
  ...given,
});

export const completeRun: Builder<'CompleteRun'> = (given) => ({
  type: 'CompleteRun',
  commandId: `complete:${given?.runId ?? 'run-1'}`,
  now: at(0),
  fence: FENCE,
  runId: 'run-1',
  ...given,
});

export const failRun: Builder<'FailRun'> = (given) => ({
  type: 'FailRun',
  commandId: `fail:${given?.runId ?? 'run-1'}`,
  now: at(0),
  fence: FENCE,
  runId: 'run-1',
  errorClass: 'agent',
  message: 'The agent gave up.',
  ...given,
});

export const interruptRun: Builder<'InterruptRun'> = (given) => ({
  type: 'InterruptRun',
  commandId: 'interrupt-1',
  now: at(0),
  fence: FENCE,
  runId: 'run-1',
  ...given,
});

export const releaseRun: Builder<'ReleaseRun'> = (given) => ({
  type: 'ReleaseRun',
  commandId: 'release-1',
  now: at(0),
  fence: FENCE,
  runId: 'run-1',
  reason: 'waiting',
  ...given,
});

export const stopRun: Builder<'StopRun'> = (given) => ({
  type: 'StopRun',
  commandId: 'stop-1',
  now: at(0),
  runId: 'run-1',
  dropPendingInputs: false,
  lease: LIVE_LEASE,
  ...given,
});

export const confirmStopped: Builder<'ConfirmStopped'> = (given) => ({
  type: 'ConfirmStopped',
  commandId: 'stopped-1',
  now: at(0),
  runId: 'run-1',
  by: 'reconciler',
  ...given,
});

export const startModelCall: Builder<'StartModelCall'> = (given) => ({
  type: 'StartModelCall',
  commandId: given?.modelCallId ?? 'model-call-1',
  now: at(0),
  fence: FENCE,
  modelCallId: 'model-call-1',
  messageId: given?.modelCallId ? `message-${given.modelCallId}` : 'message-1',
  purpose: 'turn',
  deliver: [],
  ...given,
});

export function requestedCall(given: Partial<RequestedCall> = {}): RequestedCall {
  const callId = given.callId ?? 'call-1';
  const manifest = given.manifest ?? tool();
  return {
    callId,
    ordinal: 0,
    tool: manifest.name,
    manifest,
    opKey: `key-of-${callId}`,
    argsHash: `args-of-${callId}`,
    args: { amount: 100 },
    ...given,
  };
}

export const recordAssistantMessage: Builder<'RecordAssistantMessage'> = (given) => ({
  type: 'RecordAssistantMessage',
  commandId: `message:${given?.modelCallId ?? 'model-call-1'}:${given?.part ?? 0}`,
  now: at(0),
  fence: FENCE,
  modelCallId: 'model-call-1',
  part: 0,
  final: true,
  blocks: [{ type: 'text', text: 'On it.' }],
  calls: [],
  ...given,
});

export const settleModelCall: Builder<'SettleModelCall'> = (given) => ({
  type: 'SettleModelCall',
  commandId: `settle:${given?.modelCallId ?? 'model-call-1'}`,
  now: at(0),
  fence: FENCE,
  modelCallId: 'model-call-1',
  outcome: 'completed',
  providerReached: 'yes',
  callKey: 'provider-request-1',
  further: [],
  ...given,
});

export const startToolCall: Builder<'StartToolCall'> = (given) => ({
  type: 'StartToolCall',
  commandId: `start:${given?.callId ?? 'call-1'}:${given?.attempt ?? 1}`,
  now: at(0),
  fence: FENCE,
  callId: 'call-1',
  attempt: 1,
  timeoutMs: 60_000,
  ...given,
});

export const recordToolProgress: Builder<'RecordToolProgress'> = (given) => ({
  type: 'RecordToolProgress',
  commandId: 'progress-1',
  now: at(0),
  fence: FENCE,
  callId: 'call-1',
  attempt: 1,
  externalRef: 'ticket-1',
  ...given,
});

export const recordToolResult: Builder<'RecordToolResult'> = (given) => ({
  type: 'RecordToolResult',
  commandId: `result:${given?.callId ?? 'call-1'}:${given?.attempt ?? 1}`,
  now: at(0),
  fence: FENCE,
  callId: 'call-1',
  attempt: 1,
  status: 'completed',
  resultHash: 'hash-1',
  result: { isError: false, content: 'paid' },
  ...given,
});

export const reportToolUnknown: Builder<'ReportToolUnknown'> = (given) => ({
  type: 'ReportToolUnknown',
  commandId: 'unknown-1',
  now: at(0),
  fence: FENCE,
  callId: 'call-1',
  attempt: 1,
  reason: 'transport',
  ...given,
});

export const skipToolCall: Builder<'SkipToolCall'> = (given) => ({
  type: 'SkipToolCall',
  commandId: 'skip-1',
  now: at(0),
  fence: FENCE,
  callId: 'call-1',
  reason: 'denied',
  ...given,
});
