import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { EventMetadata, SessionEvent, SessionEventType } from '../../src/domain/events.js';
import { SESSION_EVENT_TYPES } from '../../src/domain/events/known-types.js';
import { fold } from '../../src/domain/evolve.js';
import { initialState } from '../../src/domain/state.js';
import { sessionStream } from '../../src/identity/derived-ids.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import type { RecordedEvent } from '../../src/storage/event-store.js';
import { SESSION, TENANT } from '../support/session-log.js';

interface Golden {
  readonly type: string;
  readonly data: SessionEvent['data'];
  readonly metadata: EventMetadata;
}

/** A new one is missing here until it has its file. */
const CURRENT = Object.keys(SESSION_EVENT_TYPES);

const folder = new URL('.', import.meta.url);
const storedNames = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));
/** Further examples of an event: what it holds in some cases only. */
const variants = readdirSync(new URL('variants/', folder)).map((file) => file.slice(0, -5));
const codec = new EventCodec();

function golden(storedName: string): Golden {
  return JSON.parse(readFileSync(new URL(`${storedName}.json`, folder), 'utf8')) as Golden;
}

function recorded(storedName: string): RecordedEvent {
  const { type, data, metadata } = golden(storedName);
  return {
    eventId: '1f9a6c1e-58f1-5c53-8b68-0f6e1a6d2c01',
    stream: sessionStream(TENANT, SESSION),
    revision: 7,
    position: 70n,
    type,
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
    recordedAtMs: Date.parse('2026-01-05T09:00:00.000Z'),
  };
}

describe('stored events', () => {
  it.each(CURRENT)('has an example of %s', (type) => {
    expect(storedNames).toContain(type);
  });

  it.each(storedNames)('%s bears the name of its file', (storedName) => {
    expect(golden(storedName).type).toBe(storedName);
  });

  it.each(CURRENT)('reads %s and writes the same bytes again', (type) => {
    const before = recorded(type);
    const { eventId, event, metadata } = codec.decode(before);
    const after = codec.encode({ eventId, event, metadata, recordedAtMs: before.recordedAtMs });
    expect(after).toMatchObject({ type, data: before.data, metadata: before.metadata });
  });

  it.each(variants)('%s is read and written with the same bytes', (file) => {
    const before = recorded(`variants/${file}`);
    const { eventId, event, metadata } = codec.decode(before);
    const after = codec.encode({ eventId, event, metadata, recordedAtMs: before.recordedAtMs });
    expect(after).toMatchObject({ data: before.data, metadata: before.metadata });
    expect(file.startsWith(`${event.type}.`)).toBe(true);
  });

  it('keep that a run was claimed by force', () => {
    const { event } = codec.decode(recorded('variants/RunClaimed.forced'));
    expect(event).toMatchObject({ type: 'RunClaimed', data: { forced: true } });
  });

  it('keep how long the answer of a model may take, and what of a tool is masked', () => {
    const log = ['SessionStarted.redact', 'ModelCallStarted.timeout'];
    const events = log.map((file) => codec.decode(recorded(`variants/${file}`)).event);
    const claimed = codec.decode(recorded('RunClaimed')).event;
    const state = fold(initialState, [events[0]!, claimed, events[1]!]);
    expect(state.modelCall?.timeoutMs).toBe(900_000);
    const redact = [{ name: 'order_token', pattern: 'ord_[a-z0-9]{16}', ignoreCase: true }];
    expect(state.tools['refund']?.redact).toEqual(redact);
  });

  it.each(storedNames)('%s becomes an event that there is now', (storedName) => {
    expect(CURRENT).toContain(codec.decode(recorded(storedName)).event.type);
  });

  const foldOf = (...types: SessionEventType[]) =>
    fold(
      initialState,
      types.map((type) => codec.decode(recorded(type)).event),
    );

  it('tell the story of a call that nobody knew the outcome of', () => {
    const state = foldOf(
      'SessionStarted',
      'FactsRecorded',
      'InputAccepted',
      'RunClaimed',
      'RecoveryAttempted',
      'InputDelivered',
      'ModelCallStarted',
      'AssistantMessageRecorded',
      'ToolCallRequested',
      'ModelCallSettled',
      'ToolCallStarted',
      'ToolCallProgressed',
      'ToolOutcomeUnknown',
      'ToolProbeRecorded',
      'ToolRetryAuthorized',
      'ToolRetryExpired',
      'ToolEscalated',
      'ToolEscalationDecided',
      'ToolOutcomeResolved',
      'ToolLateResultReceived',
      'ToolConflictDetected',
    );
    const [call] = Object.values(state.calls);
    expect(call).toMatchObject({
      status: 'applied',
      tool: 'refund',
      unknownReason: 'ownerLost',
      externalRef: 're_17',
      probes: 3,
      resolved: 'applied',
      attempts: [
        { attempt: 2, basis: 'keyedWithinWindow' },
        { attempt: 1, undeclared: true, result: { status: 'noEffect', late: true } },
      ],
    });
    expect(state).toMatchObject({
      title: 'Refund for order 17',
      epoch: 4,
      pendingInputs: [],
      run: { runId: 'run-1', status: 'active', recoveryTotal: 5 },
      facts: { goal: { version: 1 }, limit: { version: 2, retired: true } },
    });
  });

  it('tell how a call is answered, refused a twin, and a session compacted', () => {
    const asked = [
      'SessionStarted',
      'RunClaimed',
      'ModelCallStarted',
      'ToolCallRequested',
    ] as const;
    const [answered] = Object.values(
      foldOf(...asked, 'ToolCallStarted', 'ToolResultRecorded').calls,
    );
    expect(answered).toMatchObject({ status: 'completed' });
    const [skipped] = Object.values(foldOf(...asked, 'ToolCallSkipped').calls);
    expect(skipped).toMatchObject({ status: 'skipped', skipReason: 'unresolvedTwin' });
    const started = foldOf(...asked, 'CompactionStarted');
    expect(started.compaction?.compactionId).toBe('compaction-1');
    expect(foldOf(...asked, 'CompactionStarted', 'CompactionFailed').watermark).toBeUndefined();
    const compacted = foldOf(...asked, 'CompactionStarted', 'Compacted');
    expect(compacted.watermark?.keptFrom.revision).toBe(15);
  });

  it.each<[SessionEventType, object]>([
    ['RunInterrupted', { run: { status: 'interrupted', owned: false } }],
    ['SessionReleased', { run: { status: 'interrupted', interruption: 'waiting' } }],
    ['SessionQuarantined', { run: { status: 'quarantined', owned: false } }],
    ['StopRequested', { run: { status: 'stopping' }, pendingInputs: [] }],
    ['RunStopped', { stopped: true, lastRun: { outcome: 'stopped' } }],
    ['RunCompleted', { lastRun: { runId: 'run-1', outcome: 'completed' } }],
    ['RunFailed', { lastRun: { runId: 'run-1', outcome: 'failed' } }],
    ['InputDeliveryChanged', { pendingInputs: [{ inputId: 'input-1', delivery: 'queue' }] }],
    ['InputWithdrawn', { pendingInputs: [] }],
    [
      'Reverted',
      {
        hidden: [{ from: 22 }, { from: 13, to: 19 }],
        facts: { goal: { version: 1, newestVersion: 3 }, limit: { retired: true } },
        watermark: { compactionId: 'compaction-1' },
        revert: { revision: 3, to: { revision: 12 } },
      },
    ],
    ['RevertCleared', { hidden: [{ from: 22 }], facts: { goal: { version: 3 } } }],
    ['ImportedRecordKept', { revision: 3 }],
    ['ModelUsageReported', { revision: 3 }],
    ['CallsRepriced', { revision: 3 }],
  ])('tell how a run goes on: %s', (type, expected) => {
    const state = foldOf('SessionStarted', 'InputAccepted', 'RunClaimed', type);
    expect(state).toMatchObject(expected);
  });

  it('tell how a quarantined session is resumed, and what a fork takes over', () => {
    const resumed = foldOf('SessionStarted', 'RunClaimed', 'SessionQuarantined', 'SessionResumed');
    expect(resumed.run?.status).toBe('interrupted');
    const fork = foldOf('Forked');
    expect(fork.parent?.edge).toBe('fork');
    expect(Object.values(fork.calls)).toMatchObject([{ status: 'inherited' }]);
    expect(fork.facts['goal']?.version).toBe(2);
    const learnt = foldOf('Forked', 'InheritedOutcomeRecorded');
    expect(Object.values(learnt.calls)).toMatchObject([{ status: 'completed' }]);
  });
});
