import type { AssistantBlock, Json } from '../../domain/content.js';
import type { EventOf, SessionEvent } from '../../domain/events.js';
import { manifestOf } from '../../domain/tool-manifest.js';
import { type Usage, betterUsage, unknownUsage } from '../../domain/usage.js';
import { derivedId, operationKey, toolCallId } from '../../identity/derived-ids.js';
import type { PriceCards } from '../../pricing/card-index.js';
import { callKeyOfClaudeCode, callKeyOfIteration } from '../../usage/call-key.js';
import type { KnownSession } from '../known-session.js';
import type { SessionContent } from '../session-content.js';
import { type Answer, type PricedCall, pricedCalls, providerOf } from './answer-usage.js';
import type { NamedCall } from './assistant-line.js';
import { answerBlock } from './line-content.js';
import type { LineUnit } from './line-units.js';
import { isObject } from './log-line.js';
import { IMPORTED_EPOCH } from '../imported-epoch.js';

type AnswerUnit = Extract<LineUnit, { kind: 'answer' }>;

export interface AnswerContext {
  readonly known: KnownSession;
  readonly content: SessionContent;
  readonly cards: PriceCards;
  readonly answer: Answer;
  readonly runId: string;
  /** ISO 8601, of the line. */
  readonly time: string;
  /** No later line of the file belongs to this answer. */
  readonly isLast: boolean;
  readonly isDenied: (providerId: string) => boolean;
}

const plainId = /^[\w.:@/#-]{1,128}$/;

/** The log's own id of the message where it can be one of ours. */
export function messageIdOf(sessionId: string, answer: string): string {
  return plainId.test(answer) ? answer : derivedId('imported-message', sessionId, answer);
}

export function modelCallIdOf(sessionId: string, messageId: string): string {
  return derivedId('imported-model-call', sessionId, messageId);
}

/**
 * The events of one line of an answer. `seen` is the revision of the event before them: what the
 * model had read when the call began.
 */
export async function answerEvents(
  unit: AnswerUnit,
  context: AnswerContext,
  seen: number,
): Promise<readonly SessionEvent[]> {
  const { known, answer, isLast } = context;
  const { sessionId } = known.state;
  const messageId = messageIdOf(sessionId, unit.answer);
  const modelCallId = modelCallIdOf(sessionId, messageId);
  const events: SessionEvent[] = [];
  if (!known.messages.has(messageId)) {
    events.push(callStarted(context, messageId, modelCallId, seen));
  }
  const { blocks, calls } = await readBlocks(unit, context, messageId, modelCallId);
  if (blocks.length > 0 || unit.blocks.length === 0) {
    events.push({
      type: 'AssistantMessageRecorded',
      data: {
        modelCallId,
        messageId,
        part: known.messages.get(messageId)?.parts ?? 0,
        final: isLast,
        provider: providerOf(answer.model),
        model: answer.model,
        blocks,
      },
    });
  }
  events.push(...calls);
  if (isLast) events.push(...settled(context, modelCallId));
  return events;
}

function callStarted(
  { answer, runId, time }: AnswerContext,
  messageId: string,
  modelCallId: string,
  seen: number,
): SessionEvent {
  return {
    type: 'ModelCallStarted',
    data: {
      modelCallId,
      messageId,
      runId,
      epoch: IMPORTED_EPOCH,
      purpose: 'turn',
      inputRevision: seen,
      provider: providerOf(answer.model),
      requestedModel: answer.model,
      startedAt: answer.firstTime ?? time,
    },
  };
}

async function readBlocks(
  unit: AnswerUnit,
  context: AnswerContext,
  messageId: string,
  modelCallId: string,
): Promise<{
  readonly blocks: readonly AssistantBlock[];
  readonly calls: readonly SessionEvent[];
}> {
  const { known } = context;
  const blocks: AssistantBlock[] = [];
  const calls: SessionEvent[] = [];
  let ordinal = known.messages.get(messageId)?.calls ?? 0;
  for (const block of unit.blocks) {
    const call = unit.calls.get(block);
    if (call === undefined) {
      blocks.push(answerBlock(block));
    } else if (!known.calls.has(call.providerId)) {
      blocks.push({ type: 'toolCall', ordinal });
      calls.push(...(await callEvents(call, context, { messageId, modelCallId, ordinal })));
      ordinal += 1;
    }
  }
  return { blocks, calls };
}

async function callEvents(
  call: NamedCall,
  { known, content, runId, time, isDenied }: AnswerContext,
  place: { readonly messageId: string; readonly modelCallId: string; readonly ordinal: number },
): Promise<readonly SessionEvent[]> {
  const { sessionId, tools } = known.state;
  const callId = toolCallId(sessionId, place.messageId, place.ordinal);
  const manifest = manifestOf(call.tool, tools);
  const { timeoutMs, maxFlightMs, keyWindowMs, notFoundIsFinalAfterMs } = manifest;
  const input = call.block['input'];
  const args = (isObject(input) ? input : input === undefined ? {} : { input }) as Json;
  const requested: EventOf<'ToolCallRequested'> = {
    type: 'ToolCallRequested',
    data: {
      callId,
      runId,
      ...place,
      providerCallId: call.providerId,
      tool: call.tool,
      manifestVersion: manifest.version,
      effect: manifest.effect,
      timing: { timeoutMs, maxFlightMs, keyWindowMs, notFoundIsFinalAfterMs },
      opKey: operationKey(content.owner.tenantId, sessionId, callId),
      argsHash: content.argsHash(args),
      ...(await content.args(args)),
    },
  };
  if (isDenied(call.providerId)) return [requested];
  return [
    requested,
    {
      type: 'ToolCallStarted',
      data: {
        callId,
        attempt: 1,
        epoch: IMPORTED_EPOCH,
        startedAt: time,
        dispatchBy: time,
        deadline: time,
        basis: 'first',
      },
    },
  ];
}

/** Once per answer, and again only when a longer file knows a better usage. */
export function settled(context: AnswerContext, modelCallId: string): readonly SessionEvent[] {
  const { known, answer, cards, time } = context;
  const [own, ...onTop] = pricedCalls(answer, cards);
  const call: PricedCall = own ?? {
    usage: unknownUsage('imported'),
    cost: unpriced(),
    model: answer.model,
  };
  const events: SessionEvent[] = [];
  const callKey = callKeyOfClaudeCode(answer) ?? `claude-code-answer:${modelCallId}`;
  if (isNews(known, modelCallId, call.usage)) {
    events.push(settledCall(context, { modelCallId, callKey, call, purpose: 'turn' }));
  }
  for (const part of onTop) {
    const iteration = part.iteration ?? 0;
    const id = derivedId('imported-iteration', modelCallId, iteration);
    if (!isNews(known, id, part.usage)) continue;
    const purpose = part.purpose ?? 'other';
    if (!known.settled.has(id)) {
      events.push({
        type: 'ModelCallStarted',
        data: {
          modelCallId: id,
          messageId: derivedId('imported-message', id),
          runId: context.runId,
          epoch: IMPORTED_EPOCH,
          purpose,
          inputRevision: known.revision,
          provider: providerOf(part.model),
          requestedModel: part.model,
          startedAt: answer.firstTime ?? time,
        },
      });
    }
    const key = callKeyOfIteration(callKey, iteration);
    events.push(settledCall(context, { modelCallId: id, callKey: key, call: part, purpose }));
  }
  return events;
}

function isNews(known: KnownSession, modelCallId: string, usage: Usage): boolean {
  if (!known.settled.has(modelCallId)) return true;
  const recorded = known.settled.get(modelCallId);
  if (recorded === undefined) return usage.state !== 'unknown';
  return (
    JSON.stringify(recorded.buckets) !== JSON.stringify(usage.buckets) &&
    betterUsage(recorded, usage) === usage
  );
}

function settledCall(
  { answer, runId, time }: AnswerContext,
  of: {
    readonly modelCallId: string;
    readonly callKey: string;
    readonly call: PricedCall;
    readonly purpose: EventOf<'ModelCallSettled'>['data']['purpose'];
  },
): SessionEvent {
  const { call, modelCallId, callKey, purpose } = of;
  return {
    type: 'ModelCallSettled',
    data: {
      modelCallId,
      outcome: answer.aborted ? 'interrupted' : 'completed',
      providerReached: 'yes',
      purpose,
      runId,
      callKey,
      provider: providerOf(call.model),
      responseId: answer.messageId,
      requestedModel: call.model,
      responseModel: call.model,
      servedTier: call.servedTier,
      speed: call.speed,
      region: call.region,
      startedAt: answer.firstTime,
      endedAt: answer.lastTime ?? time,
      usage: call.usage,
      cost: call.cost,
    },
  };
}

function unpriced(): PricedCall['cost'] {
  return { amountPico: null, currency: 'USD', source: 'local', reason: 'usage_unknown' };
}
