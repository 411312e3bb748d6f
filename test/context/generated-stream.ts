import fc from 'fast-check';
import { compactionRange } from '../../src/context/compaction-range.js';
import type { HistoryRecord } from '../../src/context/history-record.js';
import { sourceFromRecords } from '../../src/context/source-from-records.js';
import type { UnknownReason } from '../../src/domain/events/tool-events.js';
import { StreamBuilder } from './stream-builder.js';

/** One decision of the generator: what happens next, and two dice for the details. */
export type Step = readonly [kind: number, one: number, two: number];

export const steps = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(fc.noBias(fc.tuple(fc.nat(99), fc.nat(999), fc.nat(999))), {
    minLength: 1,
    maxLength,
    size: 'max',
  });

const REASONS: readonly UnknownReason[] = [
  'ownerLost',
  'deadline',
  'transport',
  'shutdown',
  'stoppedInFlight',
  'retryStopped',
  'imported',
];
const VERDICTS = ['applied', 'notApplied', 'abandoned'] as const;
const EFFECTS = ['readOnly', 'keyedWrite', 'queryableWrite', 'opaqueWrite'] as const;
const TEXTS = ['ok', '', '  ', 'naïve 漢字 🙂', 'x'.repeat(900), '/etc/hosts', 'cut \ud83d'];

type CallPhase = 'requested' | 'running' | 'unknown' | 'settled';

/**
 * A plausible session, made of decisions: inputs, turns with parallel calls, interruptions, late
 * and probed outcomes, facts, compactions, reverts. With `junk`, also events that make no sense.
 */
export class GeneratedSession {
  readonly stream: StreamBuilder;
  private readonly calls = new Map<string, CallPhase>();
  private count = 0;

  constructor(
    private readonly junk: boolean,
    sessionId = 's1',
    parent?: StreamBuilder,
  ) {
    this.stream = new StreamBuilder(sessionId, parent?.records);
    if (parent === undefined) this.stream.started();
    else this.stream.forked(parent);
  }

  play(all: readonly Step[]): this {
    for (const step of all) this.step(step);
    return this;
  }

  private step([kind, one, two]: Step): void {
    if (kind < 14) this.input(one);
    else if (kind < 44) this.turn(one, two);
    else if (kind < 72) this.advanceCall(one, two);
    else if (kind < 78) this.facts(one, two);
    else if (kind < 84) this.compact(one, two);
    else if (kind < 87) this.revert(one);
    else if (kind < 92) this.interruptedTurn(one, two);
    else if (kind < 96) this.stream.completed();
    else if (this.junk) this.nonsense(one, two);
  }

  private id(prefix: string): string {
    this.count += 1;
    return `${this.stream.sessionId}-${prefix}${this.count}`;
  }

  private text(dice: number): string {
    return TEXTS[dice % TEXTS.length]!;
  }

  private input(one: number): void {
    const inputId = this.id('u');
    if (one % 3 === 0) this.stream.accepted(inputId, this.text(one));
    else this.stream.input(inputId, this.text(one));
  }

  private turn(one: number, two: number): void {
    if (!this.junk) this.settleRunning(two);
    const messageId = this.id('m');
    const calls = Array.from({ length: one % 4 }, () => this.id('c'));
    this.stream.answer(messageId, {
      text: two % 3 === 0 ? undefined : this.text(two),
      calls,
      thinking: two % 5 === 0,
      model: one % 50 === 0 ? 'model-2' : undefined,
      call: {
        effect: EFFECTS[one % EFFECTS.length],
        providerCallId: two % 2 === 0 ? undefined : `Agent:${one % 3}`,
        argsText: one % 17 === 0 ? '{"a":' : undefined,
      },
    });
    for (const call of calls) this.calls.set(call, 'requested');
  }

  private interruptedTurn(one: number, two: number): void {
    const messageId = this.id('m');
    const calls = Array.from({ length: 1 + (one % 2) }, () => this.id('c'));
    this.stream.modelCall(messageId).part(messageId, 0, { text: 'half', calls, final: false });
    for (const call of calls) this.calls.set(call, 'requested');
    if (two % 2 === 0) this.advance(calls[0]!, two);
    this.stream.settled(messageId, 'interrupted');
  }

  /** What the domain makes sure of: nothing runs while a model is asked. */
  private settleRunning(dice: number): void {
    for (const [call, phase] of this.calls) {
      if (phase === 'requested' || phase === 'running') this.advance(call, dice);
      if (this.calls.get(call) === 'running') this.advance(call, dice + 1);
      if (this.calls.get(call) === 'unknown' && dice % 4 !== 0) this.advance(call, dice);
    }
  }

  private advanceCall(one: number, two: number): void {
    const open = [...this.calls].filter(([, phase]) => phase !== 'settled');
    if (open.length > 0) this.advance(open[one % open.length]![0], two);
  }

  private advance(call: string, dice: number): void {
    const phase = this.calls.get(call)!;
    if (phase === 'requested') {
      if (dice % 7 === 0) {
        this.stream.add('ToolCallSkipped', { callId: call, reason: 'runEnded' });
        this.calls.set(call, 'settled');
      } else {
        this.stream.startedCall(call);
        this.calls.set(call, 'running');
      }
    } else if (phase === 'running') {
      if (dice % 3 === 0) {
        this.stream.unknown(call, REASONS[dice % REASONS.length]!);
        this.calls.set(call, 'unknown');
      } else {
        this.stream.result(call, this.text(dice), dice % 4 === 0);
        this.calls.set(call, 'settled');
      }
    } else if (phase === 'unknown') {
      if (dice % 2 === 0) this.stream.late(call, this.text(dice));
      else this.stream.resolved(call, VERDICTS[dice % VERDICTS.length]!);
      this.calls.set(call, 'settled');
    }
  }

  private facts(one: number, two: number): void {
    const factId = `f${one % 3}`;
    const known = this.stream.records.flatMap(({ event }) =>
      event.type === 'FactsRecorded' ? event.data.facts : [],
    );
    const version = 1 + known.filter((fact) => fact.factId === factId).length;
    const retired = version > 1 && two % 4 === 0;
    const text = `${this.text(two)} ${version}`;
    this.stream.facts({ factId, version, kind: 'constraint', text, retired });
  }

  private compact(one: number, two: number): void {
    const source = sourceFromRecords(this.stream.records, this.stream.sessionId);
    const range = compactionRange(source, { keepTokens: one, withinTurn: two % 2 === 0 });
    if (range === 'nothing_to_compact') return;
    this.stream.compacted(this.id('k'), range, `summary ${two}`);
  }

  private revert(one: number): void {
    const { revision, sessionId } = this.stream;
    const own = this.stream.records.find((record) => record.sessionId === sessionId)!;
    const to = Math.max(own.revision, revision - (one % 12));
    if (to >= revision) return;
    this.stream.reverted(to);
    if (one % 5 === 0) this.stream.cleared(revision + 1);
  }

  private nonsense(one: number, two: number): void {
    const call = [...this.calls.keys()][one % Math.max(1, this.calls.size)] ?? 'nobody';
    const actions: readonly (() => void)[] = [
      () => this.stream.result('nobody', 'orphan'),
      () => this.stream.result(call, 'twice'),
      () => this.stream.late('nobody', 'orphan'),
      () => this.stream.unknown(call, 'transport'),
      () => this.stream.delivered('never-accepted'),
      () => this.stream.settled('never-started'),
      () => this.stream.requested(call, 'm-other', one % 3),
      () => this.stream.requested(this.id('c'), 'm-nobody', two % 3),
      () => this.stream.part('m-late', one % 3, { text: 'late', final: two % 2 === 0 }),
      () => this.stream.add('ToolConflictDetected', { callId: call, kind: 'resultMismatch' }),
      () => this.stream.modelCall(this.id('m'), { inputRevision: one - 500 }),
      () =>
        this.stream.records.push({
          sessionId: this.stream.sessionId,
          revision: this.stream.revision + 1,
          event: { type: 'Nonsense', data: { callId: 7 } } as never,
        }),
    ];
    actions[two % actions.length]!();
  }
}

/** Records of any shape at all, some of them near to real ones. */
export const anyRecords: fc.Arbitrary<HistoryRecord[]> = fc.array(
  fc.record({
    sessionId: fc.constantFrom('s1', 's2', ''),
    revision: fc.oneof(fc.nat(20), fc.double(), fc.constant(undefined)),
    event: fc.oneof(
      fc.anything(),
      fc.record({
        type: fc.constantFrom(
          'Forked',
          'InputAccepted',
          'InputDelivered',
          'ModelCallStarted',
          'AssistantMessageRecorded',
          'ModelCallSettled',
          'ToolCallRequested',
          'ToolResultRecorded',
          'ToolOutcomeResolved',
          'FactsRecorded',
          'Compacted',
          'Reverted',
        ),
        data: fc.dictionary(
          fc.constantFrom(
            'callId',
            'messageId',
            'modelCallId',
            'inputId',
            'blocks',
            'content',
            'facts',
            'result',
            'timing',
            'tool',
            'effect',
            'status',
            'verdict',
            'purpose',
            'part',
            'final',
            'hidden',
            'keptFrom',
            'summary',
            'compactionId',
            'args',
            'watermark',
            'cut',
            'segments',
            'ancestors',
            'inherited',
            'tools',
          ),
          fc.oneof(
            fc.constantFrom('a', 'b', 'turn', 'completed', 'applied', 'readOnly'),
            fc.anything(),
            fc.constant([
              { type: 'text', text: 'x' },
              { type: 'toolCall', ordinal: 0 },
            ]),
            fc.constant({
              isError: false,
              content: 'x',
              sessionId: 's1',
              revision: 1,
              from: 0,
              to: 3,
            }),
          ),
        ),
      }),
    ),
  }),
  { maxLength: 25 },
) as fc.Arbitrary<unknown> as fc.Arbitrary<HistoryRecord[]>;
