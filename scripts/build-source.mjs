import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';

const testOnly = /\.(spec|e2e-spec|contract)\.ts$/;
const copied = /\.(json|sql|graphql|html|css|svg)$/;

/**
 * Translates `src` into `dist` and copies its data files. Writes only what changed, so that a
 * running server never sees a half-written file, and removes what has no source any more.
 * Returns the number of files in `dist` and how many of them were written.
 */
export async function buildSource(root) {
  const sourceFolder = join(root, 'src');
  const outputFolder = join(root, 'dist');
  const sources = await filesBelow(sourceFolder);
  const outputs = new Map();
  await Promise.all(
    sources.map(async (file) => {
      for (const output of await outputsOf(root, join(sourceFolder, file), file)) {
        outputs.set(output.file, output.content);
      }
    }),
  );
  const changes = await Promise.all(
    [...outputs].map(([file, content]) => writeIfChanged(join(outputFolder, file), content)),
  );
  const left = (await filesBelow(outputFolder)).filter((file) => !outputs.has(file));
  await Promise.all(left.map((file) => rm(join(outputFolder, file), { force: true })));
  return { total: outputs.size, written: changes.filter(Boolean).length };
}

async function outputsOf(root, path, file) {
  if (copied.test(file)) {
    return [{ file, content: await readFile(path) }];
  }
  if (!file.endsWith('.ts') || file.endsWith('.d.ts') || testOnly.test(file)) {
    return [];
  }
  const result = await transformFile(path, {
    cwd: root,
    sourceFileName: relative(join(root, 'dist', dirname(file)), path),
  });
  const output = file.replace(/\.ts$/, '.js');
  const mapName = `${output.slice(output.lastIndexOf('/') + 1)}.map`;
  return [
    { file: output, content: Buffer.from(`${result.code}//# sourceMappingURL=${mapName}\n`) },
    { file: `${output}.map`, content: Buffer.from(result.map) },
  ];
}

async function writeIfChanged(path, content) {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(content)) {
    return false;
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return true;
}

async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') {
      return [];
    }
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}
