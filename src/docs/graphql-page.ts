import { lexicographicSortSchema, printSchema } from 'graphql';
import { apiDocument } from '../api/api-document.js';
import { graphqlSchema } from '../api/graphql/graphql-schema.js';
import { memoryPorts } from '../app/memory-ports.js';
import { createServer } from '../app/server.js';
import { loadConfiguration } from '../config/load-configuration.js';

/** The schema that a running server answers operations by. */
export async function renderGraphqlPage(): Promise<string> {
  const configuration = loadConfiguration({ HOLDFAST_LOG_LEVEL: 'silent' });
  const app = await createServer({ ports: memoryPorts(), configuration });
  try {
    const schema = lexicographicSortSchema(graphqlSchema(apiDocument(app)));
    return `# Generated from the REST operations by \`npm run generate\`.\n\n${printSchema(schema)}\n`;
  } finally {
    await app.close();
  }
}
