import { lstat, readFile } from 'node:fs/promises';
import { isObject, textOf } from './log-line.js';

const BYTES_MAX = 64 * 1024;

/** The kind of agent, from the `agent-<id>.meta.json` beside a subagent's log, if it is there. */
export async function agentTypeBeside(file: string): Promise<string | undefined> {
  const meta = file.replace(/\.jsonl(\.gz|\.zst)?$/i, '.meta.json');
  if (meta === file) return undefined;
  try {
    const found = await lstat(meta);
    if (!found.isFile() || found.size > BYTES_MAX) return undefined;
    const value: unknown = JSON.parse(await readFile(meta, 'utf8'));
    return isObject(value) ? textOf(value['agentType'])?.slice(0, 100) : undefined;
  } catch {
    return undefined;
  }
}
