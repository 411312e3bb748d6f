import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SteadyTimes } from '../../src/commands/steady-times.js';
import { SessionRepository } from '../../src/commands/session-repository.js';
import { accountOf } from '../../src/domain/account.js';
import type { SessionEvent } from '../../src/domain/events.js';
import { fold } from '../../src/domain/evolve.js';
import { type SessionState, STATE_SCHEMA_VERSION, initialState } from '../../src/domain/state.js';
import { isForAnyWorker, workOf } from '../../src/domain/work.js';
import { eventId, sessionStream } from '../../src/identity/derived-ids.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import { MemoryEventStore } from '../../src/storage/memory/memory-event-store.js';
import { canonicalJson } from '../../src/context/canonical-json.js';
import { sourceFromRecords } from '../../src/context/source-from-records.js';
import { type BuiltContext, built, contextOf } from '../context/built.js';
import { StreamBuilder } from '../context/stream-builder.js';
import { failureCase, streamOf } from '../context/failure-case-stream.js';
import { at, claimRun, startToolCall, tool } from '../support/commands.js';
import {
  askedFor,
  callRequested,
  inShort,
  inputAccepted,
  modelCallStarted,
  ownedSession,
  outcomeUnknown,
  resultRecorded,
  sessionStarted,
  toolCallStarted,
} from '../support/events.js';
import { given } from '../support/given-when-then.js';
import { reconcileCall, recordProbe } from '../support/settling-commands.js';

Logger.overrideLogger(false);

const STREAM = sessionStream('acme', 's1');

describe('a second store that lags behind the log', () => {
  const stream = streamOf(failureCase('fc-08'));
  const events = stream.records.map(({ event }) => event);

  /** The state that a process finds when the store has this snapshot, which is never the truth. */
  async function stateWith(snapshot: SessionState | undefined): Promise<SessionState> {
    const store = new MemoryEventStore();
    const codec = new EventCodec();
    const metadata = { tenantId: 'acme', actor: 'a', commandType: 'Test', commandId: 'c' };
    const encoded = events.map((event, index) =>
      codec.encode({
        eventId: eventId('acme', 's1', 'Test', 'c', index),
        event,
        metadata,
        recordedAtMs: 0,
      }),
    );
    await store.append(STREAM, 'noStream', encoded);
    if (snapshot !== undefined) {
      const { revision } = snapshot;
      const state = JSON.stringify(snapshot);
      await store.saveSnapshot(STREAM, { revision, schemaVersion: STATE_SCHEMA_VERSION, state });
    }
    return new SessionRepository(store, codec, new SteadyTimes(Date.now, Date.now)).loadCurrent(
      STREAM,
    );
  }

  it('fc-08.1: the state is that of the log, whether a snapshot is behind, ahead or missing', async () => {
    const whole = fold(initialState, events);
    const behind = fold(initialState, events.slice(0, 3));
    const ahead = fold(whole, [{ type: 'RunCompleted', data: { runId: 'r1', epoch: 1 } }]);
    for (const snapshot of [undefined, behind, whole, ahead]) {
      const state = await stateWith(snapshot);
      expect(canonicalJson(JSON.parse(JSON.stringify(state)))).toBe(
        canonicalJson(JSON.parse(JSON.stringify(whole))),
      );
    }
  });

  it('fc-08.2, fc-08.3: the context has the result of c1 directly behind m1', () => {
    const { messages } = contextOf(stream, { format: 'anthropic' });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(messages[2])).toContain('"tool_use_id":"c1"');
  });
});

describe('calls in flight at a crash', () => {
  const crashed: readonly SessionEvent[] = [
    ...askedFor(tool({ name: 'create_payment', effect: 'queryableWrite', probe: true })),
    callRequested(tool({ name: 'send_mail' }), { callId: 'call-2', ordinal: 1 }),
    toolCallStarted(),
    toolCallStarted({ callId: 'call-2' }),
  ];
  const takeover = claimRun({ runId: 'run-1', claimTokenHash: 'token-2' });
  const fence = { epoch: 2, claimTokenHash: 'token-2' };

  it('fc-09.1: every one of them is unknown after the claim, not only the first', () => {
    const claimed = given(crashed).when(takeover);
    expect([claimed.callStatus('call-1'), claimed.callStatus('call-2')]).toEqual([
      'unknown',
      'unknown',
    ]);
  });

  it('fc-09.2: none is started again before a decision about it is in the log', () => {
    for (const callId of ['call-1', 'call-2']) {
      const { log } = given(crashed);
      log.handle(takeover);
      const again = log.handle(startToolCall({ callId, attempt: 2, fence }));
      expect(again).toMatchObject({ kind: 'rejected', rejection: { code: 'outcome_unknown' } });
    }
  });
});

it('fc-13.2: a call with a stored result is not made again by whoever takes over', () => {
  const { log } = given(askedFor(tool()), toolCallStarted(), resultRecorded());
  log.handle(claimRun({ runId: 'run-1', claimTokenHash: 'token-2' }));
  const fence = { epoch: 2, claimTokenHash: 'token-2' };
  for (const attempt of [1, 2]) {
    const again = log.handle(startToolCall({ attempt, fence, commandId: `again-${attempt}` }));
    expect(again).toMatchObject({ kind: 'rejected', rejection: { code: 'invalid_state' } });
  }
});

describe('a write whose result was lost', () => {
  const UNKNOWN = [toolCallStarted({ startedAt: at(0), deadline: at(60_000) }), outcomeUnknown()];
  const order = tool({ effect: 'queryableWrite', probe: true, notFoundIsFinalAfterMs: 90_000 });
  const fence = { epoch: 1, claimTokenHash: 'token-1' };

  it('fc-10.3: is tried again with its key, once "not found" is final and not before', () => {
    const { log } = given(askedFor(order), UNKNOWN);
    const early = { answer: 'notFound', requestedAt: at(89_000), now: at(89_500) } as const;
    log.handle(recordProbe({ ...early, commandId: 'early' }));
    expect(log.state.calls['call-1']?.status).toBe('unknown');
    const final = { answer: 'notFound', requestedAt: at(90_000), now: at(90_500) } as const;
    log.handle(recordProbe({ ...final, commandId: 'final' }));
    log.handle(startToolCall({ attempt: 2, fence, now: at(91_000) }));
    expect(log.state.calls['call-1']).toMatchObject({
      status: 'running',
      opKey: 'key-of-call-1',
      attempts: [{ attempt: 1 }, { attempt: 2, basis: 'probeNotApplied' }],
    });
  });

  it('fc-10.5: a read may be made again at once', () => {
    const read = [...askedFor(tool({ effect: 'readOnly' })), ...UNKNOWN];
    const { short } = given(read).when(reconcileCall({ now: at(1) }));
    expect(short).toEqual(['ToolRetryAuthorized(2 readOnly)']);
  });
});

describe('what a scan finds to resume', () => {
  const run = { runId: 'run-1', epoch: 1 };
  const ends: Readonly<Record<string, readonly SessionEvent[]>> = {
    user: [
      {
        type: 'StopRequested',
        data: { runId: 'run-1', requestedAt: at(0), dropPendingInputs: false },
      },
      { type: 'RunStopped', data: { runId: 'run-1', by: 'owner' } },
    ],
    shutdown: [{ type: 'RunInterrupted', data: { ...run, reason: 'shutdown' } }],
    nothing: [],
    succeeded: [{ type: 'RunCompleted', data: run }],
    failed: [{ type: 'RunFailed', data: { ...run, errorClass: 'x', message: '' } }],
  };

  it('fc-11.1: nothing of a session that its user has stopped', () => {
    const { state } = given(ownedSession(), ends['user']!);
    expect(workOf(state)).toBeUndefined();
    expect(accountOf(state, false, at(0))).toEqual({ class: 'resting' });
    expect(given(ownedSession(), ends['user']!).when(claimRun({ runId: 'run-2' })).outcome).toBe(
      'session_stopped',
    );
  });

  it('fc-11.2: a shutdown and a crash leave work; a stop, a success and a failure leave none', () => {
    const found = Object.entries(ends).filter(
      ([, end]) => workOf(given(ownedSession(), end).state) !== undefined,
    );
    expect(found.map(([name]) => name)).toEqual(['shutdown', 'nothing']);
  });

  it('fc-11.3: in mode manual it is listed as resumable, waits for its user, and nobody gets it', () => {
    const manual = [sessionStarted({ recoveryMode: 'manual' }), ...ownedSession().slice(1)];
    const { state } = given(manual, ends['shutdown']!);
    expect(workOf(state)).toMatchObject({ reason: 'resume' });
    expect(isForAnyWorker(state)).toBe(false);
    expect(accountOf(state, false, at(0))).toEqual({ class: 'waiting', for: 'user' });
    expect(isForAnyWorker(given(ownedSession(), ends['shutdown']!).state)).toBe(true);
  });
});

describe('a provider that fails', () => {
  function after(end: (stream: StreamBuilder) => unknown): BuiltContext {
    const stream = new StreamBuilder('s1').started().claimed();
    stream.input('u1', 'hi').answer('m1', { text: 'hello' }).input('u2', 'go on');
    end(stream);
    const stored = JSON.parse(JSON.stringify(stream.records)) as typeof stream.records;
    return built(sourceFromRecords(stored, 's1'));
  }

  function failed(stream: StreamBuilder, message: string): void {
    stream.modelCall('failed').settled('failed', 'providerError');
    stream.add('RunFailed', { runId: 'r1', epoch: 1, errorClass: 'provider', message });
  }

  it('fc-14.1: takes nothing out of the conversation', () => {
    const { messages } = after((stream) => failed(stream, '401 invalid token'));
    expect(messages.map(({ content }) => content)).toEqual(['hi', 'hello', 'go on']);
  });

  it('fc-14.2: nor does any other end of a run, and the next one starts', () => {
    const ends = ['429 slow down', '503 unavailable', 'connection lost'].map(
      (message) => (stream: StreamBuilder) => failed(stream, message),
    );
    const stopped = (stream: StreamBuilder) => {
      stream.add('StopRequested', { runId: 'r1', requestedAt: at(0), dropPendingInputs: false });
      stream.add('RunStopped', { runId: 'r1', by: 'owner' });
    };
    for (const end of [...ends, stopped]) {
      const { messages } = after(end);
      expect(messages.map(({ content }) => content)).toEqual(['hi', 'hello', 'go on']);
    }
    const over: SessionEvent = {
      type: 'RunFailed',
      data: { runId: 'run-1', epoch: 1, errorClass: 'provider', message: '401' },
    };
    const next = given(ownedSession(), modelCallStarted(), over, inputAccepted({ inputId: 'u3' }));
    const claimed = next.when(claimRun({ runId: 'run-2', claimTokenHash: 'token-2' }));
    expect(claimed.outcome).toEqual(expect.any(Array));
    expect((claimed.outcome as readonly SessionEvent[]).map(inShort)[0]).toContain('RunClaimed');
  });
});

describe('a compaction and a restart', () => {
  const stream = new StreamBuilder('s1').started().claimed();
  stream.input('u1', 'long '.repeat(400)).answer('m1', { text: 'answer '.repeat(400) });
  const keptFrom = { sessionId: 's1', revision: stream.revision + 1 };
  stream.input('u2', 'k');
  const coveredFrom = { sessionId: 's1', revision: 0 };
  const coveredTo = { sessionId: 's1', revision: keptFrom.revision - 1 };
  stream.compacted('k1', { coveredFrom, coveredTo, keptFrom, openCalls: [] }, 'S');
  const before = sourceFromRecords(stream.records, 's1');
  const stored = JSON.parse(JSON.stringify(stream.records)) as typeof stream.records;
  const after = sourceFromRecords(stored, 's1');

  it('fc-17.1: the context has the same bytes before and after', () => {
    expect(canonicalJson(built(after))).toBe(canonicalJson(built(before)));
  });

  it('fc-17.2: it holds the summary and u2, and neither u1 nor m1', () => {
    const text = JSON.stringify(built(after).messages);
    expect(text).toMatch(/S\b/);
    expect(built(after).messages.at(-1)).toEqual({ role: 'user', content: 'k' });
    expect(text).not.toContain('long long');
    expect(text).not.toContain('answer answer');
  });

  it('fc-17.3: what was kept begins at the same place', () => {
    const watermarkOf = (records: typeof stream.records) =>
      fold(
        initialState,
        records.map(({ event }) => event),
      ).watermark;
    expect(watermarkOf(stored)).toMatchObject({ keptFrom });
    expect(watermarkOf(stored)).toEqual(watermarkOf(stream.records));
  });
});
