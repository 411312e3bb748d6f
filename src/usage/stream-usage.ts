import type { Usage } from '../domain/usage.js';
import { estimateMethod, estimateTokens } from './estimate-tokens.js';
import { extractUsage, type ExtractedUsage, type ExtractOptions } from './extract-usage.js';
import { isRecord, textAt, valueAt } from './read-figure.js';

export interface StreamOptions extends Omit<ExtractOptions, 'state' | 'rawText'> {
  /** The stream came to its end. Left out: seen from the events. */
  readonly ended?: boolean;
  /** The output text that had arrived, for the estimate of a stream that was cut. */
  readonly receivedText?: string;
}

type Body = Readonly<Record<string, unknown>>;

interface StreamSoFar {
  /** The latest report, in the form of a response body. */
  readonly body?: Body;
  readonly ended: boolean;
}

function withoutNulls(usage: Body): Body {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}

/** Anthropic: `message_start` brings input and a placeholder of the output; what `message_delta`
 * brings is cumulative and replaces it. */
function afterAnthropicEvent(before: StreamSoFar, event: Body): StreamSoFar | undefined {
  if (event['type'] === 'message_stop') return { ...before, ended: true };
  const message = event['message'];
  if (event['type'] === 'message_start' && isRecord(message))
    return { body: message, ended: false };
  const usage = event['usage'];
  if (event['type'] !== 'message_delta') return undefined;
  const known = valueAt(before.body, ['usage']);
  const merged = {
    ...(isRecord(known) ? known : {}),
    ...(isRecord(usage) ? withoutNulls(usage) : {}),
  };
  const ended = textAt(event, ['delta', 'stop_reason']) !== undefined;
  return { body: { ...before.body, usage: merged }, ended: before.ended || ended };
}

const finalResponses = ['response.completed', 'response.incomplete', 'response.failed'];

function endsHere(event: Body): boolean {
  const parts = [event['choices'], event['candidates']].filter(Array.isArray).flat();
  const finished = parts.some((part) => textAt(part, ['finish_reason'], ['finishReason']));
  const type = event['type'];
  const responded = typeof type === 'string' && finalResponses.includes(type);
  return finished || responded || type === 'response.done' || isRecord(event['messageStop']);
}

function reportIn(event: Body): Body | undefined {
  for (const body of [event, event['response'], event['metadata']]) {
    if (!isRecord(body)) continue;
    if (isRecord(body['usage']) || isRecord(body['usageMetadata'])) return body;
  }
  return undefined;
}

function after(before: StreamSoFar, event: unknown): StreamSoFar {
  if (!isRecord(event)) return before;
  const anthropic = afterAnthropicEvent(before, event);
  if (anthropic) return anthropic;
  const report = reportIn(event);
  return {
    ended: before.ended || endsHere(event),
    ...(report
      ? { body: { ...before.body, ...report } }
      : before.body
        ? { body: before.body }
        : {}),
  };
}

function withEstimate(usage: Usage, text: string | undefined): Usage {
  if (text === undefined || text === '' || usage.state === 'final') return usage;
  return { ...usage, estimatedOutput: estimateTokens(text), method: estimateMethod };
}

/**
 * The usage of a streamed response, from its events in order (Anthropic, OpenAI Chat and Responses,
 * Gemini, Bedrock). A stream that was cut keeps its last numbers as `partial`; one without any
 * report is `unknown`, never a measured 0 (llmgateway GHSA-724j-f2pf-phf7).
 */
export function extractStreamUsage(
  events: Iterable<unknown>,
  options: StreamOptions = {},
): ExtractedUsage {
  const { ended, receivedText, ...extractOptions } = options;
  let soFar: StreamSoFar = { ended: false };
  for (const event of events) soFar = after(soFar, event);
  const state = (ended ?? soFar.ended) ? 'final' : 'partial';
  const extracted = extractUsage(soFar.body, { ...extractOptions, state });
  const [top, ...onTop] = extracted.calls;
  return {
    ...extracted,
    calls: [{ ...top, usage: withEstimate(top.usage, receivedText) }, ...onTop],
  };
}
