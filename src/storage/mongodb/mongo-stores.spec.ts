import { jest } from '@jest/globals';
import { artifactStoreScenarios } from '../../../test/contracts/artifact-store.contract.js';
import { keyStoreScenarios } from '../../../test/contracts/key-store.contract.js';
import { leaseStoreScenarios } from '../../../test/contracts/lease-store.contract.js';
import { readModelStoreScenarios } from '../../../test/contracts/read-model-store.contract.js';
import { type MongoTestServer, mongoTestServers } from '../../../test/support/mongo-server.js';
import { ownerHash } from '../../../test/support/owner-hash.js';
import { type Scenario, describeScenarios } from '../../../test/support/scenarios.js';
import { MongoArtifactStore } from './mongo-artifact-store.js';
import type { MongoConnection } from './mongo-connection.js';
import { MongoKeyStore } from './mongo-key-store.js';
import { MongoLeaseStore } from './mongo-lease-store.js';
import { MongoReadModelStore } from './mongo-read-model-store.js';

jest.setTimeout(60_000);

/** It has no atomic updates, and 64 MiB take it a minute. */
const NOT_ON_FERRETDB = new Set([
  'of two consumers at one position exactly one writes',
  'content over the limit is refused',
]);

function opening<Store>(
  server: MongoTestServer,
  open: (connection: MongoConnection) => Store | Promise<Store>,
) {
  return async () => {
    const database = await server.database();
    return { subject: await open(await database.open()), close: () => database.remove() };
  };
}

function takenBy<Subject>(
  { ferretdb }: MongoTestServer,
  scenarios: readonly Scenario<Subject>[],
): readonly Scenario<Subject>[] {
  return scenarios.filter(({ name }) => !ferretdb || !NOT_ON_FERRETDB.has(name));
}

for (const server of await mongoTestServers()) {
  describeScenarios(
    `the read-model store on ${server.name}`,
    takenBy(server, readModelStoreScenarios),
    opening(server, (connection) => MongoReadModelStore.open(connection)),
  );
  describeScenarios(
    `the artifact store on ${server.name}`,
    takenBy(server, artifactStoreScenarios),
    opening(server, (connection) => MongoArtifactStore.open(connection, ownerHash)),
  );
  if (server.ferretdb) continue;
  describeScenarios(
    `the key store on ${server.name}`,
    keyStoreScenarios,
    opening(server, (connection) => new MongoKeyStore(connection)),
  );
  describeScenarios(
    `the lease store on ${server.name}`,
    leaseStoreScenarios,
    opening(server, (connection) => new MongoLeaseStore(connection)),
  );
}
