import { describe, expect, it } from '@jest/globals';
import {
  at,
  recordToolProgress,
  recordToolResult,
  reportToolUnknown,
  skipToolCall,
  startToolCall,
  stopRun,
  tool,
} from '../../test/support/commands.js';
import {
  askedFor,
  callIn,
  outcomeUnknown,
  resultRecorded,
  retryAuthorized,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { reconcileCall } from '../../test/support/settling-commands.js';
import type { CallStatus } from './state.js';
import type { EffectClass } from './tool-manifest.js';

const OLD_FENCE = { epoch: 0, claimTokenHash: 'token-0' };
const STRANGER = { epoch: 1, claimTokenHash: 'token-of-another' };

describe('starting a tool call', () => {
  it('gives a permit with the time until it may be sent and until it must have answered', () => {
    const asked = given(askedFor(tool({ timeoutMs: 20_000 })));
    expect(asked.when(startToolCall({ timeoutMs: 20_000, now: at(1_000) })).outcome).toEqual([
      {
        type: 'ToolCallStarted',
        data: {
          callId: 'call-1',
          attempt: 1,
          epoch: 1,
          startedAt: at(1_000),
          dispatchBy: at(6_000),
          deadline: at(26_000),
          basis: 'first',
        },
      },
    ]);
  });

  it('gives no time beyond the declared flight of a request', () => {
    const asked = given(askedFor(tool({ timeoutMs: 20_000, maxFlightMs: 25_000 })));
    expect(asked.when(startToolCall({ timeoutMs: 999_000 })).outcome).toMatchObject([
      { data: { deadline: at(25_000) } },
    ]);
  });

  it.each<[CallStatus, string]>([
    ['running', 'already_running'],
    ['unknown', 'outcome_unknown'],
    ['awaitingHuman', 'outcome_unknown'],
    ['completed', 'invalid_state'],
    ['failed', 'invalid_state'],
    ['skipped', 'invalid_state'],
    ['applied', 'invalid_state'],
    ['notApplied', 'invalid_state'],
    ['abandoned', 'invalid_state'],
  ])('of a call that is %s is refused: %s', (status, code) => {
    const command = startToolCall({ attempt: 2, commandId: 'another' });
    expect(given(callIn(status, 'opaqueWrite')).when(command).outcome).toBe(code);
  });

  it.each<[EffectClass, string]>([
    ['readOnly', 'readOnly'],
    ['keyedWrite', 'keyedWithinWindow'],
    ['queryableWrite', 'probeNotApplied'],
    ['opaqueWrite', 'human'],
  ])('again needs an authorized retry; of a %s on the basis %s', (effect, basis) => {
    const retry = given(callIn('retryAuthorized', effect)).when(startToolCall({ attempt: 2 }));
    expect(retry.short).toEqual([`ToolCallStarted(2 ${basis})`]);
    expect(retry.callStatus()).toBe('running');
  });

  it('names the attempt it wants', () => {
    expect(given(askedFor(tool())).when(startToolCall({ attempt: 2 })).outcome).toBe(
      'stale_attempt',
    );
    expect(given(callIn('retryAuthorized', 'readOnly')).when(startToolCall()).outcome).toBe(
      'stale_attempt',
    );
  });

  it('in time: a retry is allowed until a moment, and not after it', () => {
    const retry = [...callIn('unknown', 'opaqueWrite'), retryAuthorized({ notAfter: at(10_000) })];
    const until = startToolCall({ attempt: 2, now: at(10_000) });
    expect(given(retry).when(until).short).toEqual(['ToolCallStarted(2 readOnly)']);
    const after = startToolCall({ attempt: 2, now: at(10_001) });
    expect(given(retry).when(after).outcome).toBe('retry_expired');
  });

  it('is for the owner only', () => {
    const asked = askedFor(tool());
    expect(given(asked).when(startToolCall({ fence: OLD_FENCE })).outcome).toBe('stale_epoch');
    expect(given(asked).when(startToolCall({ fence: STRANGER })).outcome).toBe('stale_epoch');
    expect(given(asked).when(startToolCall({ callId: 'call-9' })).outcome).toBe('not_found');
  });

  it('is over once a user has asked to stop', () => {
    expect(given(askedFor(tool())).when(stopRun(), startToolCall()).outcome).toBe('run_stopped');
  });

  it('twice by the same command gives the same permit, as long as it may be used', () => {
    const asked = given(askedFor(tool()));
    expect(asked.when(startToolCall(), startToolCall()).outcome).toBe('repeated');
    const stopped = given(askedFor(tool())).when(startToolCall(), stopRun(), startToolCall());
    expect(stopped.outcome).toBe('run_stopped');
  });

  it('twice by the same command gives no permit once another attempt could be meant', () => {
    const asked = () => given(askedFor(tool({ effect: 'readOnly' })));
    const lost = [startToolCall(), reportToolUnknown()];
    expect(asked().when(...lost, startToolCall()).outcome).toBe('outcome_unknown');
    expect(asked().when(...lost, reconcileCall(), startToolCall()).outcome).toBe('stale_attempt');
    const second = startToolCall({ attempt: 2, commandId: 'second' });
    const retried = asked().when(...lost, reconcileCall(), second, startToolCall());
    expect(retried.outcome).toBe('already_running');
  });

  it('twice by the same command answers as before when the result is there', () => {
    const done = given(askedFor(tool())).when(startToolCall(), recordToolResult(), startToolCall());
    expect(done.outcome).toBe('repeated');
  });
});

describe('recording a result', () => {
  it('completes the call, whether or not the answer is an error', () => {
    const command = recordToolResult({ result: { isError: true, content: 'exit code 1' } });
    const answered = given(callIn('running', 'opaqueWrite')).when(command);
    expect(answered.short).toEqual(['ToolResultRecorded(1 completed)']);
    expect(answered.callStatus()).toBe('completed');
  });

  it.each<EffectClass>(['readOnly', 'keyedWrite', 'queryableWrite', 'opaqueWrite'])(
    'of no effect fails a %s whose only attempt it was',
    (effect) => {
      const refused = given(callIn('running', effect)).when(
        recordToolResult({ status: 'noEffect', scope: 'attempt' }),
      );
      expect(refused.short).toEqual(['ToolResultRecorded(1 noEffect)']);
      expect(refused.callStatus()).toBe('failed');
    },
  );

  const second = [
    retryAuthorized({ basis: 'keyedWithinWindow' }),
    toolCallStarted({ attempt: 2, basis: 'keyedWithinWindow' }),
  ];

  it('of no effect proves nothing about an earlier attempt that is open', () => {
    const refused = given(callIn('unknown', 'keyedWrite'), second).when(
      recordToolResult({ attempt: 2, status: 'noEffect', scope: 'attempt' }),
    );
    expect(refused.short).toEqual([
      'ToolResultRecorded(2 noEffect)',
      'ToolOutcomeUnknown(2 earlierAttemptOpen)',
    ]);
    expect(refused.callStatus()).toBe('unknown');
  });

  it('of no effect of the whole operation settles earlier attempts too', () => {
    const refused = given(callIn('unknown', 'keyedWrite'), second).when(
      recordToolResult({ attempt: 2, status: 'noEffect', scope: 'operation' }),
    );
    expect(refused.short).toEqual(['ToolResultRecorded(2 noEffect)']);
    expect(refused.callStatus()).toBe('failed');
  });

  it('of no effect fails the call once every attempt is proven to have done nothing', () => {
    const late = given(
      askedFor(tool({ effect: 'keyedWrite' })),
      toolCallStarted(),
      resultRecorded({ status: 'noEffect', scope: 'attempt' }),
      outcomeUnknown(),
      second,
    ).when(recordToolResult({ attempt: 2, status: 'noEffect', resultHash: 'hash-2' }));
    expect(late.callStatus()).toBe('failed');
  });

  it.each<[CallStatus, string]>([
    ['requested', 'not_started'],
    ['unknown', 'stale_attempt'],
    ['retryAuthorized', 'invalid_state'],
    ['awaitingHuman', 'invalid_state'],
    ['skipped', 'stale_attempt'],
    ['abandoned', 'invalid_state'],
  ])('of a call that is %s is refused: %s', (status, code) => {
    expect(given(callIn(status, 'opaqueWrite')).when(recordToolResult()).outcome).toBe(code);
  });

  it('of another attempt than the running one is refused', () => {
    const command = recordToolResult({ attempt: 2 });
    expect(given(callIn('running', 'opaqueWrite')).when(command).outcome).toBe('stale_attempt');
  });

  it('by another command with the same content is nothing new', () => {
    const again = recordToolResult({ commandId: 'again' });
    expect(given(callIn('completed', 'opaqueWrite')).when(again).outcome).toBe('repeated');
  });

  it('by another command with other content is a conflict; the first result stays', () => {
    const other = recordToolResult({ commandId: 'other', resultHash: 'hash-2' });
    const told = given(callIn('completed', 'opaqueWrite')).when(other);
    expect(told.short).toEqual(['ToolConflictDetected(resultMismatch)']);
    expect(told.state.calls['call-1']?.attempts[0]?.result?.hash).toBe('hash-1');
  });

  it('of a read that differs from the first one is refused, without a conflict', () => {
    const other = recordToolResult({ commandId: 'other', resultHash: 'hash-2' });
    expect(given(callIn('completed', 'readOnly')).when(other).outcome).toBe('result_conflict');
  });

  it('is for the owner only, and still possible while a stop is carried out', () => {
    const running = callIn('running', 'opaqueWrite');
    expect(given(running).when(recordToolResult({ fence: OLD_FENCE })).outcome).toBe('stale_epoch');
    expect(given(running).when(recordToolResult({ fence: STRANGER })).outcome).toBe('stale_epoch');
    expect(given(running).when(stopRun(), recordToolResult()).callStatus()).toBe('completed');
  });
});

describe('what else the owner tells of a call', () => {
  it('an outcome that it does not know', () => {
    const told = given(callIn('running', 'opaqueWrite')).when(reportToolUnknown());
    expect(told.short).toEqual(['ToolOutcomeUnknown(1 transport)']);
    expect(told.callStatus()).toBe('unknown');
    const again = reportToolUnknown({ commandId: 'again' });
    expect(given(callIn('unknown', 'opaqueWrite')).when(again).outcome).toBe('repeated');
    expect(given(askedFor(tool())).when(reportToolUnknown()).outcome).toBe('not_started');
  });

  it('an id at the target, as soon as it is known', () => {
    const told = given(callIn('running', 'opaqueWrite')).when(recordToolProgress());
    expect(told.short).toEqual(['ToolCallProgressed(1)']);
    expect(told.state.calls['call-1']?.externalRef).toBe('ticket-1');
    expect(given(askedFor(tool())).when(recordToolProgress()).outcome).toBe('not_started');
  });

  it('that it will not make a call which never started', () => {
    const told = given(askedFor(tool())).when(skipToolCall());
    expect(told.short).toEqual(['ToolCallSkipped(denied)']);
    expect(told.callStatus()).toBe('skipped');
    expect(given(callIn('running', 'opaqueWrite')).when(skipToolCall()).outcome).toBe(
      'invalid_state',
    );
    expect(given(callIn('skipped', 'opaqueWrite')).when(skipToolCall()).outcome).toBe('repeated');
  });
});
