import { keyStoreScenarios } from '../../../test/contracts/key-store.contract.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { MemoryKeyStore } from './memory-key-store.js';

async function openStore() {
  return { subject: new MemoryKeyStore(), close: async () => {} };
}

describeScenarios('the key store in memory', keyStoreScenarios, openStore);
