import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(300_000);

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/costs.md'), 'utf8');
const run = promisify(execFile);

/** Each block of commands, with the block of text behind it: what they say. */
const examples = [...GUIDE.matchAll(/```sh\n([^]*?)```\n(?:\n```text\n([^]*?)```)?/g)].map(
  ([, commands, text]) => ({ commands: commands!, text }),
);

let app: AppInProcess;
let folder: TemporaryFolder;
beforeAll(async () => {
  app = await startApp();
  folder = temporaryFolder();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
  folder.remove();
});

/** As a reader would, in one folder, with the program that was built and a server that runs. */
async function said(commands: string): Promise<string> {
  const script =
    `npx() { shift; node ${join(ROOT, 'bin/holdfast.mjs')} "$@"; }\nset -e\n` +
    commands
      .replaceAll('http://127.0.0.1:4680', app.url)
      .replaceAll('node examples/', `node ${ROOT}/examples/`);
  const env = {
    PATH: process.env.PATH,
    ...app.environment,
    HOLDFAST_URL: app.url,
  };
  const { stdout } = await run('bash', ['-c', script], { cwd: folder.path, env });
  return stdout;
}

describe('the guide to costs', () => {
  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(5);
  });

  it.each(examples.map((example) => [example.commands.split('\n')[0], example] as const))(
    'says what comes of: %s',
    async (_, { commands, text }) => {
      const stdout = (await said(commands)).trimEnd();
      expect(stdout).toBe(text?.trimEnd() ?? stdout);
    },
  );
});
