/**
 * `callKey` names one request to a provider, tenant-wide: whoever holds the same key holds the
 * same request, and it is paid once (usage-and-cost 8). By id, never by equal values or times.
 */

export interface NativeCall {
  readonly sessionId: string;
  /** Unique in its session. */
  readonly modelCallId: string;
  readonly provider?: string;
  readonly responseId?: string;
}

export function callKeyOfNative(call: NativeCall): string {
  if (call.responseId === undefined || call.responseId === '') {
    return `call:${call.sessionId}/${call.modelCallId}`;
  }
  return responseKey(call.provider, call.responseId);
}

export interface ClaudeCodeCall {
  readonly messageId?: string;
  readonly requestId?: string;
  /** Of the log line. */
  readonly uuid?: string;
}

/**
 * The same key as of a native call with this response id, so that a run that was recorded and
 * whose log is imported too counts once. Undefined: the line names nothing.
 */
export function callKeyOfClaudeCode(call: ClaudeCodeCall): string | undefined {
  if (call.messageId) return responseKey('anthropic', call.messageId);
  if (call.requestId) return `claude-code-request:${call.requestId}`;
  return call.uuid ? `claude-code-line:${call.uuid}` : undefined;
}

/** The key of a request inside a response that is billed on top of it. */
export function callKeyOfIteration(responseCallKey: string, iteration: number): string {
  return `${responseCallKey}/${iteration}`;
}

function responseKey(provider: string | undefined, responseId: string): string {
  return `response:${(provider ?? '').toLowerCase()}:${responseId}`;
}
