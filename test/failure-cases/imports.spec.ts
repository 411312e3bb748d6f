import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ImportedStore } from '../import/imported-store.js';
import { WrittenLog } from '../import/written-log.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

it('fc-25.2: a mark that goes back to an unknown record is named and kept aside, and the rest stays', async () => {
  const log = new WrittenLog();
  log.user('a');
  log.text('m1', 'b');
  log.loose({ type: 'Rewound', to: 'no-such-id' });
  const file = join(folder.path, 'rewound.jsonl');
  writeFileSync(file, log.content());
  const store = new ImportedStore();
  const report = (await store.import(file)).logs[0]!;
  const records = await store.records(report.sessionId);
  const kept = records.flatMap(({ event }) =>
    event.type === 'ImportedRecordKept' ? [JSON.stringify(event.data)] : [],
  );
  // No log format that is read here has such a mark: it counts, it is named, and nothing follows it.
  expect(report).toMatchObject({ values: 3, accepted: 3, by_type: { Rewound: 1 } });
  expect(kept.filter((text) => text.includes('"Rewound"'))).toHaveLength(1);
  expect(records.map(({ event }) => event.type)).toEqual(
    expect.arrayContaining(['InputAccepted', 'AssistantMessageRecorded']),
  );
  expect(records.map(({ event }) => event.type)).not.toContain('Reverted');
});
