import {
  durableScenarios,
  eventStoreScenarios,
} from '../../../test/contracts/event-store.contract.js';
import { EventStoreDbDouble } from '../../../test/support/eventstoredb/eventstoredb-double.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { openEventStoreDb } from './open-eventstoredb.js';

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

const { ESDB_URL } = process.env;
if (ESDB_URL === undefined) {
  process.stderr.write('EventStoreDB itself was not tested, only its double: no ESDB_URL is set\n');
} else {
  describeScenarios(
    'the event store on EventStoreDB at ESDB_URL',
    eventStoreScenarios,
    async () => {
      const store = await openEventStoreDb({ url: ESDB_URL });
      return { subject: store, close: () => store.close() };
    },
  );
}
