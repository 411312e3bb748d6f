import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const GUIDE = readFileSync(new URL('../../docs/guides/budgets.md', import.meta.url), 'utf8');
const BLOCK = /```(sh|text|json)\n([\s\S]*?)```/g;
const CURL = /-X (\w+) http:\/\/127\.0\.0\.1:4680(\S+)[\s\S]*-d '([^']*)'/;

interface Example {
  readonly commands: readonly string[];
  readonly shown: { readonly kind: string; readonly text: string };
}

/** Each block of commands with the answer that follows it. */
function examples(): readonly Example[] {
  const blocks = [...GUIDE.matchAll(BLOCK)].map(([, kind = '', text = '']) => ({ kind, text }));
  return blocks.flatMap(({ kind, text }, index) => {
    if (kind !== 'sh') return [];
    const commands = text
      .trim()
      .replaceAll('\\\n', ' ')
      .split(/\n(?=curl|npx)/);
    return [{ commands, shown: blocks[index + 1]! }];
  });
}

let app: AppInProcess;
const commandLine = commandLineWith(() => app.environment);
let worker: SessionWorker;
beforeAll(async () => {
  app = await startApp();
  worker = new SessionWorker(app.http, 'task-17');
  worker.owner.claimToken = 'a-random-secret-1';
  await worker.start();
  await worker.input('Go on.');
  await worker.claim();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** What the last of the commands answers. */
async function run(commands: readonly string[]): Promise<string> {
  let said = '';
  for (const command of commands) {
    if (command.startsWith('npx holdfast ')) {
      const [, , ...parameters] = command.split(/\s+/);
      const { exitCode, stdout, stderr } = await commandLine(...parameters);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      said = stdout;
      continue;
    }
    const [, method = '', path = '', body = ''] = CURL.exec(command) ?? [];
    said = (await app.http.send(method, path, { raw: body })).text;
  }
  return said;
}

describe('docs/guides/budgets.md', () => {
  it('shows what its commands answer', async () => {
    const all = examples();
    expect(all.map(({ shown }) => shown.kind)).toEqual(['text', 'json', 'text', 'json']);
    for (const [index, { commands, shown }] of all.entries()) {
      if (index === 3) await worker.settle('call-1', { response: anthropicAnswer('Yes.') });
      const said = await run(commands);
      if (shown.kind === 'json') expect(JSON.parse(said)).toMatchObject(JSON.parse(shown.text));
      else expect(said).toBe(shown.text.replaceAll('2026-11', monthInBerlin()));
    }
  });

  it('names every problem that a budget answers', () => {
    for (const code of ['budget_exhausted', 'budget_unpriced']) expect(GUIDE).toContain(code);
  });
});

function monthInBerlin(): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Europe/Berlin',
    year: 'numeric',
    month: '2-digit',
  });
  return format.format(Date.now());
}
