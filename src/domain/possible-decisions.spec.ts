import { describe, expect, it } from '@jest/globals';
import { stopRun, tool } from '../../test/support/commands.js';
import {
  askedFor,
  callIn,
  escalated,
  outcomeUnknown,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { decideEscalation } from '../../test/support/settling-commands.js';
import type { SessionEvent } from './events.js';
import { possibleDecisions } from './possible-decisions.js';

const UNKNOWN = [toolCallStarted(), outcomeUnknown(), escalated()];
const RUN_STOPPED: SessionEvent = { type: 'RunStopped', data: { runId: 'run-1', by: 'owner' } };
const undoable = tool({ effect: 'opaqueWrite', compensate: 'refund' });

function possible(events: readonly SessionEvent[]) {
  const { state } = given(events);
  return possibleDecisions(state.calls['call-1']!, state);
}

describe('what a person can decide', () => {
  it('is everything while the run goes on, and nothing is undone that has no undoing', () => {
    const all = ['applied', 'notApplied', 'retry', 'compensate', 'abandon'];
    expect(possible([...askedFor(undoable), ...UNKNOWN])).toEqual(all);
    const plain = possible([...askedFor(tool()), ...UNKNOWN]);
    expect(plain).toEqual(['applied', 'notApplied', 'retry', 'abandon']);
  });

  it('is no further attempt once its run is over, or all attempts were made', () => {
    const found = ['applied', 'notApplied', 'abandon'];
    expect(possible([...askedFor(tool()), ...UNKNOWN, RUN_STOPPED])).toEqual(found);
    expect(possible([...askedFor(tool({ maxAttempts: 1 })), ...UNKNOWN])).toEqual(found);
  });

  it('is only what was found out after it was given up, and nothing where nothing is in question', () => {
    expect(possible(callIn('abandoned', 'opaqueWrite'))).toEqual(['applied', 'notApplied']);
    for (const status of ['requested', 'running', 'completed', 'applied'] as const) {
      expect(possible(callIn(status, 'opaqueWrite'))).toEqual([]);
    }
  });
});

describe('a refused decision', () => {
  const refusal = (events: readonly SessionEvent[], decision: 'retry' | 'applied') => {
    const { log } = given(events);
    const handled = log.decide(decideEscalation({ decision }));
    return handled.kind === 'rejected' ? handled.rejection : undefined;
  };

  it('says what can be decided instead', () => {
    const ended = [...askedFor(tool()), ...UNKNOWN, RUN_STOPPED];
    expect(refusal(ended, 'retry')).toMatchObject({
      code: 'run_ended',
      message: expect.stringContaining('possible now: applied, notApplied, abandon'),
      facts: { possible: ['applied', 'notApplied', 'abandon'] },
    });
  });

  it.each([
    ['requested', /its owner starts or skips it/],
    ['running', /wait until 20.*, or stop its run/],
    ['retryAuthorized', /attempt 2 may be made/],
    ['completed', /reported as a late result/],
  ] as const)('of a call that is %s says what has to happen first', (status, words) => {
    expect(refusal(callIn(status, 'opaqueWrite'), 'applied')?.message).toMatch(words);
  });

  it('in a run that is being stopped leaves the findings', () => {
    const { log } = given(askedFor(tool()), UNKNOWN);
    log.handle(stopRun({ lease: { live: true } }));
    const handled = log.decide(decideEscalation({ decision: 'retry' }));
    expect(handled).toMatchObject({
      rejection: { code: 'run_stopped', facts: { possible: ['applied', 'notApplied', 'abandon'] } },
    });
  });
});
