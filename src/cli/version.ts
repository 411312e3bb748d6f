import { readFileSync } from 'node:fs';

/** The version of the package that this file belongs to, in the source and in the build. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
