import type { CommandOf, SessionCommandType } from '../../src/domain/commands.js';
import { FENCE, at } from './commands.js';
import { SESSION } from './session-log.js';

/** Commands that settle calls without owning the session, and compactions; sane defaults. */

type Given<T extends SessionCommandType> = Partial<Omit<CommandOf<T>, 'type'>>;
type Builder<T extends SessionCommandType> = (given?: Given<T>) => CommandOf<T>;

export const reportLateResult: Builder<'ReportLateResult'> = (given) => ({
  type: 'ReportLateResult',
  commandId: `late:${given?.callId ?? 'call-1'}:${given?.attempt ?? 1}:${given?.resultHash ?? ''}`,
  now: at(0),
  callId: 'call-1',
  attempt: 1,
  claimedEpoch: 1,
  status: 'completed',
  resultHash: 'hash-1',
  result: { isError: false, content: 'paid' },
  ...given,
});

/** Sent when "not found" is final for an attempt that started at the beginning. */
export const recordProbe: Builder<'RecordProbe'> = (given) => ({
  type: 'RecordProbe',
  commandId: 'probe-1',
  now: at(120_000),
  callId: 'call-1',
  source: 'http',
  requestedAt: at(120_000),
  answer: 'found',
  evidence: { method: 'GET', target: 'https://target.test/orders/1', observedAt: at(120_000) },
  ...given,
});

/** Confirmed at the moment it was sent. */
export const recordVoid: Builder<'RecordVoid'> = (given) => ({
  type: 'RecordVoid',
  commandId: 'void-1',
  now: at(0),
  callId: 'call-1',
  requestedAt: at(0),
  voided: true,
  ...given,
  evidence: {
    method: 'POST',
    target: 'https://target.test/orders/1/void',
    statusCode: 200,
    observedAt: given?.requestedAt ?? at(0),
  },
});

export const decideApproval: Builder<'DecideApproval'> = (given) => ({
  type: 'DecideApproval',
  commandId: 'approval-1',
  now: at(0),
  callId: 'call-1',
  decision: 'allow',
  ...given,
});

export const lowerToolCall: Builder<'LowerToolCall'> = (given) => ({
  type: 'LowerToolCall',
  commandId: 'lower-1',
  now: at(0),
  callId: 'call-1',
  ...given,
});

export const decideEscalation: Builder<'DecideEscalation'> = (given) => ({
  type: 'DecideEscalation',
  commandId: 'decision-1',
  now: at(0),
  callId: 'call-1',
  decision: 'applied',
  ...given,
});

export const reconcileCall: Builder<'ReconcileCall'> = (given) => ({
  type: 'ReconcileCall',
  commandId: 'reconcile-1',
  now: at(0),
  callId: 'call-1',
  escalationId: 'escalation-1',
  ...given,
});

function position(revision: number) {
  return { sessionId: SESSION, revision };
}

export const startCompaction: Builder<'StartCompaction'> = (given) => ({
  type: 'StartCompaction',
  commandId: given?.compactionId ?? 'compaction-1',
  now: at(0),
  fence: FENCE,
  compactionId: 'compaction-1',
  coveredFrom: position(0),
  coveredTo: position(3),
  keptFrom: position(4),
  trigger: 'auto',
  tokensBefore: 1_000,
  ...given,
});

export const commitCompaction: Builder<'CommitCompaction'> = (given) => ({
  type: 'CommitCompaction',
  commandId: `commit:${given?.compactionId ?? 'compaction-1'}`,
  now: at(0),
  fence: FENCE,
  compactionId: 'compaction-1',
  summary: 'The user wants the invoice paid.',
  openCalls: [],
  tokensAfter: 400,
  trigger: 'auto',
  ...given,
});

export const failCompaction: Builder<'FailCompaction'> = (given) => ({
  type: 'FailCompaction',
  commandId: 'fail-compaction-1',
  now: at(0),
  fence: FENCE,
  compactionId: 'compaction-1',
  ...given,
});
