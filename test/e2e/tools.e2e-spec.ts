import { setTimeout as pause } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

interface ToolsBody {
  readonly tools: readonly {
    readonly name: string;
    readonly version: number;
    readonly effect: string;
    readonly added?: boolean;
  }[];
}

let app: AppInProcess;

beforeAll(async () => {
  app = await startApp();
});

afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function register(...tools: readonly object[]): Promise<ToolsBody> {
  const answer = await app.http.send<ToolsBody>('POST', '/v1/tools', { body: { tools } });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function callOf(tool: string, declared: readonly object[] = []) {
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: declared });
  await worker.input('Do it.');
  await worker.claim();
  const [call] = await worker.turn(
    anthropicAnswer('I do.', [{ id: 'toolu_1', name: tool, input: {} }]),
  );
  return { worker, call: call! };
}

describe('the tools of a tenant', () => {
  it('have versions; the same again is no new one', async () => {
    const pay = {
      name: 'pay',
      effect: 'keyedWrite',
      keyWindowMs: 3_600_000,
      keyField: { header: 'Idempotency-Key' },
    };
    expect((await register(pay)).tools).toMatchObject([{ version: 1, added: true }]);
    expect((await register(pay)).tools).toMatchObject([{ version: 1, added: false }]);
    const changed = { ...pay, keyWindowMs: 7_200_000 };
    expect((await register(changed)).tools).toMatchObject([{ version: 2, added: true }]);
    const shown = await app.http.send<ToolsBody>('GET', '/v1/tools/pay');
    expect(shown.body.tools.map(({ version }) => version)).toEqual([2, 1]);
    const list = await app.http.send<ToolsBody>('GET', '/v1/tools');
    expect(list.body.tools).toMatchObject([{ name: 'pay', version: 2 }]);
    expect((await app.http.send('GET', '/v1/tools/nothing')).status).toBe(404);
  });

  it('hold for every session, whatever it declares; open calls keep what they have', async () => {
    await register({
      name: 'ship',
      effect: 'keyedWrite',
      keyWindowMs: 3_600_000,
      keyField: { header: 'Idempotency-Key' },
    });
    const { worker, call } = await callOf('ship', [{ name: 'ship', effect: 'readOnly' }]);
    expect(call.effect).toBe('keyedWrite');
    await register({ name: 'ship', effect: 'opaqueWrite' });
    await worker.permit(call.callId);
    await worker.post(`/tool-calls/${call.callId}/unknown`, {});
    const giveUpMs = performance.now() + 50_000;
    let { unresolved } = await worker.read();
    while (unresolved[0]?.state === 'unknown' && performance.now() < giveUpMs) {
      await pause(100);
      ({ unresolved } = await worker.read());
    }
    expect(unresolved).toMatchObject([{ state: 'retryAuthorized', nextAttempt: 2 }]);
    const lowered = await worker.ok<{ call: { state: string; effect: string } }>(
      'POST',
      worker.path(`/tool-calls/${call.callId}/lower`),
      { note: 'The key was forgotten.' },
    );
    expect(lowered.call).toMatchObject({ state: 'unknown', effect: 'opaqueWrite' });
    expect((await callOf('ship')).call.effect).toBe('opaqueWrite');
  });

  it('are refused with every fault named', async () => {
    const refused = await app.http.send<{ code: string; errors: { at: string }[] }>(
      'POST',
      '/v1/tools',
      {
        body: {
          tools: [
            { name: 'a', effect: 'opaqueWrite', keyWindowMs: 1, maxFlightMs: 1 },
            { name: 'b', effect: 'queryableWrite', probe: false },
          ],
        },
      },
    );
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_manifest']);
    expect(refused.body.errors.map(({ at }) => at)).toEqual(['a', 'a', 'b']);
  });
});

describe('holdfast tools', () => {
  it('lists, adds and shows them', async () => {
    const file = join(app.folder.path, 'tools.json');
    writeFileSync(file, JSON.stringify([{ name: 'refund', effect: 'opaqueWrite' }]));
    const commandLine = commandLineWith(() => app.environment);
    const added = await commandLine('tools', 'add', file);
    expect(added).toMatchObject({ exitCode: 0 });
    expect(added.stdout).toContain('added  refund version 1');
    expect((await commandLine('tools', 'list')).stdout).toMatch(/refund +1 +opaqueWrite/);
    const shown = await commandLine('tools', 'show', 'refund');
    expect(JSON.parse(shown.stdout)).toMatchObject({ tools: [{ name: 'refund', version: 1 }] });
    expect((await commandLine('tools', 'show', 'nothing')).exitCode).toBe(3);
  }, 120_000);
});

describe('what a manifest says to a worker', () => {
  it('where the operation key goes stands in the permit', async () => {
    const keyField = { body: '/request_id' };
    const charge = { name: 'charge', effect: 'keyedWrite', keyWindowMs: 3_600_000, keyField };
    const { worker, call } = await callOf('charge', [charge]);
    expect(await worker.permit(call.callId)).toMatchObject({ keyField });
    const refused = await app.http.send('POST', '/v1/sessions', {
      body: { tools: [{ name: 'pay', effect: 'keyedWrite' }] },
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('a keyedWrite needs a keyField');
  });

  it('a larger result than it allows is refused, with the limit; a shorter one is taken', async () => {
    const { worker, call } = await callOf('look', [{ name: 'look', resultBytesMax: 200 }]);
    await worker.permit(call.callId);
    const path = worker.path(`/tool-calls/${call.callId}/result`);
    const body = { ...worker.owner, content: 'x'.repeat(300) };
    const refused = await app.http.send('POST', path, { body });
    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({ code: 'too_large', limit: 'resultBytesMax', max: 200 });
    await worker.result(call.callId, 'too long to be kept');
  });
});
