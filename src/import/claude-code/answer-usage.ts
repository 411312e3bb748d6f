import type { Cost } from '../../domain/money.js';
import { type Usage, betterUsage, totalTokens } from '../../domain/usage.js';
import type { PriceCards } from '../../pricing/card-index.js';
import { priceCall } from '../../pricing/price-call.js';
import { type ExtractedCall, extractUsage } from '../../usage/extract-usage.js';
import { flagImplausible } from '../../usage/plausibility.js';
import { boundedKey } from '../source-reference.js';
import { type LogLine, textOf } from './log-line.js';

/** What the lines of one model answer say together. */
export interface Answer {
  /** The line with the best usage is what counts; earlier lines hold placeholders. */
  best?: { readonly calls: readonly [ExtractedCall, ...ExtractedCall[]]; readonly model?: string };
  model?: string;
  messageId?: string;
  requestId?: string;
  uuid?: string;
  firstTime?: string;
  lastTime?: string;
  characters: number;
  aborted: boolean;
  /** Key of the last line of this answer in the file. */
  lastKey: string;
}

/** Providers whose models Claude Code calls under other names are found by their model. */
export function providerOf(model: string | undefined): string | undefined {
  return model === undefined || /claude/i.test(model) ? 'anthropic' : undefined;
}

export function modelOf(line: LogLine): string | undefined {
  const model = textOf(line.message?.['model']);
  return model === undefined ? undefined : boundedKey(model);
}

export function addUsage(answer: Answer, line: LogLine): void {
  const model = modelOf(line);
  const { calls } = extractUsage(line.message, {
    provider: 'anthropic',
    api: 'messages',
    source: 'imported',
    state: line.value['isAbortedMidStream'] === true ? 'partial' : 'final',
  });
  if (answer.best === undefined || isBetter(calls[0].usage, answer.best, model)) {
    answer.best = { calls, model };
  }
}

function isBetter(usage: Usage, known: NonNullable<Answer['best']>, model?: string): boolean {
  const best = known.calls[0].usage;
  if (betterUsage(best, usage) !== usage) return false;
  return (
    totalTokens(usage) !== totalTokens(best) || usage.state !== best.state || model === known.model
  );
}

export interface PricedCall {
  readonly usage: Usage;
  readonly cost: Cost;
  readonly model?: string;
  readonly servedTier?: string;
  readonly speed?: string;
  readonly region?: string;
  /** Of a request inside the response that is billed on top of it. */
  readonly iteration?: number;
  readonly purpose?: ExtractedCall['purpose'];
}

/** The answer's own call first, then what is billed on top of it. */
export function pricedCalls(answer: Answer, cards: PriceCards): readonly PricedCall[] {
  return (answer.best?.calls ?? []).map((call, place) => {
    const model = place === 0 ? answer.best!.model : (call.model ?? answer.best!.model);
    const usage = place === 0 ? flagImplausible(call.usage, answer.characters) : call.usage;
    return {
      usage,
      cost: priceAnswer(call, usage, model, answer.firstTime, cards),
      model,
      servedTier: call.servedTier,
      speed: call.speed,
      region: call.region,
      iteration: call.iteration,
      purpose: call.purpose,
    };
  });
}

/** `served`: tier, speed and region that the usage names; empty for the list price. */
export function priceAnswer(
  served: Pick<ExtractedCall, 'servedTier' | 'speed' | 'region'>,
  usage: Usage,
  model: string | undefined,
  startedAt: string | undefined,
  cards: PriceCards,
): Cost {
  return priceCall(
    {
      usage,
      provider: providerOf(model),
      responseModel: model,
      requestedModel: model,
      startedAt,
      servedTier: served.servedTier,
      speed: served.speed,
      region: served.region,
    },
    cards,
  );
}
