import { describe, expect, it, jest } from '@jest/globals';
import { readModelStoreScenarios } from '../../../test/contracts/read-model-store.contract.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { UnknownCollectionError } from '../read-model-store.js';
import { connectToFile } from './connection.js';
import { findStatements } from './find-sql.js';
import { SqliteReadModelStore } from './sqlite-read-model-store.js';

jest.setTimeout(60_000);

async function openStore() {
  const folder = temporaryFolder();
  const file = `${folder.path}/read-models.sqlite`;
  const store = await SqliteReadModelStore.open({ file });
  return { file, subject: store, close: () => store.close().then(folder.remove) };
}

describeScenarios('the read-model store on SQLite', readModelStoreScenarios, openStore);

describe('read models on SQLite', () => {
  it('keeps documents, positions and definitions over a restart', async () => {
    const { file, subject, close } = await openStore();
    await subject.ensureCollections([{ name: 'sessions', indexes: [['rank']] }]);
    await subject.write({
      projection: 'sessions',
      expectedPosition: 0n,
      nextPosition: 3n,
      writes: [{ collection: 'sessions', id: '1', document: { rank: 1 } }],
    });
    await subject.close();
    const again = await SqliteReadModelStore.open({ file });
    const sort = { field: 'rank', direction: 'ascending' } as const;
    expect(await again.position('sessions')).toBe(3n);
    expect((await again.find('sessions', { filters: [], sort, limit: 1 })).documents).toHaveLength(
      1,
    );
    await again.close();
    await close().catch(() => undefined);
  });

  it('notices that another process dropped a collection', async () => {
    const { file, subject, close } = await openStore();
    const other = await SqliteReadModelStore.open({ file });
    await subject.ensureCollections([{ name: 'sessions', indexes: [] }]);
    expect(await subject.get('sessions', '1')).toBeUndefined();
    await other.dropCollection('sessions');
    await expect(subject.get('sessions', '1')).rejects.toThrow(UnknownCollectionError);
    await other.close();
    await close();
  });

  it('walks pages in the index, without sorting and without scanning', async () => {
    const { file, subject, close } = await openStore();
    const indexes = [['tenantId', 'updatedAt']];
    await subject.ensureCollections([{ name: 'sessions', indexes }]);
    const connection = connectToFile(file, 100);
    for (const direction of ['ascending', 'descending'] as const) {
      const sort = { field: 'updatedAt', direction };
      const filters = [{ field: 'tenantId', equals: 'a' }];
      const place = { value: 'x', id: '1' };
      for (const { sql, values } of findStatements(
        'sessions',
        { filters, sort, limit: 9 },
        place,
      )) {
        const plan = connection
          .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
          .all(...values, 10n)
          .map(({ detail }) => detail)
          .join('\n');
        expect(plan).toMatch(
          /USING INDEX index:sessions:tenantId\.updatedAt \(<expr>=\? AND <expr>/,
        );
        expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
      }
    }
    connection.close();
    await close();
  });
});
