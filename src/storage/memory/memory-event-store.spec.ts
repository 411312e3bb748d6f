import {
  eventStoreScenarios,
  knownEventIdScenarios,
} from '../../../test/contracts/event-store.contract.js';
import { type Opened, describeScenarios } from '../../../test/support/scenarios.js';
import { MemoryEventStore } from './memory-event-store.js';

async function openStore(): Promise<Opened<MemoryEventStore>> {
  const store = new MemoryEventStore();
  return { subject: store, close: () => store.close() };
}

describeScenarios('the event store in memory', eventStoreScenarios, openStore);
describeScenarios('known event ids in memory', knownEventIdScenarios, openStore);
