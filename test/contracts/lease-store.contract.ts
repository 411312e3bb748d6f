import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidLeaseError, type LeaseStore } from '../../src/storage/lease-store.js';
import { same } from '../support/same.js';
import type { Scenario } from '../support/scenarios.js';

const LONG_MS = 60_000;
const SHORT_MS = 40;
const OVER_SHORT_MS = 80;
const LONG_AGO_MS = 100;

/** For every adapter. Each scenario uses a lease of its own; time is real. */
export const leaseStoreScenarios: readonly Scenario<LeaseStore>[] = [
  {
    name: 'a free lease is given, and nobody else gets it while it lives',
    async run(store) {
      const name = randomUUID();
      assert.equal(await store.current(name), undefined);
      const mine = await store.acquire(name, 'a', LONG_MS);
      same([mine.name, mine.holder, mine.fence], [name, 'a', 1]);
      same(await store.acquire(name, 'b', LONG_MS), mine);
      same(await store.current(name), mine);
      assert.equal((await store.acquire(randomUUID(), 'b', LONG_MS)).holder, 'b');
    },
  },
  {
    name: 'of many who ask at once exactly one gets it, and all see the same holder',
    async run(store) {
      const name = randomUUID();
      const holders = Array.from({ length: 10 }, (_, index) => `h${index}`);
      const answers = await Promise.all(holders.map((one) => store.acquire(name, one, LONG_MS)));
      assert.equal(new Set(answers.map(({ holder }) => holder)).size, 1);
      assert.ok(answers.every(({ fence }) => fence === 1));
    },
  },
  {
    name: 'the holder who asks again keeps its fence and gets more time',
    async run(store) {
      const name = randomUUID();
      const first = await store.acquire(name, 'a', LONG_MS / 2);
      const again = await store.acquire(name, 'a', LONG_MS);
      assert.equal(again.fence, first.fence);
      assert.ok(again.expiresAtMs > first.expiresAtMs);
      const renewed = await store.renew(name, 'a', first.fence, 2 * LONG_MS);
      assert.equal(renewed?.fence, first.fence);
      assert.ok((renewed?.expiresAtMs ?? 0) > again.expiresAtMs);
      same(await store.current(name), renewed);
    },
  },
  {
    name: 'an expired lease goes to the next one with a higher fence, and the late holder has lost',
    async run(store) {
      const name = randomUUID();
      const old = await store.acquire(name, 'a', SHORT_MS);
      await sleep(OVER_SHORT_MS);
      assert.equal(await store.current(name), undefined);
      assert.equal(await store.renew(name, 'a', old.fence, LONG_MS), undefined);
      const next = await store.acquire(name, 'b', LONG_MS);
      same([next.holder, next.fence], ['b', old.fence + 1]);
      assert.equal(await store.renew(name, 'a', old.fence, LONG_MS), undefined);
      await store.release(name, 'a', old.fence);
      same(await store.current(name), next);
    },
  },
  {
    name: 'who let its lease expire takes it anew with a higher fence',
    async run(store) {
      const name = randomUUID();
      const old = await store.acquire(name, 'a', SHORT_MS);
      await sleep(OVER_SHORT_MS);
      const anew = await store.acquire(name, 'a', LONG_MS);
      assert.equal(anew.fence, old.fence + 1);
      assert.equal(await store.renew(name, 'a', old.fence, LONG_MS), undefined);
    },
  },
  {
    name: 'a seized lease has a new holder and a higher fence',
    async run(store) {
      const name = randomUUID();
      const old = await store.acquire(name, 'a', LONG_MS);
      const seized = await store.seize(name, 'b', LONG_MS);
      same([seized.holder, seized.fence], ['b', old.fence + 1]);
      assert.equal(await store.renew(name, 'a', old.fence, LONG_MS), undefined);
      assert.equal((await store.seize(name, 'b', LONG_MS)).fence, seized.fence);
      const other = randomUUID();
      same((await store.seize(other, 'b', LONG_MS)).fence, 1);
    },
  },
  {
    name: 'a released lease is free at once, and its fence goes on',
    async run(store) {
      const name = randomUUID();
      const mine = await store.acquire(name, 'a', LONG_MS);
      await store.release(name, 'a', mine.fence + 1);
      await store.release(name, 'b', mine.fence);
      same(await store.current(name), mine);
      await store.release(name, 'a', mine.fence);
      assert.equal(await store.current(name), undefined);
      assert.equal(await store.renew(name, 'a', mine.fence, LONG_MS), undefined);
      assert.equal((await store.acquire(name, 'b', LONG_MS)).fence, mine.fence + 1);
      await store.release(randomUUID(), 'a', 1);
    },
  },
  {
    name: 'leases that ended long ago are forgotten, and only these',
    async run(store) {
      const [expired, released, live] = [0, 1, 2].map(() => randomUUID());
      await store.acquire(expired!, 'a', SHORT_MS);
      await store.release(released!, 'a', (await store.acquire(released!, 'a', LONG_MS)).fence);
      const held = await store.acquire(live!, 'a', LONG_MS);
      await sleep(OVER_SHORT_MS);
      await store.forget(60 * LONG_MS);
      assert.equal((await store.seize(expired!, 'b', SHORT_MS)).fence, 2);
      await sleep(OVER_SHORT_MS + LONG_AGO_MS);
      await store.forget(LONG_AGO_MS);
      same(await store.current(live!), held);
      for (const name of [expired!, released!]) {
        assert.equal(await store.current(name), undefined);
        assert.equal((await store.acquire(name, 'b', LONG_MS)).fence, 1);
      }
    },
  },
  {
    name: 'the fence grows with each take-over',
    async run(store) {
      const name = randomUUID();
      const fences: number[] = [];
      for (const holder of ['a', 'b', 'a', 'b']) {
        fences.push((await store.seize(name, holder, LONG_MS)).fence);
      }
      same(fences, [1, 2, 3, 4]);
    },
  },
  {
    name: 'a ttl that makes no sense is refused',
    async run(store) {
      for (const ttlMs of [0, -1, 1.5, Number.NaN, 25 * 60 * 60 * 1000]) {
        await assert.rejects(store.acquire(randomUUID(), 'a', ttlMs), InvalidLeaseError);
        await assert.rejects(store.seize(randomUUID(), 'a', ttlMs), InvalidLeaseError);
        await assert.rejects(store.renew(randomUUID(), 'a', 1, ttlMs), InvalidLeaseError);
      }
      await assert.rejects(store.acquire('', 'a', LONG_MS), InvalidLeaseError);
      await assert.rejects(store.acquire(randomUUID(), '', LONG_MS), InvalidLeaseError);
    },
  },
];
