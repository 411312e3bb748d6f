import { createHash } from 'node:crypto';
import {
  type ContextRequest,
  type ReadyContext,
  buildContext,
} from '../../src/context/build-context.js';
import type { ContextSource } from '../../src/context/context-source.js';
import { sourceFromRecords } from '../../src/context/source-from-records.js';
import type { StreamBuilder } from './stream-builder.js';

export const tools = {
  hash: (text: string): string => createHash('sha256').update(text).digest('hex'),
};

export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

export type BuiltContext = Omit<ReadyContext, 'messages'> & {
  readonly messages: readonly WireMessage[];
};

export function built(source: ContextSource, request: Partial<ContextRequest> = {}): BuiltContext {
  const result = buildContext(source, { format: 'openai-chat', ...request }, tools);
  if ('problem' in result) throw new Error(JSON.stringify(result));
  return result as unknown as BuiltContext;
}

export function contextOf(
  stream: StreamBuilder,
  request: Partial<ContextRequest> = {},
): BuiltContext {
  return built(sourceFromRecords(stream.records, stream.sessionId), request);
}

/** Every text of the messages, in order, with its role: `user: hi`. */
export function lines(stream: StreamBuilder, request: Partial<ContextRequest> = {}): string[] {
  return contextOf(stream, request).messages.map(
    ({ role, content, tool_calls: calls }) =>
      `${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}` +
      (calls === undefined ? '' : ` [${calls.map((call) => call.id).join(' ')}]`),
  );
}

export function resultText(stream: StreamBuilder, callId: string): string {
  const found = contextOf(stream).messages.filter(({ tool_call_id: id }) => id === callId);
  if (found.length !== 1) throw new Error(`${found.length} results for ${callId}`);
  return String(found[0]!.content);
}
