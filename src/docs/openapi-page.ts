import { apiDocument } from '../api/api-document.js';
import { memoryPorts } from '../app/memory-ports.js';
import { createServer } from '../app/server.js';
import { loadConfiguration } from '../config/load-configuration.js';

/** The document that a running server answers at `/openapi.json`. */
export async function renderOpenApiPage(): Promise<string> {
  const configuration = loadConfiguration({ HOLDFAST_LOG_LEVEL: 'silent' });
  const app = await createServer({ ports: memoryPorts(), configuration });
  try {
    return `${JSON.stringify(apiDocument(app), null, 2)}\n`;
  } finally {
    await app.close();
  }
}
