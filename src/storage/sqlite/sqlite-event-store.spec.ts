import {
  durableScenarios,
  eventStoreScenarios,
  knownEventIdScenarios,
} from '../../../test/contracts/event-store.contract.js';
import { type Opened, describeScenarios } from '../../../test/support/scenarios.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { SqliteEventStore } from './sqlite-event-store.js';

async function openStore(): Promise<Opened<SqliteEventStore>> {
  const folder = temporaryFolder();
  const store = await SqliteEventStore.open({ file: `${folder.path}/events.sqlite` });
  return { subject: store, close: () => store.close().then(folder.remove) };
}

async function openReopenable() {
  const folder = temporaryFolder();
  const file = `${folder.path}/events.sqlite`;
  let store = await SqliteEventStore.open({ file });
  const subject = {
    store: () => store,
    reopen: async () => {
      await store.close();
      store = await SqliteEventStore.open({ file });
    },
  };
  return { subject, close: () => store.close().then(folder.remove) };
}

describeScenarios('the event store on SQLite', eventStoreScenarios, openStore);
describeScenarios('known event ids on SQLite', knownEventIdScenarios, openStore);
describeScenarios('the event store on SQLite, closed and opened', durableScenarios, openReopenable);
