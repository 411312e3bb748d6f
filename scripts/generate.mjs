/** Writes the generated pages. `test/generated-pages.spec.ts` fails while one of them is outdated. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedPages } from '../dist/docs/generated-pages.js';
import { CLIENT_TYPES, clientTypes } from './client-types.mjs';
import { GRAPHQL_OPERATIONS, graphqlOperations } from './graphql-operations.mjs';

for (const { path, render } of generatedPages) {
  await written(path, await render());
}
// Made of pages: these come behind them.
await written(CLIENT_TYPES, await clientTypes());
await written(GRAPHQL_OPERATIONS, await graphqlOperations());

async function written(path, text) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const present = await readFile(file, 'utf8').catch(() => undefined);
  if (present !== text) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  console.log(`${present === text ? 'unchanged' : 'written  '} ${path}`);
}
