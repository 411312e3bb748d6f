import { describe, expect, it } from '@jest/globals';
import { createSecretKey, randomBytes } from 'node:crypto';
import { readModelStoreScenarios } from '../../../test/contracts/read-model-store.contract.js';
import { SealedStores } from '../../../test/support/sealed-stores.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { MemoryReadModelStore } from '../memory/memory-read-model-store.js';
import type { CollectionDefinition, ReadModelDocument } from '../read-model-store.js';
import { SealedReadModelStore } from './sealed-read-model-store.js';

const OWNER = { tenantId: 't', sessionId: 's' };
const CANARY = 'the canary sings';
const definition: CollectionDefinition = {
  name: 'calls',
  indexes: [['tenantId', 'externalRef']],
  content: { names: ['title', 'externalRef'], matched: ['externalRef'], ownerOf: () => OWNER },
};
const document = { tenantId: 't', title: CANARY, externalRef: `ref ${CANARY}`, count: 1 };

async function openStore() {
  const stores = new SealedStores();
  const { sessionKeys } = stores.open();
  await sessionKeys.ensured(OWNER);
  const stored = new MemoryReadModelStore();
  const matchKey = createSecretKey(randomBytes(32));
  const subject = new SealedReadModelStore(stored, sessionKeys, matchKey);
  return { stores, sessionKeys, stored, subject, close: () => subject.close() };
}

describeScenarios('the sealed read-model store', readModelStoreScenarios, openStore);

describe('a sealed document', () => {
  it('comes back whole, is found by its content, and is the same bytes each time', async () => {
    const { stored, subject } = await openStore();
    const write = async (at: bigint): Promise<ReadModelDocument | undefined> => {
      const writes = [{ collection: 'calls', id: 'one', document }];
      const batch = { projection: 'p', expectedPosition: at, nextPosition: at + 1n, writes };
      await subject.write(batch);
      return stored.get('calls', 'one');
    };
    await subject.ensureCollections([definition]);
    const bytes = await write(0n);
    expect(JSON.stringify(bytes)).not.toContain('canary');
    expect(await write(1n)).toEqual(bytes);
    expect(await subject.get('calls', 'one')).toEqual(document);
    const page = await subject.find('calls', {
      filters: [
        { field: 'tenantId', equals: 't' },
        { field: 'externalRef', equals: `ref ${CANARY}` },
      ],
      sort: { field: 'externalRef', direction: 'ascending' },
      limit: 10,
    });
    expect(page.documents).toEqual([{ id: 'one', document }]);
  });

  it('is without its content after an erasure, written before it or after it', async () => {
    const { stores, sessionKeys, subject } = await openStore();
    await subject.ensureCollections([definition]);
    const write = (id: string, at: bigint) =>
      subject.write({
        projection: 'p',
        expectedPosition: at,
        nextPosition: at + 1n,
        writes: [{ collection: 'calls', id, document }],
      });
    await write('before', 0n);
    await stores.keys.erase(OWNER, 1);
    sessionKeys.drop(OWNER);
    await write('after', 1n);
    for (const id of ['before', 'after']) {
      expect(await subject.get('calls', id)).toEqual({ tenantId: 't', count: 1 });
    }
  });
});
