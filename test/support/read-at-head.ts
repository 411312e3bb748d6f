import type { AppInProcess } from './app-in-process.js';

/** What a read model says once it contains everything that was recorded before. */
export async function readAtHead<Body>(app: AppInProcess, path: string): Promise<Body> {
  const head = await app.ports.events.headPosition();
  const { body } = await app.http.get<Body>(
    `${path}${path.includes('?') ? '&' : '?'}atLeast=${head}`,
  );
  return body;
}
