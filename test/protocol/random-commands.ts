import fc from 'fast-check';
import type { Fence, SessionCommand, SessionCommandType } from '../../src/domain/commands.js';
import type { SessionState } from '../../src/domain/state.js';
import { at } from '../support/commands.js';
import * as make from '../support/commands.js';
import * as usages from '../support/usage-commands.js';
import * as settle from '../support/settling-commands.js';
import { TOOLS } from './world-tools.js';

/** How often a kind of command is tried; what moves a session on is tried more often. */
const WEIGHTS: Readonly<
  Record<Exclude<SessionCommandType, 'StartSession' | 'EraseSession' | 'CompleteErasure'>, number>
> = {
  AcceptInput: 4,
  ClaimRun: 6,
  StartModelCall: 8,
  RecordAssistantMessage: 10,
  SettleModelCall: 6,
  ReportModelUsage: 2,
  RepriceCalls: 1,
  StartToolCall: 12,
  RecordToolResult: 8,
  ReportLateResult: 6,
  ReconcileCall: 8,
  RecordProbe: 4,
  RecordVoid: 1,
  LowerToolCall: 1,
  DecideApproval: 2,
  DecideEscalation: 4,
  ReportToolUnknown: 4,
  RecordToolProgress: 1,
  SkipToolCall: 1,
  CompleteRun: 3,
  FailRun: 1,
  InterruptRun: 1,
  ReleaseRun: 1,
  StopRun: 1,
  ConfirmStopped: 2,
  QuarantineIdleRun: 1,
  ResumeSession: 2,
  ChangeDelivery: 1,
  WithdrawInput: 1,
  RecordFacts: 1,
  LabelSession: 1,
  RevertSession: 2,
  ClearRevert: 1,
  StartCompaction: 1,
  CommitCompaction: 1,
  FailCompaction: 1,
  ForkSession: 1,
  RecordInheritedOutcome: 1,
};

export interface Recipe {
  readonly type: keyof typeof WEIGHTS;
  /** Which of a small pool of ids; 0 mostly means "what is open now". */
  readonly pick: number;
  readonly choice: number;
  readonly fence: 'current' | 'stale' | 'foreign';
  readonly passMs: number;
}

export const recipeArbitrary: fc.Arbitrary<Recipe> = fc.record({
  type: fc.oneof(
    ...(Object.keys(WEIGHTS) as Recipe['type'][]).map((type) => ({
      weight: WEIGHTS[type],
      arbitrary: fc.constant(type),
    })),
  ),
  pick: fc.nat({ max: 5 }),
  choice: fc.nat({ max: 7 }),
  fence: fc.oneof(
    { weight: 12, arbitrary: fc.constant('current' as const) },
    { weight: 1, arbitrary: fc.constant('stale' as const) },
    { weight: 1, arbitrary: fc.constant('foreign' as const) },
  ),
  passMs: fc.constantFrom(0, 0, 10, 1_000, 6_000, 30_000, 70_000, 700_000),
});

/** A command for the session as it is, made of the recipe; ids come from small pools. */
export function commandOf(recipe: Recipe, state: SessionState, nowMs: number): SessionCommand {
  const { type, pick, choice } = recipe;
  const now = at(nowMs);
  const runId = pick < 4 ? (state.run?.runId ?? `run-${pick}`) : `run-${pick}`;
  const owned = { now, fence: fenceOf(recipe, state), commandId: `${type}-${nowMs}-${pick}` };
  const modelCallId = pick < 5 ? (state.modelCall?.modelCallId ?? 'none') : 'model-call-none';
  const call = Object.values(state.calls)[pick % Math.max(1, Object.keys(state.calls).length)];
  const callId = call?.callId ?? `message-${pick}:0`;
  const attempt = choice === 7 ? pick : (call?.attempts.at(-1)?.attempt ?? 1);
  const ofCall = { ...owned, callId, attempt };
  const settling = { now, callId, commandId: owned.commandId };
  const inputId = state.pendingInputs[pick]?.inputId ?? `input-${pick}-${choice}`;
  switch (type) {
    case 'AcceptInput':
      return make.acceptInput({
        now,
        inputId: `input-${pick}-${choice}`,
        commandId: choice === 7 ? `key-${pick}` : `input-${pick}-${choice}`,
        delivery: choice % 2 === 0 ? 'steer' : 'queue',
        resume: choice !== 3,
      });
    case 'ChangeDelivery':
      return { type, now, commandId: `deliver-${nowMs}`, inputId, delivery: 'steer' };
    case 'WithdrawInput':
      return make.withdrawInput({ now, inputId });
    case 'RecordFacts':
      return make.recordFacts({
        now,
        commandId: `facts-${nowMs}`,
        facts: [{ factId: `fact-${pick}`, kind: 'note', text: 'x', retired: choice === 0 }],
      });
    case 'LabelSession':
      return make.labelSession({
        now,
        commandId: `labels-${nowMs}`,
        set: choice < 4 ? { [`label-${pick}`]: `value-${choice}` } : {},
        remove: choice < 4 ? [] : [`label-${pick}`],
      });
    case 'ResumeSession':
      return make.resumeSession({ now, commandId: `resume-${nowMs}` });
    case 'RevertSession':
      return make.revertSession({
        now,
        commandId: `revert-${nowMs}`,
        to: { sessionId: state.sessionId, revision: Math.max(0, state.revision - pick * 4) },
        unseenInputs: choice === 0 ? 'drop' : choice === 1 ? 'keep' : 'refuse',
      });
    case 'ClearRevert': {
      const revertedAt = pick < 4 ? (state.revert?.revision ?? pick) : pick;
      const before = { revertedAt, shown: { facts: [], hidden: [] } };
      return make.clearRevert({ now, commandId: `clear-${nowMs}`, before });
    }
    case 'ClaimRun':
      return make.claimRun({
        now,
        runId: state.run?.runId ?? `run-${pick}-${choice}`,
        claimTokenHash: `token-${nowMs}`,
        lease: { live: choice < 3 },
        kind: choice === 7 ? 'compaction' : 'agent',
        force: choice === 2,
      });
    case 'CompleteRun':
      return make.completeRun({ ...owned, runId });
    case 'FailRun':
      return make.failRun({ ...owned, runId });
    case 'InterruptRun':
      return make.interruptRun({ ...owned, runId });
    case 'ReleaseRun':
      return make.releaseRun({ ...owned, runId });
    case 'StopRun':
      return make.stopRun({
        now,
        runId,
        commandId: `stop-${nowMs}`,
        dropPendingInputs: choice === 0,
        lease: { live: choice > 2 },
      });
    case 'ConfirmStopped':
      return make.confirmStopped({ now, runId, commandId: `stopped-${nowMs}` });
    case 'QuarantineIdleRun':
      return {
        type,
        now,
        commandId: `idle-${nowMs}`,
        runId,
        ownerRevision: state.ownerRevision - (choice === 0 ? 1 : 0),
        idleMs: 300_000,
      };
    case 'StartModelCall':
      return make.startModelCall({
        ...owned,
        commandId: `model-call-${pick}-${nowMs}`,
        modelCallId: `model-call-${pick}-${nowMs}`,
        messageId: `message-${pick}-${nowMs}`,
        purpose: choice === 0 ? 'title' : 'turn',
        deliver: state.pendingInputs
          .filter((input) => input.delivery === 'steer' && choice % 2 === 0)
          .map(({ inputId }) => ({ inputId, messageId: `message-of-${inputId}` })),
      });
    case 'RecordAssistantMessage':
      return make.recordAssistantMessage({
        ...owned,
        modelCallId,
        part: choice === 7 ? pick : (state.modelCall?.partsRecorded ?? 0),
        final: choice % 4 !== 0,
        calls: requestedCalls(recipe, state),
      });
    case 'SettleModelCall':
      return make.settleModelCall({ ...owned, modelCallId });
    case 'ReportModelUsage':
      return usages.reportModelUsage({
        now,
        modelCallId: choice < 4 ? `model-call-${pick}` : modelCallId,
        commandId: `usage-${nowMs}`,
        usage: usages.usage({ outputText: choice }, choice % 2 === 0 ? 'final' : 'partial'),
      });
    case 'RepriceCalls':
      return usages.repriceCalls({ now, commandId: `reprice-${nowMs}` });
    case 'StartToolCall':
      return make.startToolCall({
        ...ofCall,
        attempt: choice === 7 ? pick : (call?.retry?.nextAttempt ?? attempt),
      });
    case 'RecordToolProgress':
      return make.recordToolProgress(ofCall);
    case 'RecordToolResult':
      return make.recordToolResult({ ...ofCall, ...answer(recipe) });
    case 'ReportToolUnknown':
      return make.reportToolUnknown(ofCall);
    case 'SkipToolCall':
      return make.skipToolCall(ofCall);
    case 'ReportLateResult':
      return settle.reportLateResult({
        now,
        callId,
        attempt: Math.max(1, choice % 2 === 0 ? attempt : pick),
        commandId: `late-${nowMs}`,
        ...answer(recipe),
      });
    case 'RecordInheritedOutcome': {
      const outcome = { callId, originSessionId: 'origin', originRevision: pick };
      return {
        type,
        now,
        commandId: `inherited-${nowMs}`,
        callId,
        outcome: { ...outcome, state: 'applied' },
      };
    }
    case 'RecordProbe':
      return settle.recordProbe({
        now,
        callId,
        commandId: `probe-${nowMs}`,
        requestedAt: at(nowMs - choice * 1_000),
        source: pick === 0 ? 'operator' : 'http',
        answer: (['found', 'notFound', 'notFound', 'inProgress', 'unclear'] as const)[choice % 5]!,
      });
    case 'DecideApproval':
      return settle.decideApproval({ ...settling, decision: choice < 5 ? 'allow' : 'deny' });
    case 'LowerToolCall':
      return settle.lowerToolCall({ now, commandId: `lower-${nowMs}`, callId });
    case 'RecordVoid':
      return settle.recordVoid({ ...settling, requestedAt: now, voided: choice < 6 });
    case 'DecideEscalation':
      return settle.decideEscalation({
        now,
        callId,
        commandId: `decision-${nowMs}`,
        decision: (['applied', 'notApplied', 'retry', 'abandon'] as const)[choice % 4]!,
      });
    case 'ReconcileCall':
      return settle.reconcileCall({ ...settling, escalationId: `escalation-${nowMs}` });
    case 'StartCompaction':
      return settle.startCompaction({ ...owned, compactionId: `compaction-${nowMs}` });
    case 'CommitCompaction':
    case 'FailCompaction': {
      const compactionId = state.compaction?.compactionId ?? 'none';
      const fields = { ...owned, compactionId };
      return type === 'FailCompaction'
        ? settle.failCompaction(fields)
        : settle.commitCompaction({ ...fields, tokensAfter: choice * 200 });
    }
    case 'ForkSession':
      return { type, commandId: `fork-${nowMs}`, now, forked: {} as never };
  }
}

function fenceOf({ fence }: Recipe, state: SessionState): Fence {
  const claimTokenHash = state.run?.claimTokenHash ?? 'token-none';
  if (fence === 'stale') return { epoch: state.epoch - 1, claimTokenHash };
  if (fence === 'foreign') return { epoch: state.epoch, claimTokenHash: 'token-of-another' };
  return { epoch: state.epoch, claimTokenHash };
}

function requestedCalls({ pick, choice }: Recipe, state: SessionState) {
  const open = state.modelCall;
  return Array.from({ length: choice % 4 }, (_, index) => {
    const ordinal = (open?.callsRecorded ?? 0) + index;
    return make.requestedCall({
      callId: `${open?.messageId}:${ordinal}`,
      ordinal,
      manifest: TOOLS[(pick + index) % TOOLS.length]!,
      argsHash: `args-${pick % 3}`,
    });
  });
}

function answer({ pick, choice }: Recipe) {
  return {
    status: choice % 3 === 0 ? ('noEffect' as const) : ('completed' as const),
    scope: choice % 2 === 0 ? ('attempt' as const) : ('operation' as const),
    resultHash: `hash-${pick % 2}`,
  };
}
