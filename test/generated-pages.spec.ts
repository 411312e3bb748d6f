import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type * as GeneratedPages from '../src/docs/generated-pages.js';
import { projectFolder } from './architecture/project-files.js';
import { importBuilt } from './support/import-outside.js';

const { generatedPages } = await importBuilt<typeof GeneratedPages>('docs/generated-pages.js');

const { CLIENT_TYPES, clientTypes } = (await import(String('../scripts/client-types.mjs'))) as {
  CLIENT_TYPES: string;
  clientTypes(): Promise<string>;
};

const { GRAPHQL_OPERATIONS, graphqlOperations } = (await import(
  String('../scripts/graphql-operations.mjs')
)) as { GRAPHQL_OPERATIONS: string; graphqlOperations(): Promise<string> };

describe('a generated page', () => {
  it.each(generatedPages.map((page) => [page.path, page.render] as const))(
    '%s is up to date (otherwise: npm run generate)',
    async (path, render) => {
      expect(await readFile(join(projectFolder, path), 'utf8')).toBe(await render());
    },
  );

  it('the types of the client are up to date with the OpenAPI document', async () => {
    expect(await readFile(join(projectFolder, CLIENT_TYPES), 'utf8')).toBe(await clientTypes());
  });

  it('the operations of the GraphQL client are up to date with the schema', async () => {
    const present = await readFile(join(projectFolder, GRAPHQL_OPERATIONS), 'utf8');
    expect(present).toBe(await graphqlOperations());
  });
});
