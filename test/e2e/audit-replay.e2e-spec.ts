import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { VersionDifference } from '../../src/audit/compare-versions.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(60_000);

const REFUND = { id: 'toolu_1', name: 'refund', input: { order: 7 } };

let app: AppInProcess;
let worker: SessionWorker;
/** Versions: started, the refund was requested, everything is done. */
let asked: number;
let newest: number;
const commandLine = commandLineWith(() => app.environment);

beforeAll(async () => {
  app = await startApp();
  worker = new SessionWorker(app.http);
  await worker.start({ title: 'refunds' });
  await worker.input('Refund order 7.');
  await worker.claim();
  const model = { provider: 'anthropic', model: ANTHROPIC_MODEL };
  const [call] = await worker.turn(anthropicAnswer('I refund it.', [REFUND]), model);
  asked = (await worker.read()).revision;
  await worker.permit(call!.callId);
  await worker.result(call!.callId, 'refunded');
  await app.http.post(
    worker.path('/facts'),
    { facts: [{ factId: 'goal', kind: 'goal', text: 'Refund order 7.' }] },
    { 'Idempotency-Key': randomUUID() },
  );
  await worker.turn(anthropicAnswer('It is done.'), model);
  await worker.complete();
  newest = (await worker.read()).revision;
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const changes = (query: string) =>
  worker.ok<VersionDifference>('GET', worker.path(`/changes${query}`));

describe('two versions of a session', () => {
  it('differ in state, calls, facts, model input and cost', async () => {
    const found = await changes(`?from=${asked}`);
    expect(found).toMatchObject({ from: asked, to: newest, events: { count: newest - asked } });
    expect(found.events.byType).toMatchObject({ ToolResultRecorded: 1, RunCompleted: 1 });
    expect(found.events.byActor).toEqual({ local: newest - asked });
    expect(found.state).toContainEqual({ field: 'status', before: 'owned', after: 'idle' });
    expect(found.calls).toMatchObject([
      { tool: 'refund', before: 'requested', after: 'completed', attempts: 1 },
    ]);
    expect(found.facts).toMatchObject([{ factId: 'goal', after: { text: 'Refund order 7.' } }]);
    expect(JSON.stringify(found.context.added)).toContain('It is done.');
    expect(found.context.addedCount).toBe(found.context.added.length);
    expect(found.cost.before.own).toMatchObject({ calls: 1 });
    expect(found.cost.after.own).toMatchObject({ calls: 2 });
  });

  it('are the same where nothing lies between', async () => {
    const found = await changes(`?from=${asked}&to=${asked}`);
    expect(found).toMatchObject({ events: { count: 0 }, state: [], calls: [], facts: [] });
    expect(found.context).toMatchObject({ removedCount: 0, addedCount: 0 });
    expect(found.cost.before).toEqual(found.cost.after);
  });

  it('are asked for in their order, and must be there', async () => {
    for (const query of [`?from=${newest}&to=0`, `?from=0&to=${newest + 1}`, '?from=-1']) {
      expect([query, (await app.http.get(worker.path(`/changes${query}`))).status]).toEqual([
        query,
        400,
      ]);
    }
  });

  it('are compared by the command line, too', async () => {
    const { sessionId } = worker;
    const said = await commandLine('diff', sessionId, '--from', String(asked));
    expect(said.exitCode).toBe(0);
    expect(said.stdout).toContain('status: "owned" → "idle"');
    expect(said.stdout).toMatch(/call refund .*: requested → completed/);
    const json = await commandLine('diff', sessionId, '--from', String(asked), '--json');
    expect(JSON.parse(json.stdout)).toEqual(await changes(`?from=${asked}`));
    expect((await commandLine('diff', sessionId)).exitCode).toBe(2);
    expect((await commandLine('diff', sessionId, 'other', '--from', '1')).exitCode).toBe(2);
  });
});

describe('holdfast replay', () => {
  it('prints every version where nobody can press keys', async () => {
    const said = await commandLine('replay', worker.sessionId);
    expect(said.exitCode).toBe(0);
    for (let version = 0; version <= newest; version += 1) {
      expect(said.stdout).toContain(`#${version} 20`);
    }
    expect(said.stdout).toContain('= owned · calls: refund (requested) · input: ');
    expect(said.stdout).toContain('refunded');
    expect(said.stdout).toMatch(/= idle .*cost: 0\.009/);
  });

  it('begins where it is told, as JSON for programs, and names the versions that there are', async () => {
    const { stdout } = await commandLine('replay', worker.sessionId, '--at', `${asked}`, '--json');
    const steps = stdout.trim().split('\n');
    expect(steps).toHaveLength(newest - asked + 1);
    expect(JSON.parse(steps[0]!)).toMatchObject({ version: asked, status: 'owned' });
    const beyond = await commandLine('replay', worker.sessionId, '--at', '999');
    expect([beyond.exitCode, beyond.stderr]).toEqual([
      2,
      `holdfast: the newest version is ${newest}\n`,
    ]);
    expect((await commandLine('replay', 'no-such-session')).exitCode).toBe(3);
  });
});
