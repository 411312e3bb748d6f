/**
 * Builds every workspace package and `src` into `dist`, as fast as it can be done: it runs before
 * each start and each test. Types are not checked here; that is `npm run typecheck`.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildPackages } from './build-packages.mjs';
import { buildSource } from './build-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

if (existsSync(new URL('../node_modules/@swc/core', import.meta.url))) {
  await build().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
} else if (existsSync(new URL('../dist/cli/main.js', import.meta.url))) {
  process.stderr.write('no development dependencies: the build that is there stays\n');
} else {
  process.stderr.write('The build needs the development dependencies: run `npm ci`\n');
  process.exitCode = 1;
}

async function build() {
  const startedAt = performance.now();
  const [packageNames, source] = await Promise.all([buildPackages(root), buildSource(root)]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const packages = packageNames.length === 0 ? '' : `, packages ${packageNames.join(', ')}`;
  process.stderr.write(
    `built in ${seconds} s: ${source.written} of ${source.total} files changed${packages}\n`,
  );
}
