import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { ImportError } from './import-error.js';
import type { RefusedFile } from './import-report.js';

export interface FoundLogs {
  /** Absolute paths, parents before their subagents. */
  readonly files: readonly string[];
  readonly refused: readonly RefusedFile[];
  /** How a file is named in the report. */
  readonly nameOf: (file: string) => string;
}

const LOG_NAME = /\.jsonl(\.gz|\.zst)?$/i;
const DEPTH_MAX = 32;

/**
 * The logs at a path: the file itself, or every `*.jsonl` (also `.gz` and `.zst`) below a folder.
 * Symbolic links inside a folder are not followed. @throws ImportError
 */
export async function findLogs(path: string): Promise<FoundLogs> {
  const root = await realpath(path).catch((cause: unknown) => {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const why = missing ? 'it does not exist' : 'it is not accessible';
    throw new ImportError('unreadable_path', `${path} cannot be read: ${why}`, { path }, { cause });
  });
  const found = await lstat(root);
  if (!found.isDirectory()) return { files: [root], refused: [], nameOf: () => path };
  const files: string[] = [];
  const refused: RefusedFile[] = [];
  await walkFolder(root, root, 0, { files, refused });
  if (files.length === 0) {
    const message = `${path} holds no log: there is no *.jsonl file in it or below it`;
    throw new ImportError('empty_folder', message, { path });
  }
  const nameOf = (file: string) => relative(root, file);
  return { files: files.sort(parentsFirst), refused, nameOf };
}

async function walkFolder(
  root: string,
  folder: string,
  depth: number,
  found: { readonly files: string[]; readonly refused: RefusedFile[] },
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    const message = `${folder} cannot be read: ${code}`;
    if (folder === root) throw new ImportError('unreadable_path', message, { folder }, { cause });
    found.refused.push({ file: relative(root, folder), code: 'unreadable_path', message });
    return [];
  });
  for (const entry of entries) {
    const file = join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      const message = `${file} is a symbolic link, which an import does not follow; name its target`;
      found.refused.push({ file: relative(root, file), code: 'symbolic_link', message });
    } else if (entry.isDirectory() && depth < DEPTH_MAX) {
      await walkFolder(root, file, depth + 1, found);
    } else if (entry.isFile() && LOG_NAME.test(entry.name)) {
      found.files.push(file);
    }
  }
}

/** A subagent's log names the call of its parent that started it, which has to be there by then. */
function parentsFirst(one: string, other: string): number {
  const rank = Number(isSubagent(one)) - Number(isSubagent(other));
  if (rank !== 0) return rank;
  return one < other ? -1 : 1;
}

function isSubagent(file: string): boolean {
  return basename(dirname(file)) === 'subagents' || basename(file).startsWith('agent-');
}
