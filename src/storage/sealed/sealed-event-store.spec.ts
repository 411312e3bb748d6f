import { describe, expect, it } from '@jest/globals';
import {
  eventStoreScenarios,
  knownEventIdScenarios,
} from '../../../test/contracts/event-store.contract.js';
import { newEvent, wholeStream } from '../../../test/support/event-batches.js';
import { SealedStores } from '../../../test/support/sealed-stores.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import type { EventStore, EventToAppend, RecordedEvent } from '../event-store.js';
import { valueOf } from '../event-value.js';
import { MemoryEventStore } from '../memory/memory-event-store.js';
import { partsOf } from './chain.js';
import { ChangedEventError } from '../changed-event-error.js';

const STREAM = 'session-t.s1';
const OWNER = { tenantId: 't', sessionId: 's1' };
const CANARY = 'the canary sings at noon';
const input = (text = CANARY) =>
  newEvent({
    data: JSON.stringify({ inputId: 'i1', content: [{ type: 'text', text }], author: 'u' }),
  });
const summary = () =>
  newEvent({ type: 'Compacted', data: JSON.stringify({ compactionId: 'c', summary: CANARY }) });
const forked = (sessionId: string, revision: number) =>
  newEvent({
    type: 'Forked',
    data: JSON.stringify({
      sessionId: 's2',
      cut: { sessionId, revision },
      segments: [{ sessionId, from: 0, to: revision }],
    }),
  });

async function openStore() {
  const { events } = new SealedStores().open();
  return { subject: events, close: () => events.close() };
}

// What goes into the store is a little more than what it was given: limits are the adapters'.
const scenarios = eventStoreScenarios.filter(({ name }) => !name.includes('limit'));
describeScenarios('the sealed event store', scenarios, openStore);
describeScenarios('known event ids in the sealed event store', knownEventIdScenarios, openStore);

/** Its copy of an event can be changed, as by somebody who may write to the database. */
class OpenToAll extends MemoryEventStore {
  readonly forged = new Map<number, Partial<RecordedEvent>>();

  override async read(...what: Parameters<EventStore['read']>) {
    return this.changed(await super.read(...what));
  }

  override async readAll(...what: Parameters<EventStore['readAll']>) {
    const page = await super.readAll(...what);
    return { ...page, events: this.changed(page.events) };
  }

  private changed(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
    return events.map((event) => ({ ...event, ...this.forged.get(event.revision) }));
  }
}

describe('a sealed event', () => {
  it('comes back as it was given, in every process, and holds no content where it is stored', async () => {
    const stores = new SealedStores();
    const batch = [input(), newEvent({ type: 'RunClaimed', data: '{"runId":"r"}' }), summary()];
    await stores.open().events.append(STREAM, 'noStream', batch);
    const read = await wholeStream(stores.open().events, STREAM);
    const given = ({
      eventId,
      data,
      metadata,
    }: Pick<EventToAppend, 'eventId' | 'data' | 'metadata'>) => ({ eventId, data, metadata });
    expect(read.map(given)).toEqual(batch.map(given));
    const stored = await wholeStream(stores.stored, STREAM);
    expect(JSON.stringify(stored, (_key, value: unknown) => String(value))).not.toContain('canary');
    expect(stored.map(({ data }) => data.includes('sealed'))).toEqual([true, false, true]);
    expect(JSON.parse(stored[0]!.data)).toMatchObject({
      inputId: 'i1',
      content: null,
      author: 'u',
    });
  });

  it('has a nonce of its own, and the identical bytes when it is sent again', async () => {
    const sent: (readonly EventToAppend[])[] = [];
    const stored = new MemoryEventStore();
    const { events } = new SealedStores(
      Object.assign(Object.create(stored) as EventStore, {
        append: (...[stream, expected, batch]: Parameters<EventStore['append']>) => {
          sent.push(batch);
          return stored.append(stream, expected, batch);
        },
      }),
    ).open();
    const batch = Array.from({ length: 100 }, () => input());
    await events.append(STREAM, 'noStream', batch);
    await events.append(STREAM, 'noStream', batch);
    expect(sent[1]).toEqual(sent[0]);
    const seals = sent[0]!.map(({ data }) => (JSON.parse(data) as { sealed: string }).sealed);
    const nonces = seals.map((seal) => seal.split('.')[2]!.slice(0, 16));
    expect(new Set(nonces).size).toBe(100);
  });

  it('opens at its own place only', async () => {
    const stored = new OpenToAll();
    const { events } = new SealedStores(stored).open();
    await events.append(STREAM, 'noStream', [input('one'), input('two')]);
    const [one] = await stored.read(STREAM, { from: 0, maxCount: 1 });
    stored.forged.set(1, { data: one!.data });
    const alone = { from: 1, maxCount: 1 };
    const reader = new SealedStores(stored, undefined).open().events;
    await expect(wholeStream(events, STREAM)).rejects.toThrow(ChangedEventError);
    const [other] = await reader.read(STREAM, alone);
    expect(other!.data).toContain('sealed');
  });

  it('is missed by a reader whose chain does not fit any more', async () => {
    for (const change of [
      { recordedAtMs: 1 },
      { type: 'InputRejected' },
      { eventId: '00000000-0000-0000-0000-000000000000' },
      { data: '{}' },
      { metadata: '{"tenantId":"other"}' },
    ]) {
      const stored = new OpenToAll();
      const stores = new SealedStores(stored);
      await stores.open().events.append(STREAM, 'noStream', [input(), input(), input()]);
      stored.forged.set(1, change);
      await expect(wholeStream(stores.open().events, STREAM)).rejects.toThrow(
        /event [12] of session-t\.s1 was changed/,
      );
    }
  });
});

describe('what was just written', () => {
  const newest = async (events: EventStore) => (await events.readAll(0n, 10)).events;

  it('is the same frozen object for all who read it', async () => {
    const { events } = new SealedStores().open();
    await events.append(STREAM, 'noStream', [input()]);
    const [[one], [other]] = [await newest(events), await newest(events)];
    expect(one).toBe(other);
    expect([one, valueOf(one!)].map(Object.isFrozen)).toEqual([true, true]);
    expect(one!.data).toContain(CANARY);
  });

  it('is opened anew where it is stored otherwise than before', async () => {
    const stored = new OpenToAll();
    const { events } = new SealedStores(stored).open();
    await events.append(STREAM, 'noStream', [input()]);
    expect((await newest(events))[0]!.data).toContain(CANARY);
    stored.forged.set(0, { data: '{"inputId":"forged"}' });
    expect((await newest(events))[0]!.data).toBe('{"inputId":"forged"}');
  });

  it('is gone from memory with the key of its session', async () => {
    const stores = new SealedStores();
    const { events, sessionKeys } = stores.open();
    await events.append(STREAM, 'noStream', [input()]);
    expect((await newest(events))[0]!.data).toContain(CANARY);
    await stores.keys.erase(OWNER, 1);
    sessionKeys.drop(OWNER);
    expect((await newest(events))[0]!.data).not.toContain(CANARY);
  });
});

describe('the chain', () => {
  it('goes on where another process left it, also of streams that were begun without one', async () => {
    const stores = new SealedStores();
    await stores.stored.append(STREAM, 'noStream', [input('old'), input('older')]);
    for (let revision = 1; revision < 6; revision += 1) {
      await stores.open().events.append(STREAM, revision, [input(`new ${revision}`)]);
    }
    const read = await wholeStream(stores.open().events, STREAM);
    expect(read.map(({ data }) => data.includes('new'))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
    const stored = await wholeStream(stores.stored, STREAM);
    expect(stored.map(({ metadata }) => partsOf(metadata).chain !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(stored.at(-1)!.data).toContain('new 5');
  });

  it('of a fork holds the value of its parent at the cut', async () => {
    const stores = new SealedStores();
    const { events } = stores.open();
    await events.append(STREAM, 'noStream', [input(), input()]);
    await events.append('session-t.s2', 'noStream', [forked('s1', 0)]);
    const [cut] = await stores.stored.read(STREAM, { from: 0, maxCount: 1 });
    const [first] = await stores.stored.read('session-t.s2', { from: 0, maxCount: 1 });
    const { seal } = partsOf(first!.metadata);
    expect(seal?.prefix).toBe(partsOf(cut!.metadata).chain);
  });
});

describe('after its key was erased', () => {
  it('a session’s events have no content, also for processes that begin later', async () => {
    const stores = new SealedStores();
    const { events, sessionKeys } = stores.open();
    await events.append(STREAM, 'noStream', [input(), summary()]);
    await events.saveSnapshot(STREAM, { revision: 1, schemaVersion: 1, state: CANARY });
    await stores.keys.erase(OWNER, 1);
    sessionKeys.drop(OWNER);
    await events.append(STREAM, 1, [input('after')]);
    for (const reader of [events, stores.open().events]) {
      const read = await wholeStream(reader, STREAM);
      expect(read.map(({ data }) => JSON.parse(data) as unknown)).toEqual([
        { inputId: 'i1', content: [], author: 'u', erased: true },
        { compactionId: 'c', summary: '', erased: true },
        { inputId: 'i1', content: [], author: 'u', erased: true },
      ]);
      expect(await reader.loadSnapshot(STREAM, 1)).toBeUndefined();
    }
    const stored = await wholeStream(stores.stored, STREAM);
    expect(stored.at(-1)!.data).not.toContain('after');
  });

  it('what a fork has made of inherited content is lost with it, its own messages are not', async () => {
    const stores = new SealedStores();
    const { events } = stores.open();
    await events.append(STREAM, 'noStream', [input()]);
    await events.append('session-t.s2', 'noStream', [forked('s1', 0), input('mine'), summary()]);
    const whole = await wholeStream(stores.open().events, 'session-t.s2');
    expect(whole[2]!.data).toContain(CANARY);
    await stores.keys.erase(OWNER, 1);
    const [, own, lost] = await wholeStream(stores.open().events, 'session-t.s2');
    expect(own!.data).toContain('mine');
    expect(JSON.parse(lost!.data)).toEqual({ compactionId: 'c', summary: '', erased: true });
  });
});

describe('keys', () => {
  it('of a session that two processes begin at once are one key, and one of them decides anew', async () => {
    const stores = new SealedStores();
    const [one, other] = [stores.open(), stores.open()];
    await one.sessionKeys.expected(OWNER);
    await other.sessionKeys.expected(OWNER);
    const written = await one.events.append(STREAM, 'noStream', [input()]);
    expect(written.outcome).toBe('written');
    const refused = await other.events.append(STREAM, 'noStream', [input()]);
    expect(refused.outcome).toBe('refused');
    const [read] = await wholeStream(other.events, STREAM);
    expect(read!.data).toContain(CANARY);
  });

  it('that are missing stop the writer, and leave sealed what they would open', async () => {
    const stores = new SealedStores();
    await stores.open().events.append(STREAM, 'noStream', [input()]);
    const { events } = new SealedStores(stores.stored).open();
    await expect(events.append(STREAM, 0, [input()])).rejects.toThrow(/key of session s1 is not/);
    const [read] = await wholeStream(events, STREAM);
    expect(read!.data).toContain('sealed');
  });
});
