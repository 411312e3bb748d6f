import type { AssistantBlock, Json } from '../../src/domain/content.js';
import type { EventOf, SessionEvent, SessionEventType } from '../../src/domain/events.js';
import type { HistoryRecord } from '../../src/context/history-record.js';
import { stateFromRecords } from '../../src/context/source-from-records.js';
import { callsOf, isUnresolved } from '../../src/domain/state.js';

const NOW = '2026-05-08T00:00:17Z';
const ZERO_USAGE = {
  state: 'final',
  buckets: { inputFresh: 10, outputText: 5 },
  counts: {},
  splits: { cacheLife: 'known', reasoning: 'known' },
  flags: [],
  source: 'provider',
} as const;

export interface CallOptions {
  readonly tool?: string;
  readonly effect?: EventOf<'ToolCallRequested'>['data']['effect'];
  readonly providerCallId?: string;
  readonly args?: Json;
  readonly argsText?: string;
}

export interface AnswerOptions {
  readonly text?: string;
  readonly calls?: readonly string[];
  readonly call?: CallOptions;
  readonly thinking?: boolean;
  readonly final?: boolean;
  readonly settled?: EventOf<'ModelCallSettled'>['data']['outcome'] | 'open';
  readonly model?: string;
  readonly deliver?: readonly string[];
  readonly inputRevision?: number;
}

/** Writes streams as the domain would, in the words of a test. */
export class StreamBuilder {
  readonly records: HistoryRecord[] = [];
  private runs = 0;
  private messages = 0;

  constructor(
    readonly sessionId = 's1',
    inherited: readonly HistoryRecord[] = [],
  ) {
    this.records.push(...inherited);
  }

  get revision(): number {
    const own = this.records.filter((record) => record.sessionId === this.sessionId);
    return (own.at(-1)?.revision ?? -1) as number;
  }

  add<T extends SessionEventType>(type: T, data: EventOf<T>['data']): this {
    const event = { type, data } as unknown as SessionEvent;
    this.records.push({ sessionId: this.sessionId, revision: this.revision + 1, event });
    return this;
  }

  started(startedAt = NOW): this {
    return this.add('SessionStarted', {
      sessionId: this.sessionId,
      labels: {},
      profile: { name: 'coder', version: '1' },
      tools: [],
      recoveryMode: 'auto',
      ancestors: [],
      startedAt,
    });
  }

  /** Begins as a fork at the parent's head, with what the parent's state says there. */
  forked(parent: StreamBuilder): this {
    const { sessionId: parentId, revision } = parent;
    const state = stateFromRecords(parent.records, parentId);
    const own = { sessionId: parentId, from: 0, to: revision };
    return this.add('Forked', {
      sessionId: this.sessionId,
      labels: {},
      parentId,
      parentVersion: revision,
      cut: { sessionId: parentId, revision },
      segments: [...state.segments, own],
      ancestors: [parentId, ...state.ancestors],
      profile: { name: 'coder', version: '1' },
      tools: [],
      recoveryMode: 'auto',
      watermark: state.watermark,
      facts: Object.values(state.facts).filter((fact) => !fact.retired),
      hidden: state.hidden,
      inherited: callsOf(state)
        .filter(isUnresolved)
        .map(({ callId, opKey, tool, argsHash, effect, status, originSessionId }) => ({
          callId,
          originSessionId: originSessionId ?? parentId,
          opKey,
          tool,
          argsHash,
          effect,
          stateAtCut: status,
        })),
      startedAt: NOW,
    });
  }

  accepted(inputId: string, text: string, delivery: 'steer' | 'queue' = 'steer'): this {
    const content = [{ type: 'text' as const, text }];
    return this.add('InputAccepted', { inputId, delivery, resume: true, content, author: 'ann' });
  }

  delivered(inputId: string): this {
    const runId = `r${this.runs}`;
    return this.add('InputDelivered', { inputId, runId, messageId: `user-${inputId}` });
  }

  claimed(
    inputIds: readonly string[] = [],
    reason: 'start' | 'resume' | 'takeover' = 'start',
  ): this {
    if (reason === 'start') this.runs += 1;
    this.add('RunClaimed', {
      runId: `r${this.runs}`,
      epoch: this.records.length,
      claimTokenHash: 'h',
      workerId: 'w',
      kind: 'agent',
      reason,
      inputIds,
      leaseTtlMs: 30_000,
    });
    for (const inputId of inputIds) this.delivered(inputId);
    return this;
  }

  /** A user's input, taken into a new run. */
  input(inputId: string, text: string): this {
    return this.accepted(inputId, text).claimed([inputId]);
  }

  modelCall(messageId: string, options: AnswerOptions = {}): this {
    for (const inputId of options.deliver ?? []) this.delivered(inputId);
    return this.add('ModelCallStarted', {
      modelCallId: `mc-${messageId}`,
      messageId,
      runId: `r${this.runs}`,
      epoch: 1,
      purpose: 'turn',
      inputRevision: options.inputRevision ?? this.revision,
      provider: 'anthropic',
      requestedModel: options.model ?? 'model-1',
      startedAt: NOW,
    });
  }

  part(messageId: string, part: number, options: AnswerOptions = {}): this {
    const { text, calls = [], thinking = false } = options;
    const blocks: AssistantBlock[] = [
      ...(thinking
        ? [
            {
              type: 'provider' as const,
              block: { type: 'thinking', thinking: 'plan', signature: `sig-${messageId}` },
            },
          ]
        : []),
      ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
      ...calls.map((_, index) => ({ type: 'toolCall' as const, ordinal: part * 100 + index })),
    ];
    this.add('AssistantMessageRecorded', {
      modelCallId: `mc-${messageId}`,
      messageId,
      part,
      final: options.final ?? true,
      provider: 'anthropic',
      api: 'anthropic-messages',
      model: options.model ?? 'model-1',
      blocks,
    });
    calls.forEach((callId, index) =>
      this.requested(callId, messageId, part * 100 + index, options.call),
    );
    return this;
  }

  /** A whole model call: started, its message with its calls, settled. */
  answer(messageId: string, options: AnswerOptions = {}): this {
    this.modelCall(messageId, options).part(messageId, 0, options);
    return options.settled === 'open' ? this : this.settled(messageId, options.settled);
  }

  settled(
    messageId: string,
    outcome: EventOf<'ModelCallSettled'>['data']['outcome'] = 'completed',
  ): this {
    return this.add('ModelCallSettled', {
      modelCallId: `mc-${messageId}`,
      outcome,
      providerReached: outcome === 'notSent' ? 'no' : 'yes',
      purpose: 'turn',
      callKey: `key-${messageId}`,
      requestedModel: 'model-1',
      endedAt: NOW,
      usage: outcome === 'completed' ? ZERO_USAGE : undefined,
    });
  }

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

  facts(...facts: EventOf<'FactsRecorded'>['data']['facts'][number][]): this {
    return this.add('FactsRecorded', { facts });
  }

  compacted(
    compactionId: string,
    range: Pick<
      EventOf<'Compacted'>['data'],
      'coveredFrom' | 'coveredTo' | 'keptFrom' | 'openCalls'
    >,
    summary: string,
  ): this {
    const { coveredFrom, coveredTo, keptFrom, openCalls } = range;
    const common = { compactionId, coveredFrom, coveredTo, keptFrom, trigger: 'manual' } as const;
    this.add('CompactionStarted', { ...common, epoch: 1 });
    return this.add('Compacted', { ...common, summary, openCalls });
  }

  completed(): this {
    return this.add('RunCompleted', { runId: `r${this.runs}`, epoch: 1 });
  }

  nextMessageId(): string {
    this.messages += 1;
    return `m${this.messages}`;
  }
}
