import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ProjectFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const notOurs = new Set(['node_modules', 'dist', '.git', 'coverage']);
const readAsText =
  /(^|\/)(\.[\w-]+|[A-Z]+|run)$|\.(ts|tsx|js|mjs|cjs|json|jsonl|ndjson|md|ya?ml|html|css|sh|sql|graphql|txt)$/;
const writtenByHand =
  /^(src|packages|test|bench|scripts|bin|examples|console)\/.*\.(ts|tsx|mjs|cjs|js)$/;

/** Every text file of the project, as a clone has it: no installed, built or hidden-by-git ones. */
export async function projectFiles(folder = ''): Promise<ProjectFile[]> {
  const entries = await readdir(join(projectFolder, folder), { withFileTypes: true });
  const found: ProjectFile[] = [];
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !notOurs.has(entry.name)) {
      found.push(...(await projectFiles(path)));
    } else if (entry.isFile() && readAsText.test(path) && path !== 'package-lock.json') {
      found.push({ path, text: await readFile(join(projectFolder, path), 'utf8') });
    }
  }
  return found;
}

/** Source text that people write and read; generated files say so in their first lines. */
export function isWrittenByHand({ path, text }: ProjectFile): boolean {
  return writtenByHand.test(path) && !/^.{0,200}@generated/s.test(text);
}
