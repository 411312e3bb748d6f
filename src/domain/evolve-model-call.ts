import type { AssistantBlock } from './content.js';
import type { EventOf } from './events.js';
import type { CompactionEvents } from './events/compaction-events.js';
import type { ModelEvents } from './events/model-events.js';
import type { StreamPosition } from './events/positions.js';
import { settledProgress } from './evolve-run.js';
import { type CallState, type SessionState, isOpen } from './state.js';
import { inputTokens, outputTokens } from './usage.js';
import { own } from './own.js';

/** The place of the event that is being folded in. */
export function here(state: SessionState): StreamPosition {
  return { sessionId: state.sessionId, revision: state.revision };
}

export function evolveModelCall(state: SessionState, event: ModelEvents): SessionState {
  switch (event.type) {
    case 'ModelCallStarted':
      return modelCallStarted(state, event.data);
    case 'AssistantMessageRecorded':
      return messageRecorded(state, event.data);
    case 'ModelCallSettled':
      return modelCallSettled(state, event.data);
    case 'ModelUsageReported':
    case 'CallsRepriced':
      return state;
  }
}

function modelCallStarted(
  state: SessionState,
  data: EventOf<'ModelCallStarted'>['data'],
): SessionState {
  return {
    ...state,
    modelCall: {
      modelCallId: data.modelCallId,
      messageId: data.messageId,
      runId: data.runId,
      purpose: data.purpose,
      startedAt: data.startedAt,
      timeoutMs: data.timeoutMs,
      provider: data.provider,
      requestedModel: data.requestedModel,
      requestedTier: data.requestedTier,
      estimatedTokens: data.estimatedTokens,
      reservation: data.reservation,
      partsRecorded: 0,
      messageFinal: false,
      callsRecorded: 0,
      outputCharacters: 0,
    },
    run: state.run && { ...state.run, modelCalls: state.run.modelCalls + 1 },
    calls: data.purpose === 'turn' ? keptOf(state.calls, data.runId) : state.calls,
    compactedSinceModelCall: data.purpose === 'turn' ? false : state.compactedSinceModelCall,
    counters: { ...state.counters, modelCalls: state.counters.modelCalls + 1 },
  };
}

/** The next model call has begun: what is settled is at rest, and found by its key from then on. */
function keptOf(calls: SessionState['calls'], runId: string): SessionState['calls'] {
  return Object.fromEntries(
    Object.entries(calls).filter(
      ([, call]) => isOpen(call) || mayOweUndo(call, runId) || mayBeOrderedAgain(call, calls),
    ),
  );
}

/** What it undoes is still open: ordered again it is the same call, with its next attempt. */
function mayBeOrderedAgain({ compensates }: CallState, calls: SessionState['calls']): boolean {
  const undone = own(calls, compensates ?? '');
  return undone !== undefined && isOpen(undone);
}

/** Its run may still fail, and then it is to be undone. */
export function mayOweUndo(call: CallState, runId: string | undefined): boolean {
  const hadEffect = call.status === 'completed' || call.status === 'applied';
  return call.undoWhenRunFails === true && call.runId === runId && hadEffect;
}

function messageRecorded(
  state: SessionState,
  data: EventOf<'AssistantMessageRecorded'>['data'],
): SessionState {
  const counters =
    data.part === 0
      ? { ...state.counters, assistantMessages: state.counters.assistantMessages + 1 }
      : state.counters;
  const open = state.modelCall;
  const isRead = open === undefined || open.purpose === 'turn';
  const counted = { ...state, counters, unseenInputs: isRead ? [] : state.unseenInputs };
  if (open?.modelCallId !== data.modelCallId) return counted;
  const recorded = {
    ...counted,
    modelCall: {
      ...open,
      partsRecorded: data.part + 1,
      messageFinal: data.final,
      outputCharacters: open.outputCharacters + textCharacters(data.blocks),
    },
  };
  return data.final ? settledProgress(recorded) : recorded;
}

/** Of what the model said in plain words: what its reported output tokens can be judged by. */
export function textCharacters(blocks: readonly AssistantBlock[]): number {
  let characters = 0;
  for (const block of blocks) if (block.type === 'text') characters += block.text.length;
  return characters;
}

function modelCallSettled(
  state: SessionState,
  data: EventOf<'ModelCallSettled'>['data'],
): SessionState {
  const modelCall = state.modelCall?.modelCallId === data.modelCallId ? undefined : state.modelCall;
  const anchored = data.purpose === 'turn' && data.usage?.state === 'final';
  const usageAnchor = anchored
    ? {
        revision: state.revision,
        model: data.responseModel ?? data.requestedModel,
        inputTokens: inputTokens(data.usage!),
        outputTokens: outputTokens(data.usage!),
      }
    : state.usageAnchor;
  const counted = anchored ? inputTokens(data.usage!) : undefined;
  const underestimates = underestimatesAfter(state, data, counted);
  const isRead = data.purpose === 'turn' && data.outcome !== 'notSent';
  const unseenInputs = isRead ? [] : state.unseenInputs;
  return { ...state, modelCall, usageAnchor, underestimates, unseenInputs };
}

/** The newest that were found short; a session does not ask more models than these in turn. */
const UNDERESTIMATED_MODELS_MAX = 16;

/** What the provider counts over the estimate is added to later ones (provider rules, §12). */
function underestimatesAfter(
  { modelCall, underestimates }: SessionState,
  { modelCallId, requestedModel, responseModel }: EventOf<'ModelCallSettled'>['data'],
  countedTokens: number | undefined,
): SessionState['underestimates'] {
  const model = requestedModel ?? responseModel;
  const estimated = modelCall?.modelCallId === modelCallId ? modelCall.estimatedTokens : undefined;
  if (model === undefined || countedTokens === undefined || estimated === undefined) {
    return underestimates;
  }
  if (countedTokens <= estimated) return underestimates;
  const others = Object.entries(underestimates).filter(([name]) => name !== model);
  const before = own(underestimates, model) ?? 0;
  const all = [...others, [model, before + countedTokens - estimated] as const];
  return Object.fromEntries(all.slice(-UNDERESTIMATED_MODELS_MAX));
}

export function countCall(state: SessionState): SessionState {
  const modelCall = state.modelCall && {
    ...state.modelCall,
    callsRecorded: state.modelCall.callsRecorded + 1,
  };
  const counters = { ...state.counters, toolCalls: state.counters.toolCalls + 1 };
  return { ...state, modelCall, counters };
}

export function evolveCompaction(state: SessionState, event: CompactionEvents): SessionState {
  switch (event.type) {
    case 'CompactionStarted': {
      const { compactionId, coveredFrom, coveredTo, keptFrom, tokensBefore } = event.data;
      return {
        ...state,
        compaction: { compactionId, coveredFrom, coveredTo, keptFrom, tokensBefore },
      };
    }
    case 'Compacted':
      return settledProgress({
        ...state,
        compaction: undefined,
        compactedSinceModelCall: true,
        usageAnchor: undefined,
        watermark: {
          compactionId: event.data.compactionId,
          at: here(state),
          keptFrom: event.data.keptFrom,
        },
        counters: { ...state.counters, compactions: state.counters.compactions + 1 },
      });
    case 'CompactionFailed':
      return { ...state, compaction: undefined };
  }
}
