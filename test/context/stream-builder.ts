import type { AssistantBlock } from '../../src/domain/content.js';
import type { EventOf } from '../../src/domain/events.js';
import { stateFromRecords } from '../../src/context/source-from-records.js';
import { forkedFrom } from '../../src/domain/forked.js';
import { shownAgain, shownBefore, shownBy } from '../../src/domain/shown.js';
import { type CallOptions, NOW, ToolCallWriter } from './tool-call-writer.js';

const ZERO_USAGE = {
  state: 'final',
  buckets: { inputFresh: 10, outputText: 5 },
  counts: {},
  splits: { cacheLife: 'known', reasoning: 'known' },
  flags: [],
  source: 'provider',
} as const;

export interface AnswerOptions {
  readonly text?: string;
  readonly calls?: readonly string[];
  readonly call?: CallOptions;
  readonly thinking?: boolean;
  readonly final?: boolean;
  readonly settled?: EventOf<'ModelCallSettled'>['data']['outcome'] | 'open';
  readonly model?: string;
  readonly estimatedTokens?: number;
  readonly deliver?: readonly string[];
  readonly inputRevision?: number;
}

/** Writes streams as the domain would, in the words of a test. */
export class StreamBuilder extends ToolCallWriter {
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
    const state = stateFromRecords(parent.records, parent.sessionId);
    const fork = { forkId: this.sessionId, labels: {}, recoveryMode: 'auto' } as const;
    return this.add('Forked', forkedFrom(state, state, fork, NOW));
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
      estimatedTokens: options.estimatedTokens,
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
    native?: EventOf<'Compacted'>['data']['native'],
  ): this {
    const { coveredFrom, coveredTo, keptFrom, openCalls } = range;
    const common = { compactionId, coveredFrom, coveredTo, keptFrom, trigger: 'manual' } as const;
    this.add('CompactionStarted', { ...common, epoch: 1 });
    return this.add('Compacted', { ...common, summary, native, openCalls });
  }

  /** Back to an own revision, as the domain decides it. */
  reverted(revision: number): this {
    const then = this.records.filter(
      (record) => record.sessionId !== this.sessionId || record.revision <= revision,
    );
    const to = { sessionId: this.sessionId, revision };
    const shown = shownBy(stateFromRecords(then, this.sessionId));
    const state = stateFromRecords(this.records, this.sessionId);
    return this.add('Reverted', { to, ...shownAgain(state, to, shown) });
  }

  cleared(revertedAt: number): this {
    const before = this.records.filter(
      (record) => record.sessionId !== this.sessionId || record.revision < revertedAt,
    );
    const shown = shownBy(stateFromRecords(before, this.sessionId));
    const state = stateFromRecords(this.records, this.sessionId);
    return this.add('RevertCleared', { revertedAt, ...shownBefore(state, revertedAt, shown) });
  }

  completed(): this {
    return this.add('RunCompleted', { runId: `r${this.runs}`, epoch: 1 });
  }
}
