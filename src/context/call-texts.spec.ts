import { describe, expect, it } from '@jest/globals';
import { contextOf, resultText } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { completeManifest } from '../domain/tool-manifest.js';
import type { CallOptions } from '../../test/context/tool-call-writer.js';

const INTERRUPTED =
  'Tool execution was interrupted before a result was recorded. ' +
  'It may or may not have run; check before retrying.';
const NOT_STARTED = 'The tool call was not started. It had no effect.';
const TIMED_OUT =
  'No result was recorded within the time limit. ' +
  'The tool call may or may not have run; check before retrying.';
const CANCELLED =
  'The tool call was cancelled on request before a result was recorded. ' +
  'It may or may not have run; check before retrying.';
const CHECKED = 'Operation key: op-c. Its status is being checked.';

function called(call: CallOptions = {}): StreamBuilder {
  return new StreamBuilder()
    .started()
    .input('u1', 'go')
    .answer('m1', { calls: ['c'], call });
}

function running(call: CallOptions = {}): StreamBuilder {
  return called(call).startedCall('c');
}

function isError(stream: StreamBuilder): boolean {
  const { messages } = contextOf(stream, { format: 'anthropic' });
  const results = messages.flatMap(({ content }) => content as { type: string; is_error?: true }[]);
  return results.find(({ type }) => type === 'tool_result')?.is_error === true;
}

type Row = readonly [state: string, stream: () => StreamBuilder, text: string, error: boolean];

const escalated = (stream: StreamBuilder): StreamBuilder =>
  stream.add('ToolEscalated', {
    callId: 'c',
    escalationId: 'e',
    to: 'operator',
    dueAt: '2026-05-09T00:00:00Z',
    reason: 'noPolicy',
    blocking: true,
  });

const UNDO = completeManifest({ name: 'void', effect: 'keyedWrite', keyWindowMs: 86_400_000 });
const undoing = (stream: StreamBuilder): StreamBuilder =>
  stream.add('ToolCompensationRequested', {
    callId: 'c',
    compensationCallId: 'undo-c',
    runId: 'r',
    tool: UNDO.name,
    manifest: UNDO,
    opKey: 'op-undo',
    argsHash: 'h',
    args: {},
  });

const retried = (stream: StreamBuilder): StreamBuilder =>
  stream.add('ToolRetryAuthorized', {
    callId: 'c',
    nextAttempt: 2,
    basis: 'keyedWithinWindow',
    notAfter: null,
  });

const skipped = (
  reason: 'stopped' | 'runEnded' | 'denied' | 'requested' | 'unresolvedTwin',
): StreamBuilder =>
  called().add('ToolCallSkipped', {
    callId: 'c',
    reason,
    twinOf: reason === 'unresolvedTwin' ? 'c0' : undefined,
  });

const rows: readonly Row[] = [
  ['completed', () => called().done('c', 'exit 0'), 'exit 0', false],
  ['completed with an error', () => called().done('c', 'exit 1', true), 'exit 1', true],
  ['completed late', () => running().unknown('c', 'ownerLost').late('c', 'sent'), 'sent', false],
  [
    'failed',
    () => running().refused('c', 'denied by policy'),
    'denied by policy\nIt had no effect.',
    true,
  ],
  [
    'skipped: stopped',
    () => skipped('stopped'),
    'The tool call was cancelled on request before it started. It had no effect.',
    true,
  ],
  ['skipped: runEnded', () => skipped('runEnded'), NOT_STARTED, true],
  ['skipped: requested by the worker', () => skipped('requested'), NOT_STARTED, true],
  [
    'skipped: denied',
    () => skipped('denied'),
    'The tool call was not approved. It did not run.',
    true,
  ],
  [
    'skipped: unresolvedTwin',
    () => skipped('unresolvedTwin'),
    'The tool call was not sent: an equal earlier call has an outcome that is not known yet. ' +
      'It had no effect. Wait for that outcome or check it first. Earlier call: c0.',
    true,
  ],
  ['requested', () => called(), NOT_STARTED, true],
  ['running', () => running(), INTERRUPTED, true],
  [
    'unknown: ownerLost',
    () => running().unknown('c', 'ownerLost'),
    `${INTERRUPTED} ${CHECKED}`,
    true,
  ],
  [
    'unknown: shutdown',
    () => running().unknown('c', 'shutdown'),
    `${INTERRUPTED} ${CHECKED}`,
    true,
  ],
  [
    'unknown: transport',
    () => running().unknown('c', 'transport'),
    `${INTERRUPTED} ${CHECKED}`,
    true,
  ],
  [
    'unknown: retryStopped',
    () => running().unknown('c', 'retryStopped'),
    `${INTERRUPTED} ${CHECKED}`,
    true,
  ],
  [
    'unknown: earlierAttemptOpen',
    () => running().unknown('c', 'earlierAttemptOpen'),
    `${INTERRUPTED} ${CHECKED}`,
    true,
  ],
  [
    'unknown: imported',
    () => running().unknown('c', 'imported'),
    `${INTERRUPTED} Operation key: op-c.`,
    true,
  ],
  ['unknown: deadline', () => running().unknown('c', 'deadline'), `${TIMED_OUT} ${CHECKED}`, true],
  [
    'unknown: stoppedInFlight',
    () => running().unknown('c', 'stoppedInFlight'),
    `${CANCELLED} ${CHECKED}`,
    true,
  ],
  [
    'unknown read',
    () => running({ effect: 'readOnly' }).unknown('c', 'ownerLost'),
    INTERRUPTED,
    true,
  ],
  [
    'retryAuthorized',
    () => retried(running().unknown('c', 'ownerLost')),
    `${INTERRUPTED} Operation key: op-c. A retry with the same key is scheduled.`,
    true,
  ],
  [
    'awaitingHuman after a deadline',
    () => escalated(running().unknown('c', 'deadline')),
    `${TIMED_OUT} Operation key: op-c. operator has been asked.`,
    true,
  ],
  [
    'compensating',
    () => undoing(escalated(running().unknown('c', 'ownerLost'))),
    `${INTERRUPTED} Operation key: op-c. An undo has been ordered.`,
    true,
  ],
  [
    'compensated',
    () =>
      undoing(escalated(running().unknown('c', 'ownerLost')))
        .startedCall('undo-c')
        .resolved('c', 'compensated', 'compensation'),
    'The outcome was not known. A later action undid the operation, or found nothing to undo. ' +
      'Undone by: undo-c.',
    true,
  ],
  [
    'applied',
    () =>
      running()
        .unknown('c', 'ownerLost')
        .add('ToolProbeRecorded', {
          callId: 'c',
          probeNo: 1,
          kind: 'query',
          source: 'http',
          requestedAt: '2026-05-08T00:00:00Z',
          verdict: 'applied',
          evidence: {
            method: 'GET',
            target: 'https://pay.internal/x',
            statusCode: 200,
            externalRef: 're_1',
            observedAt: '2026-05-08T00:00:00Z',
          },
        })
        .resolved('c', 'applied'),
    'No direct result was recorded. A later check showed that the tool call took effect. ' +
      'Evidence: status 200; reference re_1.',
    false,
  ],
  [
    'notApplied',
    () => running().unknown('c', 'ownerLost').resolved('c', 'notApplied'),
    'No direct result was recorded. A later check showed that the tool call did not take effect. ' +
      'It may be issued again as a new call.',
    true,
  ],
  [
    'abandoned write',
    () => running().unknown('c', 'ownerLost').resolved('c', 'abandoned', 'expiry'),
    'The outcome of this tool call could not be established. It may or may not have taken effect; ' +
      'do not repeat it without checking. Operation key: op-c.',
    true,
  ],
  [
    'abandoned read',
    () => running({ effect: 'readOnly' }).unknown('c', 'ownerLost').resolved('c', 'abandoned'),
    'The read was interrupted before an answer was recorded. ' +
      'It has no side effects and may be called again.',
    true,
  ],
];

describe('the result that a model is shown for a call, by the state of the call', () => {
  it.each(rows)('%s', (_state, stream, text, error) => {
    expect(resultText(stream(), 'c')).toBe(text);
    expect(isError(stream())).toBe(error);
  });

  it('a person who decided is named as the evidence', () => {
    const stream = escalated(running().unknown('c', 'ownerLost'))
      .add('ToolEscalationDecided', {
        callId: 'c',
        escalationId: 'e',
        decision: 'applied',
        note: 'seen in the ledger',
        evidenceRef: 'T-7',
      })
      .resolved('c', 'applied', 'human');
    expect(resultText(stream, 'c')).toBe(
      'No direct result was recorded. A later check showed that the tool call took effect. ' +
        'Evidence: confirmed by a person; reference T-7; note: seen in the ledger.',
    );
  });

  it('no text holds a time or an address', () => {
    for (const [, stream] of rows) {
      expect(resultText(stream(), 'c')).not.toMatch(/\d{4}-\d\d-\d\d|https?:/);
    }
  });
});

describe('in a fork', () => {
  function forkOf(parent: StreamBuilder): StreamBuilder {
    return new StreamBuilder('child', parent.records).forked(parent);
  }

  it('a call that the parent had only requested was not started', () => {
    expect(resultText(forkOf(called()), 'c')).toBe(NOT_STARTED);
  });

  it.each(['running', 'unknown'])('a call that was %s belongs to the parent', (state) => {
    const parent = state === 'running' ? running() : running().unknown('c', 'ownerLost');
    expect(resultText(forkOf(parent), 'c')).toBe(
      'This tool call belongs to the parent session and its outcome is not known yet. ' +
        'Do not repeat it here. Session: s1.',
    );
    expect(contextOf(forkOf(parent)).unresolved).toMatchObject([
      { callId: 'c', status: 'inherited' },
    ]);
  });

  it('a placeholder that a model call of the parent has read stays as it was sent', () => {
    const parent = running().unknown('c', 'ownerLost').answer('m2', { text: 'I will wait' });
    expect(resultText(forkOf(parent), 'c')).toBe(`${INTERRUPTED} ${CHECKED}`);
  });

  it('what the parent learns after the cut is not known', () => {
    const parent = running().unknown('c', 'ownerLost');
    const child = forkOf(parent);
    parent.late('c', 'sent');
    expect(resultText(child, 'c')).toContain('its outcome is not known yet');
  });
});
