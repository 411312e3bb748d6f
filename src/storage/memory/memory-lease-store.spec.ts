import { describe, expect, it } from '@jest/globals';
import { leaseStoreScenarios } from '../../../test/contracts/lease-store.contract.js';
import { type Opened, describeScenarios } from '../../../test/support/scenarios.js';
import { MemoryLeaseStore } from './memory-lease-store.js';

async function openStore(): Promise<Opened<MemoryLeaseStore>> {
  const store = new MemoryLeaseStore();
  return { subject: store, close: () => store.close() };
}

describeScenarios('the lease store in memory', leaseStoreScenarios, openStore);

describe('leases in memory', () => {
  it('expire on the clock that was given', async () => {
    let now = 1_000;
    const store = new MemoryLeaseStore(() => now);
    await store.acquire('projector', 'a', 50);
    now = 1_049;
    expect((await store.current('projector'))?.holder).toBe('a');
    now = 1_050;
    expect(await store.current('projector')).toBeUndefined();
  });
});
