import type { CommandOf, SessionCommand } from '../../src/domain/commands.js';
import { type Decision, decide } from '../../src/domain/decide.js';
import type { isStoppedWithParent, refuseSpawning } from '../../src/domain/spawning.js';
import type { CallState } from '../../src/domain/state.js';
import { type Decide, type Handled, SESSION, SessionLog } from '../support/session-log.js';
import type { Choices } from './choices.js';
import { Clocks } from './clocks.js';
import { StreamWatch } from './stream-watch.js';
import { Target } from './target.js';
import { Violation } from './watched-call.js';

/** The rules of the protocol that a mutation can take away, one at a time. */
export interface Rules {
  readonly decide: Decide;
  readonly appendAtAnyRevision?: boolean;
  readonly operationKeyPerAttempt?: boolean;
  readonly sendBeforePermit?: boolean;
  readonly noDispatchLimit?: boolean;
  readonly windowsByWallClock?: boolean;
  readonly waitsByWallClock?: boolean;
  /** In the place of the domain's own. */
  readonly refuseSpawning?: typeof refuseSpawning;
  readonly isStoppedWithParent?: typeof isStoppedWithParent;
  /** Only these invariants count; without it all of them. */
  readonly heed?: readonly string[];
}

export const ALL_RULES: Rules = { decide };

type Then = (handled: Handled) => void;

/** A server makes its command anew of the state that it decides on. */
type Made = SessionCommand | (() => SessionCommand);

interface Held {
  readonly made: Made;
  readonly command: SessionCommand;
  readonly decidedAt: number;
  readonly handled: Handled;
  readonly then: Then;
}

/**
 * One session, its server, its target and the time. Commands race (one is decided, another is
 * appended first), answers get lost, and things happen later than they were caused.
 */
export class World {
  readonly watch: StreamWatch;
  readonly log: SessionLog;
  readonly target: Target;
  nowMs = 0;
  readonly clocks: Clocks;
  /** Somebody has set enough of a budget. */
  hasBudget = true;
  private ids = 0;
  private held: Held[] = [];
  private happenings: { readonly atMs: number; readonly order: number; happen: () => void }[] = [];
  private last: SessionCommand | undefined;

  constructor(
    readonly choices: Choices,
    readonly rules: Rules,
  ) {
    this.log = new SessionLog(SESSION, rules.decide);
    this.target = new Target(choices);
    this.clocks = new Clocks(choices, () => this.nowMs);
    this.watch = new StreamWatch((invariant, what) => this.violated(invariant, what));
  }

  violated(invariant: string, what: string): void {
    if (this.rules.heed?.includes(invariant) ?? true) throw new Violation(invariant, what);
  }

  get now(): string {
    return this.clocks.now;
  }

  /** By which windows of the call are over. */
  latestFor(call: CallState): string {
    return this.rules.windowsByWallClock ? this.now : this.clocks.latestFor(call);
  }

  hasWaited(call: CallState): boolean {
    return this.rules.waitsByWallClock === true || this.clocks.hasWaited(call);
  }

  id(kind: string): string {
    this.ids += 1;
    return `${kind}-${this.ids}`;
  }

  /** The first command, which is decided alike in every schedule. */
  begin(command: SessionCommand, decision: Decision): void {
    if (decision.kind === 'accepted') this.append(command, decision, this.log.state.revision);
  }

  /** Sends a command to the server; sometimes it is decided now and appended later. */
  send(made: Made, then: Then = nothing): void {
    const command = commandOf(made);
    if (!this.choices.oneIn(10)) return this.handle(command, then);
    const decidedAt = this.log.state.revision;
    this.held.push({ made, command, decidedAt, handled: this.log.decide(command), then });
  }

  /** A command that was decided comes to be appended: anew, if the log has moved on (R2). */
  appendOneHeld(): void {
    const held = this.held.shift();
    if (held === undefined) return;
    const { made, command, decidedAt, handled, then } = held;
    const current = decidedAt === this.log.state.revision || this.rules.appendAtAnyRevision;
    if (!current || handled.kind !== 'accepted') return this.handle(commandOf(made), then);
    this.append(command, handled, decidedAt);
    then(handled);
  }

  private handle(command: SessionCommand, then: Then): void {
    const { revision } = this.log.state;
    const handled = this.log.decide(command);
    if (handled.kind === 'accepted') this.append(command, handled, revision);
    this.last = handled.kind === 'accepted' ? command : this.last;
    then(handled);
  }

  private append(
    command: SessionCommand,
    handled: Extract<Handled, { kind: 'accepted' }>,
    decidedAt: number,
  ): void {
    this.clocks.recorded();
    this.log.append(command, handled.events);
    this.watch.see(command, handled.events, decidedAt);
  }

  /** The answer got lost, and the sender asks again: nothing may be appended twice. */
  repeatLast(): void {
    if (this.last === undefined) return;
    const again = this.log.decide(this.last);
    if (again.kind === 'accepted') this.violated('I-17', `${this.last.type} was done twice`);
  }

  later(afterMs: number, happen: () => void): void {
    this.ids += 1;
    this.happenings.push({ atMs: this.nowMs + afterMs, order: this.ids, happen });
  }

  /** Time passes, and what is due in it happens, in order. */
  pass(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const next = this.nextHappening(untilMs);
      if (next === undefined) break;
      this.nowMs = next.atMs;
      next.happen();
    }
    this.nowMs = untilMs;
  }

  private nextHappening(untilMs: number) {
    let next: (typeof this.happenings)[number] | undefined;
    for (const one of this.happenings) {
      if (one.atMs > untilMs) continue;
      const earlier =
        next === undefined ||
        one.atMs < next.atMs ||
        (one.atMs === next.atMs && one.order < next.order);
      if (earlier) next = one;
    }
    if (next !== undefined) this.happenings.splice(this.happenings.indexOf(next), 1);
    return next;
  }

  operationKeyOf(call: CallState, attempt: number): string {
    const { request } = this.watch.calls.get(call.callId)!;
    if (call.opKey !== request.opKey || call.argsHash !== request.argsHash) {
      this.violated('I-10', 'an attempt is made with another key or other arguments');
    }
    return this.rules.operationKeyPerAttempt ? `${call.opKey}:${attempt}` : call.opKey;
  }

  /** Never refused and never lost, whoever sends it and whenever (protocol, §8.5). */
  reportLate(report: Omit<CommandOf<'ReportLateResult'>, 'type' | 'commandId' | 'now'>): void {
    const command = {
      type: 'ReportLateResult',
      commandId: `late:${report.callId}:${report.attempt}:${report.resultHash}`,
      now: this.now,
      ...report,
    } as const;
    this.handle(command, (handled) => {
      if (handled.kind === 'rejected' && handled.rejection.code !== 'result_conflict') {
        this.violated('I-16', `a late result was refused: ${handled.rejection.code}`);
      }
      this.watch.reported(report.callId, report.attempt);
    });
  }
}

function nothing(): void {}

function commandOf(made: Made): SessionCommand {
  return typeof made === 'function' ? made() : made;
}
