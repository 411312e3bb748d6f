import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { type Environment, commandLineWith } from '../support/command-line.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { readAtHead } from '../support/read-at-head.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

const MODEL = { provider: 'anthropic', model: ANTHROPIC_MODEL };
const FORMATS = ['anthropic', 'openai-chat', 'neutral'] as const;

/** On the embedded store, whose keys are files. */
let app: AppInProcess;
let moved: AppInProcess;
let childId: string;
const shown = new Map<string, string>();

async function contextOf(worker: SessionWorker, format: string): Promise<string> {
  return JSON.stringify((await worker.context({ format })).messages);
}

async function succeeds(environment: Environment, ...command: readonly string[]): Promise<string> {
  const { exitCode, stderr, stdout } = await commandLineWith(() => environment)(...command);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

beforeAll(async () => {
  app = await startApp();
  const s1 = new SessionWorker(app.http, 's1');
  await s1.start();
  await s1.input('a', { inputId: 'u1' });
  await s1.claim();
  const calls = await s1.turn(
    anthropicAnswer('', [
      { id: 'c1', name: 'shell', input: { command: 'false' } },
      { id: 'c2', name: 'shell', input: { command: 'true' } },
    ]),
    MODEL,
  );
  for (const { callId } of calls) await s1.permit(callId);
  const [c1, c2] = calls.map(({ callId }) => callId) as [string, string];
  await s1.result(c1, '', { isError: true });
  const parent = { sessionId: 's1', edge: 'subagent', spawningCallId: c2, ...s1.owner };
  childId = (await s1.ok<{ sessionId: string }>('POST', '/v1/sessions', { parent })).sessionId;
  const child = new SessionWorker(app.http, childId);
  await child.input('sub task', { inputId: 'v1' });
  await child.claim();
  await child.turn(anthropicAnswer('done'), MODEL);
  await child.complete();
  await s1.result(c2, 'ok');
  for (const format of FORMATS) shown.set(format, await contextOf(s1, format));
  await app.close();

  const folder = join(app.folder.path, 'export');
  await succeeds(app.environment, 'export', folder);
  const elsewhere = temporaryFolder();
  const keysIn = (path: string) => join(path, 'data-keys');
  cpSync(keysIn(app.folder.path), keysIn(elsewhere.path), { recursive: true });
  const environment = { HOLDFAST_DATA_DIR: join(elsewhere.path, 'data') };
  await succeeds(environment, 'import', 'holdfast', folder);
  moved = await startApp({ folder: elsewhere });
});
afterAll(async () => {
  await moved.close();
  moved.folder.remove();
  app.folder.remove();
});

it('fc-24.1: an exported session that is imported has the context that it had', async () => {
  const s1 = new SessionWorker(moved.http, 's1');
  for (const format of FORMATS) {
    expect([format, await contextOf(s1, format)]).toEqual([format, shown.get(format)]);
  }
});

it('fc-24.2: its child is imported with it, and hangs under it', async () => {
  const child = new SessionWorker(moved.http, childId);
  expect(await child.read()).toMatchObject({
    parent: { sessionId: 's1', edge: 'subagent' },
    ancestors: ['s1'],
    counters: { inputs: 1, modelCalls: 1 },
  });
  const { body } = await moved.http.get<{ sessions: readonly { sessionId: string }[] }>(
    '/v1/sessions?parentId=s1',
  );
  expect(body.sessions.map(({ sessionId }) => sessionId)).toEqual([childId]);
});

/** The same case with one session, which is imported beside others and into an empty store. */
describe('one session', () => {
  let here: AppInProcess;
  let empty: AppInProcess;
  let emptyFolder: TemporaryFolder;
  let before: TenantCost;
  let positionAfterFail: bigint;
  let failed: { readonly exitCode: number; readonly stderr: string };
  /** By the id in the file. */
  const ids = new Map<string, string>();

  interface Figures {
    readonly calls: number;
    readonly amounts: readonly { readonly amount: string }[];
    readonly imported?: Pick<Figures, 'calls' | 'amounts'>;
  }
  interface TenantCost {
    readonly total: Figures;
  }

  const costOf = (of: AppInProcess, sessionId: string) =>
    readAtHead<{ readonly inclusive: Figures }>(of, `/v1/sessions/${sessionId}/cost`);

  beforeAll(async () => {
    here = await startApp({ folder: app.folder });
    before = await readAtHead<TenantCost>(here, '/v1/cost');
    const folder = join(app.folder.path, 'session');
    await succeeds(here.environment, 'export', '--session', 's1', folder);
    const position = await here.ports.events.headPosition();
    const imports = commandLineWith(() => here.environment);
    failed = await imports('import', 'holdfast', folder, '--on-collision', 'fail');
    positionAfterFail = (await here.ports.events.headPosition()) - position;
    const more = ['--on-collision', 'newIds', '--json'];
    const report = await succeeds(here.environment, 'import', 'holdfast', folder, ...more);
    const { sessions } = JSON.parse(report) as {
      readonly sessions: readonly { readonly nativeId: string; readonly sessionId: string }[];
    };
    for (const { nativeId, sessionId } of sessions) ids.set(nativeId, sessionId);

    emptyFolder = temporaryFolder();
    empty = await startApp({ folder: emptyFolder });
    await succeeds(empty.environment, 'import', 'auto', folder);
  });
  afterAll(async () => {
    await here.close();
    await empty.close();
    emptyFolder.remove();
  });

  it('fc-24.1: has the context that it had, under a new id and in another store', async () => {
    for (const worker of [
      new SessionWorker(here.http, ids.get('s1')),
      new SessionWorker(empty.http, 's1'),
    ]) {
      for (const format of FORMATS) {
        expect([format, await contextOf(worker, format)]).toEqual([format, shown.get(format)]);
      }
    }
  });

  it('fc-24.2: has its child under it, and the child that was there stays where it was', async () => {
    const [parentId, newChildId] = [ids.get('s1')!, ids.get(childId)!];
    expect(await new SessionWorker(here.http, newChildId).read()).toMatchObject({
      parent: { sessionId: parentId, edge: 'subagent' },
      ancestors: [parentId],
      imported: true,
    });
    expect(await new SessionWorker(here.http, childId).read()).toMatchObject({
      parent: { sessionId: 's1' },
      imported: false,
    });
    expect(await new SessionWorker(empty.http, childId).read()).toMatchObject({
      parent: { sessionId: 's1' },
      imported: true,
    });
  });

  it('fc-24.3: costs nothing new: its usage is shown as imported, and is nowhere counted twice', async () => {
    expect(before.total).toMatchObject({ calls: 2 });
    expect(before.total.imported).toBeUndefined();
    expect((await readAtHead<TenantCost>(here, '/v1/cost')).total).toEqual(before.total);
    expect((await costOf(here, 's1')).inclusive).toEqual((await costOf(moved, 's1')).inclusive);
    const { calls, amounts, imported } = (await costOf(empty, 's1')).inclusive;
    expect({ calls, amounts: amounts.map(({ amount }) => amount) }).toEqual({
      calls: 2,
      amounts: before.total.amounts.map(({ amount }) => amount),
    });
    expect(imported).toMatchObject({ calls, amounts: [{ amount: amounts[0]!.amount }] });
    expect((await readAtHead<TenantCost>(empty, '/v1/cost')).total.imported).toEqual(imported);
  });

  it('fc-24.4: gets new ids that the answer maps, or is refused by its id with nothing written', async () => {
    expect([...ids.keys()]).toEqual(['s1', childId]);
    expect(new Set([...ids.keys(), ...ids.values()]).size).toBe(4);
    expect(failed).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining(`session s1, ${childId} exists already`),
    });
    expect(positionAfterFail).toBe(0n);
  });

  it('gives the same bytes again, and adds nothing when it is imported again', async () => {
    const again = join(app.folder.path, 'again');
    await succeeds(here.environment, 'export', '--session', 's1', again);
    const bytesIn = (folder: string) =>
      readFileSync(join(app.folder.path, folder, 'session.jsonl'));
    expect(bytesIn('again').equals(bytesIn('session'))).toBe(true);
    for (const environment of [here.environment, empty.environment]) {
      const report = await succeeds(environment, 'import', 'holdfast', again, '--json');
      expect(JSON.parse(report)).toMatchObject({ events_appended: 0, sessionId: 's1' });
    }
  });

  it('can be gone on with, and what it uses from then on is spent here', async () => {
    const worker = new SessionWorker(empty.http, 's1');
    const { imported } = (await costOf(empty, 's1')).inclusive;
    await worker.input('go on');
    expect(await worker.claim()).toMatchObject({ epoch: 1 });
    await worker.turn({ ...anthropicAnswer('gone on'), id: 'msg_of_here' }, MODEL);
    await worker.complete();
    const after = (await costOf(empty, 's1')).inclusive;
    expect(after).toMatchObject({ calls: 3, imported });
    const exported = join(emptyFolder.path, 'audit');
    await succeeds(empty.environment, 'audit', 'export', exported, '--session', 's1');
    const [first] = readFileSync(join(exported, 'events.ndjson'), 'utf8').split('\n');
    expect(JSON.parse(first!)).toMatchObject({
      commandType: 'ImportSession',
      source: { record: 's1/0', recorded: { commandType: 'StartSession' } },
    });
  });
});
