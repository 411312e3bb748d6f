import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import type { SessionCommand } from '../../src/domain/commands.js';
import { CALLS_PER_MESSAGE_MAX, OPEN_CALLS_MAX } from '../../src/domain/decide-model-call.js';
import { evolve } from '../../src/domain/evolve.js';
import { type SessionState, callsOf, initialState, isUnresolved } from '../../src/domain/state.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import {
  acceptInput,
  at,
  claimRun,
  completeRun,
  recordAssistantMessage,
  recordToolResult,
  requestedCall,
  settleModelCall,
  startModelCall,
  startSession,
  startToolCall,
} from '../support/commands.js';
import { type Handled, SESSION, SessionLog } from '../support/session-log.js';
import { stored } from '../support/stored.js';
import { type Recipe, commandOf, recipeArbitrary } from './random-commands.js';
import { StreamWatch } from './stream-watch.js';
import { TOOLS } from './world-tools.js';

const codec = new EventCodec();
/** One seed, so that what the histories come to does not change from run to run. */
const RUNS = {
  numRuns: Number(process.env['PROPERTY_RUNS'] ?? 100),
  seed: Number(process.env['SEED'] ?? 3),
};
const historyArbitrary = fc.array(recipeArbitrary, { minLength: 20, maxLength: 90, size: 'max' });

/** What only holds if every target keeps its tool's promises, and these commands are not such. */
const NEEDS_HONESTY = new Set(['I-8', 'I-19']);

/** What random histories have to come to, or the properties say little. */
const COMES_TO = [
  'RecoveryAttempted',
  'RunStopped',
  'ToolCallStarted',
  'ToolConflictDetected',
  'ToolEscalated',
  'ToolLateResultReceived',
  'ToolOutcomeResolved',
  'ToolRetryAuthorized',
];

interface Step {
  readonly command: SessionCommand;
  readonly handled: Handled;
  readonly before: SessionState;
  readonly after: SessionState;
}

/** Handles the commands made of the recipes, one after the other, as a server would. */
function play(recipes: readonly Recipe[], see: (step: Step) => void): SessionLog {
  const log = new SessionLog(SESSION);
  let nowMs = 0;
  const handle = (command: SessionCommand) => {
    const before = log.state;
    const handled = log.handle(command);
    see({ command, handled, before, after: log.state });
  };
  handle(startSession({ tools: TOOLS }));
  handle(acceptInput({ inputId: 'input-first' }));
  handle(claimRun({ claimTokenHash: 'token-first' }));
  for (const recipe of recipes) {
    nowMs += recipe.passMs + 1;
    handle(commandOf(recipe, log.state, nowMs));
  }
  return log;
}

/** A snapshot is JSON; comparing canonical JSON leaves missing and undefined fields equal. */
function text(state: SessionState): string {
  return canonicalize(state)!;
}

describe('any history of commands', () => {
  it('changes nothing by a command that is refused', () => {
    fc.assert(
      fc.property(historyArbitrary, (recipes) => {
        const changed: SessionCommand[] = [];
        play(recipes, ({ command, handled, before, after }) => {
          if (handled.kind !== 'accepted' && after !== before) changed.push(command);
        });
        expect(changed).toEqual([]);
      }),
      RUNS,
    );
  });

  it('yields no event by a command that is sent again, and the same receipt', () => {
    const usedUp = ['stale_epoch', 'run_stopped', 'run_ended', 'session_quarantined'];
    const spent = ['outcome_unknown', 'stale_attempt', 'already_running', 'retry_expired'];
    fc.assert(
      fc.property(historyArbitrary, (recipes) => {
        const done: { command: SessionCommand; first: number; last: number }[] = [];
        const log = play(recipes, ({ command, handled, before, after }) => {
          if (handled.kind !== 'accepted') return;
          done.push({ command, first: before.revision + 1, last: after.revision });
        });
        for (const { command, first, last } of done) {
          const again = log.decide(command);
          const isPermit = command.type === 'StartToolCall' || command.type === 'StartModelCall';
          if (isPermit && again.kind === 'rejected') {
            const isCall = command.type === 'StartToolCall';
            expect(isCall ? [...usedUp, ...spent] : usedUp).toContain(again.rejection.code);
          } else {
            expect(again).toMatchObject({ kind: 'repeated', receipt: { first, last } });
          }
        }
      }),
      RUNS,
    );
  });

  it('leads to the same state from the beginning, and from any snapshot with its tail', () => {
    fc.assert(
      fc.property(historyArbitrary, fc.nat(), (recipes, place) => {
        const log = play(recipes, () => undefined);
        const snapshotAt = place % log.records.length;
        let folded = initialState;
        let fromSnapshot = initialState;
        for (const record of log.records) {
          const { event } = codec.decode(stored(record, codec));
          folded = evolve(folded, event);
          fromSnapshot = evolve(fromSnapshot, event);
          if (record.revision === snapshotAt) {
            fromSnapshot = JSON.parse(JSON.stringify(fromSnapshot)) as SessionState;
          }
        }
        expect(text(folded)).toBe(text(log.state));
        expect(text(fromSnapshot)).toBe(text(log.state));
      }),
      RUNS,
    );
  });

  it('is stored and read back without a loss', () => {
    fc.assert(
      fc.property(historyArbitrary, (recipes) => {
        const log = play(recipes, () => undefined);
        const bytes = log.records.map((record) => stored(record, codec));
        expect(bytes.map((one) => stored(codec.decode(one), codec))).toEqual(bytes);
      }),
      RUNS,
    );
  });

  it('keeps the invariants of the protocol that its stream shows', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(historyArbitrary, (recipes) => {
        const violations: string[] = [];
        const watch = new StreamWatch((invariant, what) => {
          if (!NEEDS_HONESTY.has(invariant)) violations.push(`${invariant}: ${what}`);
        });
        play(recipes, ({ command, handled, before }) => {
          if (handled.kind === 'accepted') watch.see(command, handled.events, before.revision);
          if (command.type === 'ReportLateResult' && handled.kind !== 'rejected') {
            watch.reported(command.callId, command.attempt);
          }
        });
        for (const type of watch.counts.keys()) seen.add(type);
        expect(violations).toEqual([]);
      }),
      { ...RUNS, numRuns: 4 * RUNS.numRuns },
    );
    expect([...seen]).toEqual(expect.arrayContaining(COMES_TO));
  });

  it('keeps its state small', () => {
    fc.assert(
      fc.property(historyArbitrary, (recipes) => {
        let [open, all] = [0, 0];
        play(recipes, ({ after }) => {
          const calls = callsOf(after);
          open = Math.max(open, calls.filter(isUnresolved).length);
          all = Math.max(all, calls.length);
        });
        expect(open).toBeLessThanOrEqual(OPEN_CALLS_MAX);
        expect(all).toBeLessThanOrEqual(OPEN_CALLS_MAX + CALLS_PER_MESSAGE_MAX);
      }),
      RUNS,
    );
  });
});

describe('the state of a long session', () => {
  /** One input, one run, two model calls and one tool call. */
  function turn(log: SessionLog, number: number): void {
    const fence = { epoch: number, claimTokenHash: `token-${number}` };
    const runId = `run-${number}`;
    const callId = `call-${number}`;
    const [asking, answering] = [`asking-${number}`, `answering-${number}`];
    const commands = [
      acceptInput({ inputId: `input-${number}` }),
      claimRun({ runId, claimTokenHash: `token-${number}` }),
      startModelCall({ fence, modelCallId: asking }),
      recordAssistantMessage({ fence, modelCallId: asking, calls: [requestedCall({ callId })] }),
      settleModelCall({ fence, modelCallId: asking }),
      startToolCall({ fence, callId, now: at(number) }),
      recordToolResult({ fence, callId }),
      startModelCall({ fence, modelCallId: answering }),
      recordAssistantMessage({ fence, modelCallId: answering }),
      settleModelCall({ fence, modelCallId: answering }),
      completeRun({ fence, runId }),
    ];
    for (const command of commands) {
      expect(log.handle(command)).toMatchObject({ kind: 'accepted' });
    }
  }

  it('does not grow with its history', () => {
    const log = new SessionLog(SESSION);
    log.handle(startSession({ tools: TOOLS }));
    const sizes: number[] = [];
    for (let number = 1; number <= 300; number += 1) {
      turn(log, number);
      sizes.push(JSON.stringify(log.state).length);
    }
    // Numbers and ids get longer by a few digits, and nothing is added.
    expect(sizes.at(-1)! - sizes[0]!).toBeLessThan(40);
    expect(log.state.revision).toBe(300 * 13);
  });
});
