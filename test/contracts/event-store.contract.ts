import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '../../src/storage/event-store.js';
import { idsOf, newBatch, newEvent, newStream, wholeStream } from '../support/event-batches.js';
import { same } from '../support/same.js';
import type { Scenario } from '../support/scenarios.js';
import { appendLimitScenarios } from './event-store-limits.contract.js';
import { readAllScenarios } from './event-store-all.contract.js';
import { readScenarios } from './event-store-read.contract.js';

/** Capability: also refuses a batch whose first id is stored in another place. */
export const knownEventIdScenarios: readonly Scenario<EventStore>[] = [
  {
    name: 'an id that is stored in another stream is refused, and nothing of the batch is written',
    async run(store) {
      const [one, other] = [newStream(), newStream()];
      const batch = newBatch(2);
      await store.append(one, 'noStream', batch);
      const outcome = await store.append(other, 'noStream', [...batch, newEvent()]);
      same(outcome, { outcome: 'refused', currentRevision: 'noStream' });
      assert.equal(await store.head(other), 'noStream');
    },
  },
  {
    name: 'the same batch at the stream’s new head is refused: it is stored once',
    async run(store) {
      const stream = newStream();
      const batch = newBatch(2);
      await store.append(stream, 'noStream', batch);
      const outcome = await store.append(stream, 1, batch);
      same(outcome, { outcome: 'refused', currentRevision: 1 });
      assert.equal((await wholeStream(store, stream)).length, 2);
    },
  },
];

export interface ReopenableEventStore {
  store(): EventStore;
  /** Closes the store and opens the same data again. */
  reopen(): Promise<void>;
}

/** Capability: keeps its data over a restart. */
export const durableScenarios: readonly Scenario<ReopenableEventStore>[] = [
  {
    name: 'the store is known again by its id after a restart, and whoever asks first makes it',
    async run(subject) {
      const store = subject.store();
      const ids = await Promise.all([store.storeId(), store.storeId()]);
      assert.match(ids[0], /^[0-9a-f-]{32,36}$/);
      await subject.reopen();
      same(new Set([...ids, await subject.store().storeId()]).size, 1);
    },
  },
  {
    name: 'events, order and keys are there after a restart, and the batch is still recognised',
    async run(subject) {
      const stream = newStream();
      const batch = [newEvent({ keys: ['call:1'] }), newEvent({ type: 'RunClaimed' })];
      const first = await subject.store().append(stream, 'noStream', batch);
      const before = await wholeStream(subject.store(), stream);
      await subject.reopen();
      same(await wholeStream(subject.store(), stream), before);
      assert.equal(before.length, 2);
      const found = await subject.store().findByKeys(stream, ['call:1']);
      same(idsOf(found), idsOf(batch.slice(0, 1)));
      const again = await subject.store().append(stream, 'noStream', batch);
      same({ ...again, repeated: false }, { ...first, repeated: false });
      assert.equal(await subject.store().head(stream), 1);
    },
  },
  {
    name: 'a snapshot is there after a restart',
    async run(subject) {
      const stream = newStream();
      await subject.store().saveSnapshot(stream, { revision: 3, schemaVersion: 1, state: '{}' });
      await subject.reopen();
      assert.equal((await subject.store().loadSnapshot(stream, 1))?.revision, 3);
    },
  },
];

const appendScenarios: readonly Scenario<EventStore>[] = [
  {
    name: 'a batch gets consecutive revisions and rising positions',
    async run(store) {
      const stream = newStream();
      const batch = newBatch(3);
      const outcome = await store.append(stream, 'noStream', batch);
      assert.ok(outcome.outcome === 'written');
      assert.equal(outcome.revision, 2);
      const events = await wholeStream(store, stream);
      same(idsOf(events), idsOf(batch));
      same(
        events.map(({ revision }) => revision),
        [0, 1, 2],
      );
      assert.equal(events[2]?.position, outcome.position);
      const [first, second, third] = events.map(({ position }) => position);
      assert.ok(first !== undefined && second !== undefined && third !== undefined);
      assert.ok(first < second && second < third);
    },
  },
  {
    name: 'another expectation than the head is refused and tells the head',
    async run(store) {
      const stream = newStream();
      same(await store.append(stream, 0, newBatch(1)), {
        outcome: 'refused',
        currentRevision: 'noStream',
      });
      await store.append(stream, 'noStream', newBatch(2));
      for (const expected of ['noStream', 0, 2] as const) {
        same(await store.append(stream, expected, newBatch(1)), {
          outcome: 'refused',
          currentRevision: 1,
        });
      }
      const next = await store.append(stream, 1, newBatch(1));
      assert.equal(next.outcome, 'written');
      assert.equal(await store.head(stream), 2);
    },
  },
  {
    name: 'the identical batch again gives the same answer and writes nothing',
    async run(store) {
      const stream = newStream();
      const batch = newBatch(3);
      await store.append(stream, 'noStream', newBatch(1));
      const first = await store.append(stream, 0, batch);
      assert.ok(first.outcome === 'written');
      await store.append(stream, 3, newBatch(2));
      const again = await store.append(stream, 0, batch);
      assert.ok(again.outcome === 'written');
      assert.equal(again.revision, first.revision);
      assert.equal(again.position, first.position);
      assert.equal((await wholeStream(store, stream)).length, 6);
    },
  },
  {
    name: 'a repeated batch is called repeated',
    async run(store) {
      const stream = newStream();
      const batch = newBatch(2);
      const first = await store.append(stream, 'noStream', batch);
      assert.ok(first.outcome === 'written' && !first.repeated);
      const again = await store.append(stream, 'noStream', batch);
      assert.ok(again.outcome === 'written' && again.repeated);
    },
  },
  {
    name: 'a batch that shares only some ids with what is stored there is refused whole',
    async run(store) {
      const stream = newStream();
      const batch = newBatch(2);
      await store.append(stream, 'noStream', batch);
      const [first, second] = batch;
      assert.ok(first && second);
      for (const other of [
        [first, newEvent()],
        [newEvent(), second],
        [second],
        [...batch, newEvent()],
      ]) {
        same(await store.append(stream, 'noStream', other), {
          outcome: 'refused',
          currentRevision: 1,
        });
      }
      same(idsOf(await wholeStream(store, stream)), idsOf(batch));
    },
  },
  {
    name: 'of writers that race for one revision exactly one wins, and the others learn it',
    async run(store) {
      const stream = newStream();
      const racers = Array.from({ length: 20 }, () => newBatch(2));
      const outcomes = await Promise.all(
        racers.map((batch) => store.append(stream, 'noStream', batch)),
      );
      const winners = racers.filter((_batch, index) => outcomes[index]?.outcome === 'written');
      assert.equal(winners.length, 1);
      same(idsOf(await wholeStream(store, stream)), idsOf(winners.flat()));
      const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
      assert.ok(refused.every((one) => one.outcome === 'refused' && one.currentRevision === 1));
    },
  },
  {
    name: 'appends to many streams at once all succeed, each stream with its own events',
    async run(store) {
      const work = Array.from({ length: 150 }, () => ({ stream: newStream(), batch: newBatch(2) }));
      const outcomes = await Promise.all(
        work.map(({ stream, batch }) => store.append(stream, 'noStream', batch)),
      );
      assert.ok(outcomes.every(({ outcome }) => outcome === 'written'));
      const positions = new Set(
        outcomes.map((one) => (one.outcome === 'written' ? one.position : undefined)),
      );
      assert.equal(positions.size, 150);
      for (const { stream, batch } of work) {
        same(idsOf(await wholeStream(store, stream)), idsOf(batch));
      }
    },
  },
  {
    name: 'a refused append does not fail those that wait with it',
    async run(store) {
      const [one, other] = [newStream(), newStream()];
      await store.append(one, 'noStream', newBatch(1));
      const outcomes = await Promise.all([
        store.append(other, 'noStream', newBatch(1)),
        store.append(one, 'noStream', newBatch(1)),
        store.append(other, 0, newBatch(1)),
      ]);
      same(
        outcomes.map(({ outcome }) => outcome),
        ['written', 'refused', 'written'],
      );
      assert.equal(await store.head(other), 1);
    },
  },
];

const snapshotScenarios: readonly Scenario<EventStore>[] = [
  {
    name: 'the newest snapshot at or below a revision, of exactly this schema version, is loaded',
    async run(store) {
      const stream = newStream();
      for (const revision of [4, 8, 12]) {
        await store.saveSnapshot(stream, {
          revision,
          schemaVersion: 2,
          state: `{"at":${revision}}`,
        });
      }
      await store.saveSnapshot(stream, { revision: 20, schemaVersion: 3, state: '{}' });
      await sleep(0);
      assert.equal(await store.loadSnapshot(stream, 1), undefined);
      assert.equal(await store.loadSnapshot(newStream(), 2), undefined);
      same(await store.loadSnapshot(stream, 2), {
        revision: 12,
        schemaVersion: 2,
        state: '{"at":12}',
      });
      assert.equal((await store.loadSnapshot(stream, 2, 11))?.revision, 8);
      assert.equal((await store.loadSnapshot(stream, 2, 8))?.revision, 8);
      assert.equal(await store.loadSnapshot(stream, 2, 3), undefined);
      assert.equal((await store.loadSnapshot(stream, 3))?.revision, 20);
    },
  },
  {
    name: 'a snapshot saved again at the same revision replaces the first',
    async run(store) {
      const stream = newStream();
      await store.saveSnapshot(stream, { revision: 1, schemaVersion: 1, state: '"old"' });
      await store.saveSnapshot(stream, { revision: 1, schemaVersion: 1, state: '"new"' });
      assert.equal((await store.loadSnapshot(stream, 1))?.state, '"new"');
    },
  },
];

const dropScenario: Scenario<EventStore> = {
  name: 'snapshots of a stream are dropped, and none of other streams or versions',
  async run(store) {
    const [stream, other] = [newStream(), newStream()];
    await store.dropSnapshots(stream, 2);
    for (const [name, schemaVersion] of [
      [stream, 2],
      [stream, 3],
      [other, 2],
    ] as const) {
      for (const revision of [4, 8]) {
        await store.saveSnapshot(name, { revision, schemaVersion, state: '{}' });
      }
    }
    await store.dropSnapshots(stream, 2);
    await store.dropSnapshots(stream, 2);
    assert.equal(await store.loadSnapshot(stream, 2), undefined);
    assert.equal(await store.loadSnapshot(stream, 2, 4), undefined);
    assert.equal((await store.loadSnapshot(stream, 3))?.revision, 8);
    assert.equal((await store.loadSnapshot(other, 2, 7))?.revision, 4);
  },
};

/** For every adapter. The store may hold foreign events, and others may be writing. */
export const eventStoreScenarios: readonly Scenario<EventStore>[] = [
  ...appendScenarios,
  ...appendLimitScenarios,
  ...readScenarios,
  ...readAllScenarios,
  ...snapshotScenarios,
  dropScenario,
];
