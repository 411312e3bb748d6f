import { jest } from '@jest/globals';
import { costTreeScenarios } from '../../../test/contracts/cost-tree.contract.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { MemoryReadModelStore } from '../../storage/memory/memory-read-model-store.js';
import { SqliteReadModelStore } from '../../storage/sqlite/sqlite-read-model-store.js';

jest.setTimeout(60_000);

describeScenarios('cost trees of any shape, in memory', costTreeScenarios, async () => {
  const store = new MemoryReadModelStore();
  return { subject: store, close: () => store.close() };
});

describeScenarios('cost trees of any shape, on SQLite', costTreeScenarios, async () => {
  const folder = temporaryFolder();
  const file = `${folder.path}/read-models.sqlite`;
  const store = await SqliteReadModelStore.open({ file });
  return { subject: store, close: () => store.close().then(folder.remove) };
});
