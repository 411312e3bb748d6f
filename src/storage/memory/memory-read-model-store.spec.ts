import { readModelStoreScenarios } from '../../../test/contracts/read-model-store.contract.js';
import { type Opened, describeScenarios } from '../../../test/support/scenarios.js';
import { MemoryReadModelStore } from './memory-read-model-store.js';

async function openStore(): Promise<Opened<MemoryReadModelStore>> {
  const store = new MemoryReadModelStore();
  return { subject: store, close: () => store.close() };
}

describeScenarios('the read-model store in memory', readModelStoreScenarios, openStore);
