// Types of the API for packages/client, from the committed OpenAPI document. `npm run generate` writes them.
import { readFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const DOCUMENT = new URL('../docs/reference/openapi.json', import.meta.url);
export const CLIENT_TYPES = 'packages/client/src/api-types.ts';

export async function clientTypes() {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      operation.responses = withoutProblems(operation.responses);
    }
  }
  const types = await openapiTS(document, { emptyObjectsUnknown: true });
  return `/* @generated from docs/reference/openapi.json: npm run generate writes it. */\n${astToString(types)}`;
}

/** Every refusal has the same shape: it is declared once, and not for each status. */
function withoutProblems(responses) {
  const successes = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, answer]) => [status, inJson(answer)]);
  const content = {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  };
  return Object.fromEntries([...successes, ['default', { description: 'Refused.', content }]]);
}

/** Where an operation can also answer as a stream or a table: what it answers by default. */
function inJson(answer) {
  const json = answer.content?.['application/json'];
  return json === undefined ? answer : { ...answer, content: { 'application/json': json } };
}
