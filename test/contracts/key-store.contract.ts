import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ArtifactOwner } from '../../src/storage/artifact-store.js';
import type { KeyStore } from '../../src/storage/key-store.js';
import { same } from '../support/same.js';
import type { Scenario } from '../support/scenarios.js';

/** For every adapter, opened anew. */
export const keyStoreScenarios: readonly Scenario<KeyStore>[] = [
  {
    name: 'the first key that is kept for a session is its key',
    async run(store) {
      const owner = newOwner();
      same(await store.find(owner), undefined);
      const kept = await Promise.all(
        ['a', 'b', 'c'].map((id) => store.keep(owner, id, `wrapped ${id}`)),
      );
      assert.equal(new Set(kept.map(({ keyId }) => keyId)).size, 1);
      same(await store.find(owner), kept[0]);
      same(await store.find({ ...owner, sessionId: owner.sessionId.toUpperCase() }), undefined);
      same(await store.find({ ...owner, tenantId: 'other' }), undefined);
    },
  },
  {
    name: 'an erased key stays erased: only its id and the time are left',
    async run(store) {
      const [owner, other] = [newOwner(), newOwner()];
      await store.keep(owner, 'id-1', 'wrapped');
      await store.keep(other, 'id-2', 'wrapped other');
      await store.erase(owner, 1_790_000_000_000);
      await store.erase(owner, 1_790_000_000_001);
      const erased = { keyId: 'id-1', erasedAtMs: 1_790_000_000_000 };
      same(await store.find(owner), erased);
      same(await store.keep(owner, 'id-3', 'wrapped again'), erased);
      same(await store.find(other), { keyId: 'id-2', wrapped: 'wrapped other' });
    },
  },
  {
    name: 'erasures are told in their order, from any of them on',
    async run(store) {
      const owners = Array.from({ length: 5 }, newOwner);
      const before = (await store.erasedAfter(0)).at(-1)?.number ?? 0;
      for (const owner of owners) await store.keep(owner, 'id', 'wrapped');
      await store.erase(newOwner(), 1);
      for (const owner of owners) await store.erase(owner, 1);
      await store.erase(owners[0]!, 2);
      const all = await store.erasedAfter(before);
      same(
        all.map(({ tenantId, sessionId }) => ({ tenantId, sessionId })),
        owners,
      );
      same(await store.erasedAfter(all[2]!.number), all.slice(3));
      same(await store.erasedAfter(all[4]!.number), []);
    },
  },
];

function newOwner(): ArtifactOwner {
  return { tenantId: 'tenant', sessionId: `s-${randomUUID()}` };
}
