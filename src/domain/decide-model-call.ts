import type { CommandOf, RequestedCall } from './commands.js';
import { approvalRequested } from './decide-approval.js';
import type { SessionEvent } from './events.js';
import { callIn, openRun, ownedRun, refuseForeignId } from './guards.js';
import { refuseUnsettledCalls, waitingCalls } from './decide-run.js';
import type { Past } from './past.js';
import { quarantine } from './quarantine.js';
import { Rejection } from './rejection.js';
import type { RunState } from './run-state.js';
import {
  type CallState,
  type SessionState,
  callsOf,
  isImportedUnknown,
  isUnresolved,
} from './state.js';

export const MODEL_CALLS_PER_RUN_MAX = 200;
export const OPEN_CALLS_MAX = 64;
export const CALLS_PER_MESSAGE_MAX = 128;

/**
 * Nothing goes to a model before this is durable, and not before every automatic step for the
 * run's earlier calls has been taken (protocol, §8.1).
 */
export function startModelCall(
  command: CommandOf<'StartModelCall'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const run = ownedRun(state, command.fence);
  refuseForeignId(command.modelCallId, 'modelCall', past);
  refuseForeignId(command.messageId, 'message', past);
  if (state.modelCall !== undefined) {
    throw new Rejection('invalid_state', `model call ${state.modelCall.modelCallId} is open`, {
      modelCallId: state.modelCall.modelCallId,
    });
  }
  if (run.kind === 'compensation') {
    throw new Rejection('invalid_state', 'this run only undoes a call: complete it');
  }
  if (command.purpose === 'turn') refuseUnsettled(state, run);
  if (run.modelCalls >= MODEL_CALLS_PER_RUN_MAX) {
    return quarantine(state, run, 'modelCalls', { modelCalls: run.modelCalls }, command.now);
  }
  if (command.budget?.kind === 'refused') throw command.budget.rejection;
  return [...deliveries(command, state, run), started(command, state, run)];
}

function refuseUnsettled(state: SessionState, run: RunState): void {
  refuseUnsettledCalls(callsOf(state).filter((call) => call.runId === run.runId));
  const undone = callsOf(state).filter(({ status }) => status === 'compensating');
  if (undone.length > 0) throw waitingCalls('calls are being undone', undone);
}

function deliveries(
  command: CommandOf<'StartModelCall'>,
  state: SessionState,
  run: RunState,
): readonly SessionEvent[] {
  return command.deliver.map(({ inputId, messageId }): SessionEvent => {
    if (!state.pendingInputs.some((input) => input.inputId === inputId)) {
      throw new Rejection(
        'context_stale',
        `input ${inputId} is not waiting any more; build the context again`,
        { inputId },
      );
    }
    return { type: 'InputDelivered', data: { inputId, runId: run.runId, messageId } };
  });
}

function started(
  command: CommandOf<'StartModelCall'>,
  state: SessionState,
  run: RunState,
): SessionEvent {
  const inputRevision = command.inputRevision ?? state.revision;
  if (inputRevision > state.revision) {
    throw new Rejection('invalid_request', `inputRevision is ahead of the session's revision`, {
      inputRevision,
      revision: state.revision,
    });
  }
  return {
    type: 'ModelCallStarted',
    data: {
      modelCallId: command.modelCallId,
      messageId: command.messageId,
      runId: run.runId,
      epoch: run.epoch,
      purpose: command.purpose,
      inputRevision,
      contextId: command.contextId,
      provider: command.provider,
      requestedModel: command.requestedModel,
      requestedTier: command.requestedTier,
      startedAt: command.now,
      timeoutMs: command.timeoutMs,
      estimatedTokens: command.estimatedTokens,
      reservation: command.budget?.kind === 'reserved' ? command.budget.reservation : undefined,
    },
  };
}

/** Finished blocks and the calls in them, in one append. */
export function recordAssistantMessage(
  command: CommandOf<'RecordAssistantMessage'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  openRun(state, command.fence);
  const open = state.modelCall;
  if (open?.modelCallId !== command.modelCallId) {
    throw new Rejection('not_found', `model call ${command.modelCallId} is not open`, {
      openModelCall: open?.modelCallId,
    });
  }
  if (open.messageFinal) {
    throw new Rejection('invalid_state', `the message of this model call is complete`, {
      messageId: open.messageId,
    });
  }
  if (command.part !== open.partsRecorded) {
    throw new Rejection('invalid_request', `part ${open.partsRecorded} comes next`, {
      nextPart: open.partsRecorded,
    });
  }
  refuseTooManyCalls(command, state, open.callsRecorded);
  const { modelCallId, part, final, provider, api, model, blocks, artifact } = command;
  const message: SessionEvent = {
    type: 'AssistantMessageRecorded',
    data: {
      modelCallId,
      messageId: open.messageId,
      part,
      final,
      provider: provider ?? open.provider,
      api,
      model: model ?? open.requestedModel,
      blocks,
      artifact,
    },
  };
  const calls = command.calls.flatMap((call) => requested(call, state, past, command.now));
  return [message, ...calls];
}

function refuseTooManyCalls(
  command: CommandOf<'RecordAssistantMessage'>,
  state: SessionState,
  recorded: number,
): void {
  const open = callsOf(state).filter(
    (call) => isUnresolved(call) && !isImportedUnknown(call),
  ).length;
  if (open + command.calls.length > OPEN_CALLS_MAX) {
    throw new Rejection('limit_exceeded', `at most ${OPEN_CALLS_MAX} calls can be open`, {
      limit: 'openCallsMax',
      open,
    });
  }
  if (new Set(command.calls.map((call) => call.callId)).size < command.calls.length) {
    throw new Rejection('tool_call_conflict', 'two calls of this message have the same id');
  }
  if (recorded + command.calls.length > CALLS_PER_MESSAGE_MAX) {
    throw new Rejection('limit_exceeded', `a message has at most ${CALLS_PER_MESSAGE_MAX} calls`, {
      limit: 'callsPerMessageMax',
    });
  }
}

function requested(
  call: RequestedCall,
  state: SessionState,
  past: Past,
  now: string,
): readonly SessionEvent[] {
  const open = state.modelCall!;
  const known = callIn(state, call.callId, past);
  if (known !== undefined) {
    throw new Rejection('tool_call_conflict', `tool call ${call.callId} exists already`, {
      callId: call.callId,
    });
  }
  const { manifest } = call;
  const request: SessionEvent = {
    type: 'ToolCallRequested',
    data: {
      callId: call.callId,
      runId: open.runId,
      modelCallId: open.modelCallId,
      messageId: open.messageId,
      ordinal: call.ordinal,
      providerCallId: call.providerCallId,
      tool: call.tool,
      manifestVersion: manifest.version,
      manifest: call.registered === true ? manifest : undefined,
      effect: manifest.effect,
      timing: {
        timeoutMs: manifest.timeoutMs,
        maxFlightMs: manifest.maxFlightMs,
        keyWindowMs: manifest.keyWindowMs,
        notFoundIsFinalAfterMs: manifest.notFoundIsFinalAfterMs,
      },
      opKey: call.opKey,
      argsHash: call.argsHash,
      ...(manifest.compensateWhenRunFails === true ? { undoWhenRunFails: true } : {}),
      args: call.args,
      argsText: call.argsText,
      argsArtifact: call.argsArtifact,
    },
  };
  const twin = manifest.twinGuard ? unresolvedTwin(call, state) : undefined;
  if (twin === undefined) return [request, ...approvalRequested(call.callId, manifest, now)];
  return [
    request,
    {
      type: 'ToolCallSkipped',
      data: { callId: call.callId, reason: 'unresolvedTwin', twinOf: twin.callId },
    },
  ];
}

/**
 * The model asked again without knowing the first outcome: to hold the call back until it is known
 * would double the effect, so it is skipped in the append that requests it (protocol, §9.4).
 */
function unresolvedTwin(call: RequestedCall, state: SessionState): CallState | undefined {
  return callsOf(state).find(
    (other) =>
      other.messageId !== state.modelCall!.messageId &&
      other.status !== 'requested' &&
      isUnresolved(other) &&
      other.tool === call.tool &&
      other.argsHash === call.argsHash,
  );
}

/** Exactly once per provider request: outcome, usage and cost. */
export function settleModelCall(
  command: CommandOf<'SettleModelCall'>,
  state: SessionState,
): readonly SessionEvent[] {
  openRun(state, command.fence);
  const open = state.modelCall;
  if (open?.modelCallId !== command.modelCallId) {
    throw new Rejection('not_found', `model call ${command.modelCallId} is not open`, {
      openModelCall: open?.modelCallId,
    });
  }
  return [
    {
      type: 'ModelCallSettled',
      data: {
        modelCallId: open.modelCallId,
        outcome: command.outcome,
        providerReached: command.providerReached,
        purpose: open.purpose,
        runId: open.runId,
        callKey: command.callKey,
        provider: open.provider,
        responseId: command.responseId,
        requestedModel: open.requestedModel,
        requestedTier: open.requestedTier,
        responseModel: command.responseModel,
        servedTier: command.servedTier,
        speed: command.speed,
        region: command.region,
        startedAt: open.startedAt,
        endedAt: command.now,
        usage: command.usage,
        cost: command.cost,
        error: command.error,
        reservation: open.reservation,
      },
    },
    ...command.further.map((call): SessionEvent => ({
      type: 'ModelCallSettled',
      data: {
        ...call,
        outcome: 'completed',
        providerReached: 'yes',
        runId: open.runId,
        provider: open.provider,
        requestedTier: open.requestedTier,
        startedAt: open.startedAt,
        endedAt: command.now,
        reservation: open.reservation,
      },
    })),
  ];
}
