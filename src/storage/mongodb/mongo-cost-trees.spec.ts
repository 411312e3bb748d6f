import { jest } from '@jest/globals';
import { costTreeScenarios } from '../../../test/contracts/cost-tree.contract.js';
import { mongoTestServers } from '../../../test/support/mongo-server.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { MongoReadModelStore } from './mongo-read-model-store.js';

jest.setTimeout(120_000);

/** Every tree is one consumer's: how two are told apart is the store's own contract. */
const [double, , ...servers] = await mongoTestServers();

for (const server of [double!, ...servers]) {
  describeScenarios(`cost trees of any shape, on ${server.name}`, costTreeScenarios, async () => {
    const database = await server.database();
    const subject = await MongoReadModelStore.open(await database.open());
    return { subject, close: () => database.remove() };
  });
}
