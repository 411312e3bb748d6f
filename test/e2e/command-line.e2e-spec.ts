import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContextBody, RestoreBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { startChild, startNode } from '../support/child-process.js';
import { commandLineWith } from '../support/command-line.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(180_000);

const PROGRAM = join(import.meta.dirname, '../../bin/holdfast.mjs');

let app: AppInProcess;
const commandLine = commandLineWith(() => app.environment);
let worker: SessionWorker;
beforeAll(async () => {
  app = await startApp({ environment: { HOLDFAST_LEASE_TTL_MS: '600000' } });
  worker = new SessionWorker(app.http, 'session-1');
  await worker.start({ title: 'Order 4711' });
  await worker.input('Where is order 4711?');
  await worker.claim();
  const model = { provider: 'anthropic', model: 'claude-sonnet-4-5' };
  const asked = [{ id: 'toolu_1', name: 'mail', input: {} }];
  const [call] = await worker.turn(anthropicAnswer('I ask.', asked), model);
  await worker.permit(call!.callId);
  await worker.post(`/tool-calls/${call!.callId}/unknown`, {});
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** One JSON value on stdout and nothing else, exit code 0. */
async function json<Value>(...parameters: readonly string[]): Promise<Value> {
  const { exitCode, stdout } = await commandLine(...parameters, '--json');
  expect([parameters, exitCode]).toEqual([parameters, 0]);
  expect(stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(stdout) as Value;
}

describe('the command line beside a running server', () => {
  it('lists sessions, as a table and as JSON', async () => {
    const list = await json<{ sessions: { sessionId: string; title: string }[] }>('sessions');
    expect(list.sessions).toMatchObject([{ sessionId: 'session-1', title: 'Order 4711' }]);
    const { stdout } = await commandLine('sessions', '--status', 'owned');
    expect(stdout).toMatch(/^SESSION .*\nsession-1 +owned .*Order 4711\n$/);
    const none = await commandLine('sessions', '--status', 'stopped');
    expect(none).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('says how a session stands, with its unknown outcome and the next model input', async () => {
    const restored = await json<RestoreBody>('restore', 'session-1', '--format', 'anthropic');
    expect(restored).toMatchObject({
      status: 'owned',
      standing: { heldBy: 'worker-1' },
      unresolved: [{ tool: 'mail', state: 'awaitingHuman' }],
    });
    expect(JSON.stringify(restored.context.messages)).toContain('may or may not have run');
    const { stdout } = await commandLine('restore', 'session-1');
    expect(stdout).toContain('worker worker-1 holds it');
    expect(stdout).toMatch(
      /operator decides by \S+: holdfast decide session-1 \S+ applied\|notApplied\|retry\|abandon\n/,
    );
  });

  it('prints the same next model input as the server', async () => {
    const parameters = ['--format', 'anthropic', '--instructions', 'Be brief.'];
    const printed = await json<ContextBody>('context', 'session-1', ...parameters);
    const served = await worker.context({ format: 'anthropic', instructions: 'Be brief.' });
    expect(printed).toEqual(served);
    const past = await json<ContextBody>('context', 'session-1', '--at', served.contextId);
    expect(past).toEqual(served);
    const early = await json<ContextBody>('context', 'session-1', '--at', '1');
    expect(early.messages).toHaveLength(0);
    const { stdout, stderr } = await commandLine('context', 'session-1');
    expect(JSON.parse(stdout)).toHaveProperty('messages');
    expect(stderr).toMatch(/\d+ messages, about \d+ tokens/);
  });

  it('forks a session, and a repetition makes no second one', async () => {
    const fork = await json<{ sessionId: string; parentId: string; replayed: boolean }>(
      'fork',
      'session-1',
      '--id',
      'fork-1',
    );
    expect(fork).toMatchObject({ sessionId: 'fork-1', parentId: 'session-1', replayed: false });
    expect(await json('fork', 'session-1', '--id', 'fork-1')).toMatchObject({ replayed: true });
    expect((await new SessionWorker(app.http, 'fork-1').read()).ancestors).toEqual(['session-1']);
  });

  it('tells what a session has cost', async () => {
    const cost = await json<{ own: { amounts: { amount: string }[] } }>('cost', 'session-1');
    expect(cost.own.amounts).toMatchObject([{ amount: '0.0045' }]);
    const { stdout } = await commandLine('cost', 'session-1');
    expect(stdout).toMatch(/^own +0\.0045 USD +1 /m);
  });

  it('prints the key on stdout and where it is on stderr', async () => {
    const { exitCode, stdout, stderr } = await commandLine('key');
    expect([exitCode, stdout.trim()]).toEqual([0, app.http.key]);
    expect(stderr.trim()).toBe(join(app.folder.path, 'data-keys', 'api-key'));
  });
});

describe('a wrong command', () => {
  it.each([
    [2, ['sessions', '--limit', '0']],
    [2, ['sessions', '--limit', 'all']],
    [2, ['sessions', '--status', 'asleep']],
    [2, ['context', 'session-1', '--format', 'morse']],
    [2, ['context', 'session-1', '--at', '-1']],
    [2, ['context', 'session-1', '--at', `1.${'0'.repeat(64)}.${'0'.repeat(40)}`, '--now', 'x']],
    [3, ['context', 'session-1', '--at', `1.${'0'.repeat(64)}.${'0'.repeat(40)}`]],
    [2, ['context', 'session-1', '--at', '1000000']],
    [2, ['context', 'session-1', '--budget', 'some']],
    [2, ['restore']],
    [2, ['restore', 'session-1', 'session-2']],
    [2, ['restore', '--no-such-option', 'session-1']],
    [2, ['no-such-command']],
    [3, ['restore', 'no-such-session']],
    [3, ['context', 'no-such-session']],
    [3, ['fork', 'no-such-session']],
    [3, ['cost', 'no-such-session']],
    [2, ['fork', 'session-1', '--id', 'not/an id']],
    [4, ['fork', 'session-1', '--id', 'session-1']],
    [4, ['fork', 'session-1', '--id', 'fork-1', '--at', '0']],
    [2, ['import', 'morse', '.']],
    [2, ['rebuild', 'no-such-model']],
    [4, ['context', 'session-1', '--budget', '1']],
    [1, ['verify', '--checkpoints', 'no-such-file']],
    [1, ['verify', '--checkpoints', '.']],
  ])('ends with %i, one sentence and nothing on stdout: %j', async (code, parameters) => {
    const { exitCode, stdout, stderr } = await commandLine(...parameters);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  });

  it('names what is allowed, or what was given', async () => {
    const known: readonly (readonly [string, string])[] = [
      ['import morse .', 'holdfast import takes claude-code, holdfast, or auto, which'],
      ['import morse', "holdfast import: missing required argument 'path'"],
      ['import morse', '(holdfast import --help says what is possible)'],
      ['keys add', "holdfast keys add: required option '--name <name>' not specified"],
      ['rebuild nothing', 'there is no read model "nothing"; there are sessions'],
      ['restore session-1 --format morse', 'langchain, not "morse"'],
      ['sessions --status asleep', 'erased, not "asleep"'],
      ['verify --checkpoints no-such-file', 'no-such-file: there is no such file'],
    ];
    for (const [line, words] of known) {
      expect((await commandLine(...line.split(' '))).stderr).toContain(words);
    }
  });

  it('does not change the log', async () => {
    expect((await worker.read()).counters.inputs).toBe(1);
  });
});

describe('help', () => {
  it.each([
    ['--help'],
    ['serve', '--help'],
    ['demo', '--help'],
    ['sessions', '--help'],
    ['restore', '--help'],
    ['context', '--help'],
    ['fork', '--help'],
    ['cost', '--help'],
    ['key', '--help'],
  ])('is printed on stdout with 0: %s %s', async (...parameters) => {
    const asked = parameters.filter((parameter) => parameter !== undefined);
    const { exitCode, stdout, stderr } = await commandLine(...asked);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: holdfast/);
  });

  it('names the version', async () => {
    const { exitCode, stdout } = await commandLine('--version');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('before the first start', () => {
  it.each([['sessions'], ['restore', 's1'], ['cost', 's1'], ['context', 's1']])(
    '%s says that there is no store, and makes none',
    async (...parameters) => {
      const HOLDFAST_DATA_DIR = join(app.folder.path, 'mistyped');
      const holdfast = commandLineWith(() => ({
        ...app.environment,
        HOLDFAST_EVENTSTORE_URL: '',
        HOLDFAST_DATA_DIR,
      }));
      const { exitCode, stderr } = await holdfast(...parameters);
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining('HOLDFAST_DATA_DIR')]);
      expect(existsSync(HOLDFAST_DATA_DIR)).toBe(false);
    },
  );

  it('output that nobody reads to its end is no failure', async () => {
    const command = `"${process.execPath}" "${PROGRAM}" prices list --json | head -c 100`;
    const { exitCode, stderr } = await startChild('bash', ['-c', command]).ended;
    expect([exitCode, stderr]).toEqual([0, '']);
  });

  const environment = { HOLDFAST_DATA_DIR: '', HOLDFAST_PORT: '0' };

  it('there is no key, and the command says what makes it', async () => {
    environment.HOLDFAST_DATA_DIR = join(app.folder.path, 'not-yet');
    const { exitCode, stdout, stderr } = await startNode(PROGRAM, ['key'], environment).ended;
    expect([exitCode, stdout]).toEqual([5, '']);
    expect(stderr).toMatch(/^holdfast: there is no key .*not-yet-keys.*first start makes it.*\n$/);
  });

  it('the doctor finds a data folder that is a file', async () => {
    environment.HOLDFAST_DATA_DIR = join(app.folder.path, 'no-folder');
    writeFileSync(environment.HOLDFAST_DATA_DIR, '');
    const { exitCode, stdout } = await startNode(PROGRAM, ['doctor'], environment).ended;
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^FAIL data folder: .*no-folder: a file has this name; .*DATA_DIR$/m);
  });
});

describe('the demo', () => {
  it('holds: one charge, an unknown outcome, evidence, and a plain loop that pays twice', async () => {
    const { exitCode, stdout, stderr } = await startNode(PROGRAM, ['demo', '--json']).ended;
    expect(JSON.parse(stdout)).toMatchObject({
      charges: 1,
      chargesOfNaiveLoop: 2,
      stateAfterKill: 'unknown',
      stateAfterAsking: 'applied',
      forkOwnCost: '0',
      holds: true,
    });
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd()).not.toContain('\n');
    expect(stderr).toContain('SIGKILL');
  });
});
