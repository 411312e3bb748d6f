import type { AssistantBlock, InputBlock, Json, ToolContent } from '../../src/domain/content.js';
import type { ContextSource } from '../../src/context/context-source.js';
import { sourceFromRecords } from '../../src/context/source-from-records.js';
import { StreamBuilder } from './stream-builder.js';

export const PNG = { type: 'image', mediaType: 'image/png', base64: 'AA==' } as const;
export const PNG_AT_URL = {
  type: 'image',
  mediaType: 'image/png',
  url: 'https://files.example/a.png',
} as const;
export const PDF = {
  type: 'document',
  mediaType: 'application/pdf',
  base64: 'JVBERg==',
  name: 'plan.pdf',
} as const;

/** Who answered, in whose words. */
export interface Answerer {
  readonly provider: string;
  readonly api: string;
  readonly model: string;
}

export interface GivenCall {
  readonly tool: string;
  readonly providerCallId?: string;
  readonly args?: Json;
  readonly argsText?: string;
  readonly block?: Json;
}

export type GivenAnswerBlock =
  Exclude<AssistantBlock, { type: 'toolCall' }> | ({ readonly type: 'toolCall' } & GivenCall);

/** A message as a provider gave it, recorded with its calls: `c0`, `c1`, … of the message. */
export function recordAnswer(
  stream: StreamBuilder,
  messageId: string,
  answerer: Answerer,
  given: readonly GivenAnswerBlock[],
): StreamBuilder {
  stream.modelCall(messageId, { model: answerer.model });
  let ordinal = 0;
  const calls: GivenCall[] = [];
  const blocks = given.map((block): AssistantBlock => {
    if (block.type !== 'toolCall') return block;
    calls.push(block);
    return { type: 'toolCall', ordinal: ordinal++, block: block.block };
  });
  stream.add('AssistantMessageRecorded', {
    modelCallId: `mc-${messageId}`,
    messageId,
    part: 0,
    final: true,
    ...answerer,
    blocks,
  });
  calls.forEach((call, index) => {
    stream.requested(`${messageId}-c${index}`, messageId, index, call);
  });
  return stream.settled(messageId);
}

export function withInput(stream: StreamBuilder, content: readonly InputBlock[]): StreamBuilder {
  return stream
    .add('InputAccepted', { inputId: 'u', delivery: 'steer', resume: true, content, author: 'a' })
    .claimed(['u']);
}

export function resultOf(
  stream: StreamBuilder,
  callId: string,
  content: ToolContent,
  isError = false,
): StreamBuilder {
  return stream.startedCall(callId).add('ToolResultRecorded', {
    callId,
    attempt: 1,
    epoch: 1,
    status: 'completed',
    resultHash: 'h',
    result: { isError, content },
  });
}

/**
 * One session with everything that a format has to write: facts and a summary, text and media of
 * the user, an answer with parallel calls, results with media, of an error and of no tool at all,
 * and a next input.
 */
export function wholeSession(
  answerer: Answerer,
  blocks: readonly GivenAnswerBlock[],
): ContextSource {
  const stream = new StreamBuilder().started();
  stream.facts({ factId: 'f1', version: 1, kind: 'goal', text: 'Paint the shed.', retired: false });
  withInput(stream, [{ type: 'text', text: 'Look.' }, PNG, PNG_AT_URL, PDF]);
  recordAnswer(stream, 'm1', answerer, blocks);
  resultOf(stream, 'm1-c0', [{ type: 'text', text: 'seen' }, PNG]);
  resultOf(stream, 'm1-c1', 'no such file', true);
  stream.startedCall('m1-c2').unknown('m1-c2', 'deadline');
  stream.input('u2', 'Go on.');
  const source = sourceFromRecords(stream.records, stream.sessionId);
  const at = { sessionId: stream.sessionId, revision: 0 };
  return { ...source, summary: { compactionId: 'k', text: 'We met.', at, keptFrom: at } };
}

export const FACTS = 'Facts of this session:\n- goal (f1): Paint the shed.';
export const SUMMARY = 'Summary of the earlier conversation:\nWe met.';
export const TIMED_OUT =
  'No result was recorded within the time limit. The tool call may or may not have run; ' +
  'check before retrying. Operation key: op-m1-c2. Its status is being checked.';
export const DATE = 'Current date: 2026-06-05';

/** Three calls of one message, as a provider names them. */
export function threeCalls(
  blockOf?: (id: string, path: string) => Json,
): readonly GivenAnswerBlock[] {
  return ['a', 'b', 'c'].map((path, index) => ({
    type: 'toolCall',
    tool: 'read',
    providerCallId: `call_${index}`,
    args: { path },
    block: blockOf?.(`call_${index}`, path),
  }));
}
