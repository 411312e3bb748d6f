import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTEXT_FORMATS } from '../../src/context/format-names.js';
import { responseSamples } from '../context/response-samples.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { SessionWorker } from '../support/session-worker.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function working(): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start();
  await worker.input('Go.');
  await worker.claim();
  return worker;
}

describe('an answer that was settled as the provider sent it', () => {
  it.each(responseSamples.map((sample) => [sample.api, sample] as const))(
    'stands in the next %s context as it was',
    async (format, { provider, body, sent }) => {
      const worker = await working();
      const calls = await worker.turn(body as object, { provider, model: 'model-1' });
      for (const { callId } of calls) {
        await worker.permit(callId);
        await worker.result(callId, 'done');
      }
      const context = await worker.context({ format, provider, model: 'model-1' });
      expect(context.messages.slice(1, 1 + sent.length)).toEqual(sent);
      expect(context).toHaveProperty('repairs', []);
    },
  );
});

describe('a context', () => {
  it('can be had in every format, and is the same again', async () => {
    const worker = await working();
    for (const format of CONTEXT_FORMATS) {
      const context = await worker.context({ format, instructions: 'Be brief.' });
      expect(JSON.stringify(context)).toContain('Be brief.');
      expect(await worker.context({ format, instructions: 'Be brief.' })).toEqual(context);
      const read = await app.http.get(worker.path(`/context?format=${format}`));
      expect(read.status).toBe(200);
    }
  });

  it('has cache marks when they are asked for', async () => {
    const worker = await working();
    const asked = { format: 'anthropic', instructions: 'Be brief.', cache: { ttl: '1h' } };
    const marked = JSON.stringify(await worker.context(asked));
    expect(marked.split('"cache_control":{"type":"ephemeral","ttl":"1h"}')).toHaveLength(3);
  });

  it.each([{ ttl: '2h' }, { life: '5m' }, [], 'yes', null])(
    'is refused for cache marks of %j',
    async (cache) => {
      const worker = await working();
      const body = { format: 'anthropic', cache };
      const answer = await app.http.send('POST', worker.path('/context'), { body });
      expectProblem(answer, 400, 'invalid_request');
    },
  );

  it('is refused for an option of another format', async () => {
    const worker = await working();
    const body = { format: 'gemini', options: { midSystem: true } };
    const answer = await app.http.send('POST', worker.path('/context'), { body });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('allowed: gemini3, vertex');
  });
});

describe('blocks of an SDK that are sent one by one', () => {
  it('come back in contexts of that SDK, if the message says whose they are', async () => {
    const worker = await working();
    const { contextId, inputRevision, delivers } = await worker.context();
    const call = { modelCallId: 'm', contextId, inputRevision, delivers };
    await worker.post('/model-calls', { ...call, provider: 'anthropic', model: 'model-1' });
    const block = { type: 'reasoning', text: 'plan', providerOptions: {} };
    await worker.post('/model-calls/m/message', {
      api: 'ai-sdk',
      model: 'model-1',
      blocks: [
        { type: 'provider', block },
        { type: 'text', text: 'hi' },
      ],
    });
    await worker.settle('m', {});
    const { messages } = await worker.context({ format: 'ai-sdk' });
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: [block, { type: 'text', text: 'hi' }],
    });
    expect(JSON.stringify(await worker.context({ format: 'anthropic' }))).not.toContain('plan');
  });
});

describe('a tokenizer that the configuration names', () => {
  it('counts the tokens of contexts, and is named beside them', async () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'letters.mjs');
    const tokenizer = `{ name: 'letters', countTokens: (text) => text.length }`;
    writeFileSync(file, `export const tokenizer = ${tokenizer};`);
    const counting = await startApp({ folder, environment: { HOLDFAST_TOKENIZER: file } });
    const worker = new SessionWorker(counting.http);
    await worker.start();
    await worker.input('a'.repeat(10_000));
    await worker.claim();
    const context = await worker.context({ format: 'anthropic' });
    expect(context.estimatedTokens).toBeGreaterThan(10_000);
    expect(context).toMatchObject({ counting: { by: 'letters', estimatedTexts: 0 } });
    await counting.close();
    folder.remove();
  });
});
