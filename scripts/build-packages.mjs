import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const notInput = /(^|[\\/])(dist|node_modules|test)([\\/]|$)|\.(tsbuildinfo|spec\.ts)$/;

/**
 * Runs the `build` script of each workspace package whose files changed since its last build.
 * Compared by content, not by time, because moved and checked-out files carry any time.
 * Returns the names of the packages that were built.
 */
export async function buildPackages(root) {
  const folders = await readdir(join(root, 'packages')).catch(() => []);
  const built = [];
  for (const folder of folders.sort()) {
    const packageFolder = join(root, 'packages', folder);
    if (!existsSync(join(packageFolder, 'package.json'))) {
      continue;
    }
    const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
    if (manifest.scripts?.build && (await buildIfChanged(root, packageFolder, folder))) {
      built.push(manifest.name);
    }
  }
  return built;
}

async function buildIfChanged(root, packageFolder, folder) {
  const stampFolder = join(root, 'node_modules', '.cache', 'holdfast-build');
  const stampFile = join(stampFolder, `${folder}.sha256`);
  const digest = await contentDigest(packageFolder);
  const lastDigest = await readFile(stampFile, 'utf8').catch(() => '');
  if (lastDigest === digest && existsSync(join(packageFolder, 'dist'))) {
    return false;
  }
  await runBuildScript(packageFolder, folder);
  await mkdir(stampFolder, { recursive: true });
  await writeFile(stampFile, digest);
  return true;
}

async function runBuildScript(packageFolder, folder) {
  try {
    await run('npm', ['run', 'build', '--silent'], {
      cwd: packageFolder,
      shell: process.platform === 'win32',
    });
  } catch (error) {
    throw new Error(`packages/${folder} does not build:\n${error.stdout}${error.stderr}`, {
      cause: error,
    });
  }
}

async function contentDigest(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !notInput.test(path.slice(folder.length)))
    .sort();
  const hash = createHash('sha256');
  for (const path of files) {
    const content = await readFile(path);
    hash.update(`${path.slice(folder.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
