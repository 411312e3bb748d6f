/** Types and documents of the GraphQL operations that a test sends, made of the committed schema. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';

export const GRAPHQL_OPERATIONS = 'test/support/session-life-operations.ts';

export async function graphqlOperations() {
  const read = async (path) =>
    parse(await readFile(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8'));
  const location = 'test/support/session-life.graphql';
  const text = await codegen({
    filename: GRAPHQL_OPERATIONS,
    schema: await read('docs/reference/schema.graphql'),
    documents: [{ location, document: await read(location) }],
    config: {
      useTypeImports: true,
      enumsAsTypes: true,
      documentMode: 'string',
      scalars: { JSON: 'unknown', SafeInt: 'number', DateTime: 'string' },
    },
    plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
    pluginMap: { typescriptOperations, typedDocumentNode },
  });
  return `/* @generated from ${location}: npm run generate writes it. */\n${text}`;
}
