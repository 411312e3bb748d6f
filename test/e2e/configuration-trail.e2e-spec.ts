import { expect, it } from '@jest/globals';
import { startApp } from '../support/app-in-process.js';

interface Entries {
  readonly entries: readonly { readonly type: string; readonly details: object }[];
}

it('a server that is set differently from the one before it says so in the audit trail', async () => {
  let app = await startApp();
  const recorded = async () => {
    const path = '/v1/audit?types=ConfigurationChanged&trail=true';
    return (await app.http.get<Entries>(path)).body.entries.map(({ details }) => details);
  };
  expect(await recorded()).toEqual([]);
  const loose = { HOLDFAST_REDACTION: 'off', HOLDFAST_REQUEST_TIMEOUT_MS: '20000' };
  app = await app.restarted({ environment: loose });
  const first = { changed: ['HOLDFAST_REDACTION', 'HOLDFAST_REQUEST_TIMEOUT_MS'] };
  expect(await recorded()).toEqual([first]);
  app = await app.restarted({ environment: loose });
  expect(await recorded()).toEqual([first]);
  app = await app.restarted({ environment: {} });
  expect(await recorded()).toEqual([first, first]);
  await app.close();
  app.folder.remove();
});
