import type { HistoryRecord } from '../../src/context/history-record.js';
import type { Json } from '../../src/domain/content.js';
import type { EventOf, SessionEvent, SessionEventType } from '../../src/domain/events.js';

export const NOW = '2026-05-08T00:00:17Z';

export interface CallOptions {
  readonly tool?: string;
  readonly effect?: EventOf<'ToolCallRequested'>['data']['effect'];
  readonly providerCallId?: string;
  readonly args?: Json;
  readonly argsText?: string;
}

/** Appends events to the stream of one session; a fork's stream begins with its parent's. */
class RecordWriter {
  readonly records: HistoryRecord[] = [];

  constructor(
    readonly sessionId = 's1',
    inherited: readonly HistoryRecord[] = [],
  ) {
    this.records.push(...inherited);
  }

  get revision(): number {
    return this.records.findLast(({ sessionId }) => sessionId === this.sessionId)?.revision ?? -1;
  }

  add<T extends SessionEventType>(type: T, data: EventOf<T>['data']): this {
    const event = { type, data } as unknown as SessionEvent;
    this.records.push({ sessionId: this.sessionId, revision: this.revision + 1, event });
    return this;
  }
}

/** What happens to tool calls, in the words of a test. */
export class ToolCallWriter extends RecordWriter {
  protected runs = 0;

  requested(callId: string, messageId: string, ordinal = 0, options: CallOptions = {}): this {
    return this.add('ToolCallRequested', {
      callId,
      runId: `r${this.runs}`,
      modelCallId: `mc-${messageId}`,
      messageId,
      ordinal,
      providerCallId: options.providerCallId,
      tool: options.tool ?? 'shell',
      manifestVersion: 1,
      effect: options.effect ?? 'keyedWrite',
      timing: { timeoutMs: 1, maxFlightMs: 1, keyWindowMs: 1, notFoundIsFinalAfterMs: null },
      opKey: `op-${callId}`,
      argsHash: 'h',
      args: options.argsText === undefined ? (options.args ?? { n: 1 }) : undefined,
      argsText: options.argsText,
    });
  }

  startedCall(callId: string, attempt = 1): this {
    return this.add('ToolCallStarted', {
      callId,
      attempt,
      epoch: 1,
      startedAt: NOW,
      dispatchBy: NOW,
      deadline: NOW,
      basis: 'first',
    });
  }

  result(callId: string, text: string, isError = false): this {
    return this.add('ToolResultRecorded', {
      callId,
      attempt: 1,
      epoch: 1,
      status: 'completed',
      resultHash: 'h',
      result: { isError, content: text },
    });
  }

  refused(callId: string, text: string): this {
    return this.add('ToolResultRecorded', {
      callId,
      attempt: 1,
      epoch: 1,
      status: 'noEffect',
      scope: 'operation',
      resultHash: 'h',
      result: { isError: true, content: text },
    });
  }

  /** Started and answered. */
  done(callId: string, text = 'ok', isError = false): this {
    return this.startedCall(callId).result(callId, text, isError);
  }

  unknown(callId: string, reason: EventOf<'ToolOutcomeUnknown'>['data']['reason']): this {
    return this.add('ToolOutcomeUnknown', { callId, attempt: 1, reason });
  }

  late(callId: string, text: string): this {
    return this.add('ToolLateResultReceived', {
      callId,
      attempt: 1,
      claimedEpoch: 1,
      status: 'completed',
      resultHash: 'h',
      result: { isError: false, content: text },
      agrees: null,
    }).resolved(callId, 'completed', 'lateResult');
  }

  resolved(
    callId: string,
    verdict: EventOf<'ToolOutcomeResolved'>['data']['verdict'],
    basis: EventOf<'ToolOutcomeResolved'>['data']['basis'] = 'probe',
  ): this {
    return this.add('ToolOutcomeResolved', { callId, verdict, basis });
  }
}
