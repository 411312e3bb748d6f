import {
  durableScenarios,
  eventStoreScenarios,
} from '../../../test/contracts/event-store.contract.js';
import { EventStoreDbDouble } from '../../../test/support/eventstoredb/eventstoredb-double.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

describeScenarios('the event store on EventStoreDB (double)', eventStoreScenarios, async () => {
  const double = await EventStoreDbDouble.start();
  const store = new EventStoreDbEventStore({ url: double.url });
  return {
    subject: store,
    async close() {
      await store.close();
      double.stop();
    },
  };
});

describeScenarios('the event store on EventStoreDB, reopened', durableScenarios, async () => {
  const double = await EventStoreDbDouble.start();
  let store = new EventStoreDbEventStore({ url: double.url });
  return {
    subject: {
      store: () => store,
      async reopen() {
        await store.close();
        await double.restart();
        store = new EventStoreDbEventStore({ url: double.url });
      },
    },
    async close() {
      await store.close();
      double.stop();
    },
  };
});
