import { artifactStoreScenarios } from '../../../test/contracts/artifact-store.contract.js';
import { ownerHash } from '../../../test/support/owner-hash.js';
import { type Opened, describeScenarios } from '../../../test/support/scenarios.js';
import { MemoryArtifactStore } from './memory-artifact-store.js';

async function openStore(): Promise<Opened<MemoryArtifactStore>> {
  return { subject: new MemoryArtifactStore(ownerHash), close: async () => {} };
}

describeScenarios('the artifact store in memory', artifactStoreScenarios, openStore);
