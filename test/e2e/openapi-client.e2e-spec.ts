import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HoldfastClient, holdfastClient } from '../../packages/client/src/index.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';

let app: AppInProcess;
let client: HoldfastClient;
beforeAll(async () => {
  app = await startApp();
  client = holdfastClient({ url: app.url, key: app.http.key });
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** The answer, where a refusal is a failure of the test. */
async function ok<Data>(asked: Promise<{ data?: Data; error?: unknown }>): Promise<Data> {
  const { data, error } = await asked;
  expect(error).toBeUndefined();
  return data!;
}

describe('the client that is made of the OpenAPI document', () => {
  it('drives the whole life of a session', async () => {
    const tools = [{ name: 'refund', effect: 'opaqueWrite' as const }];
    const { sessionId } = await ok(client.POST('/v1/sessions', { body: { tools } }));
    const path = { sessionId };
    await ok(
      client.POST('/v1/sessions/{sessionId}/inputs', {
        params: { path },
        body: { content: 'Refund order 7.' },
      }),
    );
    const claimToken = randomBytes(16).toString('hex');
    const claim = await ok(
      client.POST('/v1/sessions/{sessionId}/runs', {
        params: { path },
        body: { workerId: 'worker-1', claimToken },
      }),
    );
    const owner = { epoch: claim.epoch, claimToken };
    const context = await ok(
      client.POST('/v1/sessions/{sessionId}/context', {
        params: { path },
        body: { format: 'anthropic' },
      }),
    );
    expect(JSON.stringify(context.messages)).toContain('Refund order 7.');

    const { contextId, inputRevision } = context;
    const started = await ok(
      client.POST('/v1/sessions/{sessionId}/model-calls', {
        params: { path },
        body: { ...owner, contextId, inputRevision, provider: 'anthropic' },
      }),
    );
    const response = anthropicAnswer('', [{ id: 'toolu_1', name: 'refund', input: { order: 7 } }]);
    const settled = await ok(
      client.POST('/v1/sessions/{sessionId}/model-calls/{modelCallId}/settle', {
        params: { path: { ...path, modelCallId: started.modelCallId } },
        body: { ...owner, response },
      }),
    );
    const { callId } = settled.calls[0]!;
    const call = { ...path, callId };
    await ok(
      client.POST('/v1/sessions/{sessionId}/tool-calls/{callId}/start', {
        params: { path: call },
        body: { ...owner, attempt: 1 },
      }),
    );
    await ok(
      client.POST('/v1/sessions/{sessionId}/tool-calls/{callId}/unknown', {
        params: { path: call },
        body: { ...owner, attempt: 1, reason: 'transport' },
      }),
    );

    const restored = await ok(
      client.POST('/v1/sessions/{sessionId}/restore', {
        params: { path },
        body: { format: 'anthropic' },
      }),
    );
    expect(restored.unresolved).toEqual([expect.objectContaining({ callId })]);
    await ok(
      client.POST('/v1/sessions/{sessionId}/tool-calls/{callId}/decision', {
        params: { path: call },
        body: { decision: 'applied', note: 'seen in the ledger' },
      }),
    );
    const fork = await ok(
      client.POST('/v1/sessions/{sessionId}/forks', { params: { path }, body: {} }),
    );
    expect(fork.sessionId).not.toBe(sessionId);
    await ok(
      client.POST('/v1/sessions/{sessionId}/runs/{runId}/complete', {
        params: { path: { ...path, runId: claim.runId } },
        body: owner,
      }),
    );

    const cost = await ok(
      client.GET('/v1/sessions/{sessionId}/cost', {
        params: { path, query: { atLeast: settled.position } },
      }),
    );
    expect(JSON.stringify(cost)).toContain('USD');
    const events = await ok(
      client.GET('/v1/sessions/{sessionId}/events', { params: { path, query: { first: 200 } } }),
    );
    expect(events.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['InputAccepted', 'ToolOutcomeUnknown', 'ToolEscalationDecided']),
    );
  });

  it('says a refusal by its code', async () => {
    const { data, error } = await client.GET('/v1/sessions/{sessionId}', {
      params: { path: { sessionId: 'never-there' } },
    });
    expect(data).toBeUndefined();
    expect(error).toMatchObject({ code: 'not_found', retryable: false });
  });
});
