import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StreamBuilder } from './stream-builder.js';

type Text = string | { readonly repeat: string; readonly times: number };

interface CaseEvent {
  readonly type: string;
  readonly session?: string;
  readonly at?: string;
  readonly inputId?: string;
  readonly messageId?: string;
  readonly callId?: string;
  readonly tool?: Text;
  readonly outcome?: 'ok' | 'error' | 'unknown';
  readonly text?: Text;
  readonly toolCalls?: readonly { readonly callId: string; readonly tool: Text }[];
  readonly reason?: string;
  readonly compactionId?: string;
}

export interface FailureCase {
  readonly id: string;
  readonly given: { readonly history: readonly CaseEvent[] };
  readonly values?: { readonly shape?: readonly string[] };
}

const folder = join(process.cwd(), 'test/failure-cases/cases');

export function failureCase(id: string): FailureCase {
  const name = readdirSync(folder).find((file) => file.startsWith(`${id}-`));
  if (name === undefined) throw new Error(`no file for ${id} in ${folder}`);
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as FailureCase;
}

/** The streams of a case after each of its events, the whole case last. */
export function prefixesOf(given: FailureCase, sessionId = 's1'): readonly StreamBuilder[] {
  const events = given.given.history.filter((event) => (event.session ?? 's1') === sessionId);
  return events.map((_, index) => {
    const stream = new StreamBuilder(sessionId).started();
    for (const event of events.slice(0, index + 1)) apply(stream, event);
    return stream;
  });
}

export function streamOf(given: FailureCase, sessionId = 's1'): StreamBuilder {
  return prefixesOf(given, sessionId).at(-1)!;
}

/** The neutral event names of the cases, in Holdfast's own words. */
function apply(stream: StreamBuilder, event: CaseEvent): void {
  const { callId = '', messageId = '', inputId = '' } = event;
  const text = event.text === undefined ? undefined : words(event.text);
  switch (event.type) {
    case 'InputAccepted':
      stream.input(inputId, text ?? '');
      return;
    case 'AssistantMessageRecorded':
      answer(stream, messageId, text, event.toolCalls ?? []);
      return;
    case 'ToolCallStarted':
      stream.startedCall(callId);
      return;
    case 'ToolResultRecorded':
      stream.result(callId, text ?? '', event.outcome === 'error');
      return;
    case 'ExecutionInterrupted':
      interrupt(stream);
      return;
    case 'CompactionStarted':
      stream.add('CompactionStarted', {
        compactionId: event.compactionId ?? '',
        epoch: 1,
        coveredFrom: { sessionId: stream.sessionId, revision: 0 },
        coveredTo: { sessionId: stream.sessionId, revision: 0 },
        keptFrom: { sessionId: stream.sessionId, revision: stream.revision },
        trigger: 'manual',
      });
      return;
    case 'CompactionFailed':
      stream.add('CompactionFailed', {
        compactionId: event.compactionId ?? '',
        reason: 'workerError',
      });
      return;
    case 'SessionStarted':
    case 'ProcessRestarted':
    case 'UsageRecorded':
      return;
    default:
      throw new Error(`the case has an event without a mapping: ${event.type}`);
  }
}

function answer(
  stream: StreamBuilder,
  messageId: string,
  text: string | undefined,
  calls: NonNullable<CaseEvent['toolCalls']>,
): void {
  stream.modelCall(messageId);
  const ids = calls.map((call) => call.callId);
  stream.add('AssistantMessageRecorded', {
    modelCallId: `mc-${messageId}`,
    messageId,
    part: 0,
    final: true,
    blocks: [
      ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
      ...ids.map((_, ordinal) => ({ type: 'toolCall' as const, ordinal })),
    ],
  });
  calls.forEach((call, ordinal) => {
    stream.requested(call.callId, messageId, ordinal, { tool: words(call.tool) });
  });
  stream.settled(messageId);
}

/** A stop by the user: what ran is unknown from then on (reconciliation protocol, §14). */
function interrupt(stream: StreamBuilder): void {
  const answered = new Set<string>();
  const running = new Set<string>();
  for (const { event } of stream.records) {
    if (event.type === 'ToolResultRecorded') answered.add(event.data.callId);
    if (event.type === 'ToolCallStarted') running.add(event.data.callId);
  }
  stream.add('StopRequested', {
    runId: 'r1',
    requestedAt: '2026-05-08T00:00:17Z',
    dropPendingInputs: false,
  });
  for (const callId of running) {
    if (!answered.has(callId)) stream.unknown(callId, 'stoppedInFlight');
  }
  stream.add('RunStopped', { runId: 'r1', by: 'owner' });
}

function words(text: Text): string {
  return typeof text === 'string' ? text : text.repeat.repeat(text.times);
}
