import { describe, expect, it } from '@jest/globals';
import {
  at,
  completeRun,
  failRun,
  recordToolResult,
  startModelCall,
  startToolCall,
  tool,
} from '../../test/support/commands.js';
import {
  askedFor,
  outcomeUnknown,
  resultRecorded,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { decideEscalation, reconcileCall } from '../../test/support/settling-commands.js';
import { reportLateResult } from '../../test/support/settling-commands.js';
import { VOID, undoOrdered } from '../../test/support/undo-events.js';
import { accountOf } from './account.js';
import type { OrderedCompensation } from './settling-commands.js';
import { owesUndo, statusOf } from './state.js';
import { workOf } from './work.js';

const BOOK = tool({ name: 'book', compensate: VOID.name, compensateWhenRunFails: true });
const REQUESTED = [...askedFor(BOOK), toolCallStarted()];
const DONE = [...REQUESTED, resultRecorded()];
const compensation = (undoOrdered({ runId: 'undoing-run' }) as { data: OrderedCompensation }).data;
const step = (more: object = { compensation }) => reconcileCall({ commandId: 'owed', ...more });

describe('what a run has done, when the run fails and the author of the tool wants it undone', () => {
  it('is remembered over the next model calls, owed from the failure on, and then ordered', () => {
    const later = startModelCall({ modelCallId: 'm2', messageId: 'n2', commandId: 'm2' });
    const failed = given(DONE).when(later, failRun());
    expect(owesUndo(failed.state.calls['call-1']!)).toBe(true);
    expect(statusOf(failed.state)).toBe('scheduled');
    expect(accountOf(failed.state, false, at(0)).class).toBe('scheduled');
    const ordered = given(DONE).when(later, failRun(), step());
    expect(ordered.short).toEqual(['ToolCompensationRequested']);
    expect(ordered.callStatus()).toBe('compensating');
    expect(workOf(ordered.state)).toMatchObject({ reason: 'start' });
    expect(given(DONE).when(failRun(), step(), step({ commandId: 'twice' })).outcome).toBe(
      'repeated',
    );
  });

  it('is left as it is when the run does not fail', () => {
    const completed = given(DONE).when(completeRun());
    expect(owesUndo(completed.state.calls['call-1']!)).toBe(false);
    expect(statusOf(completed.state)).toBe('idle');
  });

  it('waits until it is known that there was an effect; what had none is left alone', () => {
    const unknown = given(REQUESTED, outcomeUnknown()).when(failRun());
    expect(owesUndo(unknown.state.calls['call-1']!)).toBe(false);
    const late = reportLateResult({ commandId: 'late' });
    const known = given(REQUESTED, outcomeUnknown()).when(failRun(), late);
    expect(known.callStatus()).toBe('completed');
    expect(owesUndo(known.state.calls['call-1']!)).toBe(true);
    const none = decideEscalation({ decision: 'notApplied' });
    const nothing = given(REQUESTED, outcomeUnknown()).when(failRun(), none);
    expect(owesUndo(nothing.state.calls['call-1']!)).toBe(false);
  });

  it('is a question to a person where nothing can undo it by key', () => {
    expect(given(DONE).when(failRun(), step({ compensation: undefined })).short).toEqual([
      'ToolEscalated(compensationFailed)',
    ]);
  });
});

describe('a call that undoes another', () => {
  const start = startToolCall({ callId: 'undo-1', commandId: 'start-undo' });
  const answer = (more: object) =>
    recordToolResult({ callId: 'undo-1', commandId: 'undone', ...more });

  it('may find nothing to undo', () => {
    const ordered = [...REQUESTED, outcomeUnknown(), undoOrdered()];
    const found = given(ordered).when(start, answer({ nothingToUndo: true }));
    expect(found.short).toEqual([
      'ToolResultRecorded(1 completed)',
      'ToolCompensationRecorded(nothingToUndo)',
      'ToolOutcomeResolved(compensated compensation)',
    ]);
  });

  it('alone can say so', () => {
    const command = recordToolResult({ nothingToUndo: true });
    expect(given(REQUESTED).when(command).outcome).toBe('invalid_request');
  });
});
