import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ContextBody, EventPageBody, ReceiptBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import {
  ANTHROPIC_MODEL,
  OPENAI_MODEL,
  anthropicAnswer,
  openAiChatAnswer,
} from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const LOOK_UP = { id: 'toolu_1', name: 'look_up', input: { order: '4711' } };

function newWorker(): SessionWorker {
  return new SessionWorker(app.http);
}

async function started(body: object = {}): Promise<SessionWorker> {
  const worker = newWorker();
  await worker.start(body);
  return worker;
}

interface CostBody {
  readonly own: { readonly calls: number; readonly amounts: readonly { amount: string }[] };
  readonly inclusive: { readonly amounts: readonly { amount: string; currency: string }[] };
  readonly descendants: { readonly calls: number };
}

describe('a session over HTTP', () => {
  it('lives from its start to the end of a run with a tool call', async () => {
    const worker = await started({
      title: 'Order 4711',
      labels: { team: 'support' },
      tools: [{ name: 'look_up', effect: 'readOnly' }],
    });
    const input = await worker.input('Where is order 4711?', { inputId: 'question-1' });
    expect(input).toMatchObject({ inputId: 'question-1', revision: 1, replayed: false });
    expect(await worker.read()).toMatchObject({
      status: 'scheduled',
      title: 'Order 4711',
      labels: { team: 'support' },
      standing: { stoppedBy: 'neverStarted', mayContinue: true },
    });

    const claim = await worker.claim();
    expect(claim).toMatchObject({ epoch: 1, reason: 'start', inputIds: ['question-1'] });
    const [call] = await worker.turn(anthropicAnswer('I look.', [LOOK_UP]), {
      provider: 'anthropic',
      model: ANTHROPIC_MODEL,
    });
    expect(call).toMatchObject({
      tool: 'look_up',
      providerCallId: 'toolu_1',
      effect: 'readOnly',
      state: 'requested',
      nextAttempt: 1,
    });
    const permit = await worker.permit(call!.callId);
    expect(permit.opKey).toMatch(/^hf1[a-z2-7]{52}$/);
    const recorded = await worker.result(call!.callId, 'It left on Monday.', { durationMs: 12 });
    expect(recorded.call).toMatchObject({ state: 'completed', attempts: 1 });

    await worker.turn(anthropicAnswer('It left on Monday.'), { provider: 'anthropic' });
    await worker.complete();
    expect(await worker.read()).toMatchObject({
      status: 'idle',
      standing: { stoppedBy: 'completed', mayContinue: false },
      counters: { inputs: 1, assistantMessages: 2, modelCalls: 2, toolCalls: 1 },
    });
  });

  it('reads message, calls, usage and cost from raw bodies of two providers', async () => {
    const worker = await started({ tools: [{ name: 'look_up', effect: 'readOnly' }] });
    await worker.input('Where is it?');
    await worker.claim();
    const start = { modelCallId: 'call-1', provider: 'openai', model: OPENAI_MODEL };
    await worker.post('/model-calls', start);
    const settled = await worker.settle('call-1', { response: openAiChatAnswer('', [LOOK_UP]) });
    // 1,000 × 0.15 + 100 × 0.60 USD per million.
    expect(settled).toMatchObject({ usageState: 'final', cost: '0.00021', currency: 'USD' });
    expect(settled.calls).toMatchObject([{ tool: 'look_up', providerCallId: 'toolu_1' }]);
    await worker.permit(settled.calls[0]!.callId);
    await worker.result(settled.calls[0]!.callId, 'Here.');

    const next = { modelCallId: 'call-2', provider: 'anthropic', model: ANTHROPIC_MODEL };
    await worker.post('/model-calls', next);
    // 1,000 × 3 + 100 × 15 USD per million.
    expect(await worker.settle('call-2', { response: anthropicAnswer('Here.') })).toMatchObject({
      cost: '0.0045',
      calls: [],
    });
    const { position } = await worker.complete();
    const { body } = await app.http.get<CostBody>(worker.path(`/cost?atLeast=${position}`));
    expect(body.own).toMatchObject({ calls: 2, amounts: [{ amount: '0.00471' }] });
  });

  it('shows the same conversation in every format', async () => {
    const worker = await started({ tools: [{ name: 'look_up', effect: 'readOnly' }] });
    await worker.input('Where is it?');
    await worker.claim();
    const [call] = await worker.turn(anthropicAnswer('I look.', [LOOK_UP]));
    await worker.permit(call!.callId);
    await worker.result(call!.callId, 'On its way.');

    const anthropic = await worker.context({ format: 'anthropic', instructions: 'Be brief.' });
    expect(anthropic.system).toBe('Be brief.');
    expect(anthropic.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
    const chat = await worker.context({ format: 'openai-chat', instructions: 'Be brief.' });
    expect(chat.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
    const neutral = await worker.context({ format: 'neutral' });
    for (const context of [anthropic, chat, neutral]) {
      expect(JSON.stringify(context.messages)).toContain('On its way.');
    }
    const { body } = await app.http.get<ContextBody>(worker.path('/context?format=anthropic'));
    expect(body.messages).toEqual(anthropic.messages);
    expect(await worker.context({ format: 'anthropic', instructions: 'Be brief.' })).toEqual(
      anthropic,
    );
  });

  it('keeps facts beside the conversation, word for word', async () => {
    const worker = await started();
    await worker.input('Go on.');
    const facts = [
      { factId: 'limit', kind: 'constraint', text: 'Never pay more than 120.00 EUR.' },
    ];
    const headers = { 'Idempotency-Key': 'facts-1' };
    const recorded = await app.http.post(worker.path('/facts'), { facts }, headers);
    expect(recorded.status).toBe(200);
    expect(JSON.stringify((await worker.context()).messages)).toContain(facts[0]!.text);

    const retired = [{ factId: 'limit', kind: 'constraint', text: 'No limit.', retired: true }];
    await app.http.post(
      worker.path('/facts'),
      { facts: retired },
      { 'Idempotency-Key': 'facts-2' },
    );
    await worker.claim();
    const unknown = [{ factId: 'none', kind: 'note', text: 'x', retired: true }];
    const refused = await app.http.post(
      worker.path('/facts'),
      { facts: unknown },
      { 'Idempotency-Key': 'facts-3' },
    );
    expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('takes labels later on, finds sessions by them, and forgets removed ones', async () => {
    const worker = await started();
    const label = (key: string, body: object) =>
      app.http.post(worker.path('/labels'), body, { 'Idempotency-Key': key });
    const found = async (text: string, atLeast: string) => {
      const path = `/v1/sessions?label=${encodeURIComponent(text)}&atLeast=${atLeast}`;
      const { body } = await app.http.get<{ sessions: { sessionId: string }[] }>(path);
      return body.sessions.map(({ sessionId }) => sessionId);
    };
    const project = `p-${worker.sessionId}`;
    const set = await label('labels-1', { set: { project, stage: 'draft' } });
    expect(set.status).toBe(200);
    const { position } = set.body as { position: string };
    expect(await found(`project=${project}`, position)).toEqual([worker.sessionId]);
    const changed = await label('labels-2', {
      set: { project: `${project}-2` },
      remove: ['stage'],
    });
    expect((await worker.read()).labels).toEqual({ project: `${project}-2` });
    const later = (changed.body as { position: string }).position;
    expect(await found(`project=${project}`, later)).toEqual([]);
    expect(await found(`project=${project}-2`, later)).toEqual([worker.sessionId]);
    const many = Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`n${index}`, '']));
    const refused = await label('labels-3', { set: many });
    expect(refused).toMatchObject({ status: 422, body: { code: 'limit_exceeded' } });
    const both = await label('labels-4', { set: { project }, remove: ['project'] });
    expect(both).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', label: 'project' },
    });
  });

  it('records several steps in one append, or none of them', async () => {
    const worker = await started({ tools: [{ name: 'look_up', effect: 'readOnly' }] });
    await worker.input('Where is it?');
    await worker.claim();
    const messageId = randomUUID();
    const call = { messageId, ordinal: 0 };
    const steps = [
      { type: 'startModelCall', modelCallId: 'call-1', messageId },
      {
        type: 'settleModelCall',
        modelCallId: 'call-1',
        response: anthropicAnswer('', [LOOK_UP]),
      },
      { type: 'startToolCall', call },
      { type: 'recordToolResult', call, content: 'On its way.' },
    ];
    const before = (await worker.read()).revision;
    const wrong = [...steps, { type: 'completeRun', runId: 'another-run' }];
    const refused = await app.http.post(worker.path('/record'), { ...worker.owner, steps: wrong });
    expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await worker.read()).revision).toBe(before);

    const recorded = await worker.post<ReceiptBody & { events: string[] }>('/record', { steps });
    expect(recorded.events).toEqual([
      'ModelCallStarted',
      'AssistantMessageRecorded',
      'ToolCallRequested',
      'ModelCallSettled',
      'ToolCallStarted',
      'ToolResultRecorded',
    ]);
    expect(recorded.revision).toBe(before + 6);
    const again = await app.http.post<ReceiptBody>(worker.path('/record'), {
      ...worker.owner,
      steps: steps.slice(1, 2),
    });
    expect(again).toMatchObject({ status: 200, body: { replayed: true } });
    expect((await worker.read()).revision).toBe(before + 6);
  });

  it('keeps a large tool result as an artifact, whole', async () => {
    const worker = await started();
    await worker.input('Read it.');
    await worker.claim();
    const [call] = await worker.turn(anthropicAnswer('', [{ ...LOOK_UP, name: 'shell' }]));
    await worker.permit(call!.callId);
    const content = 'line of a long file\n'.repeat(60_000);
    await worker.result(call!.callId, content);
    const event = (await worker.events()).find(({ type }) => type === 'ToolResultRecorded');
    const { artifact } = event!.data.result as { artifact: { hash: string; sizeBytes: number } };
    const stored = await app.http.get<{ content: string }>(
      worker.path(`/artifacts/${artifact.hash}`),
    );
    expect(stored.body.content).toBe(content);
    expect(stored.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
    });
    const other = await started();
    expect(await app.http.get(other.path(`/artifacts/${artifact.hash}`))).toMatchObject({
      status: 404,
    });
    expect(JSON.stringify((await worker.context()).messages)).toContain(JSON.stringify(content));
  });

  it('pages its own log without a gap', async () => {
    const worker = await started();
    for (let index = 0; index < 7; index += 1) await worker.input(`message ${index}`);
    const revisions: number[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const path = worker.path(`/events?from=${from}&first=3`);
      const { body }: { body: EventPageBody } = await app.http.get<EventPageBody>(path);
      expect(body.revision).toBe(7);
      expect(body.events.length).toBeLessThanOrEqual(3);
      revisions.push(...body.events.map((event) => event.revision));
      from = body.next;
    }
    expect(revisions).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('is in the list at once for a reader that names the position of the write', async () => {
    for (let round = 0; round < 20; round += 1) {
      const worker = newWorker();
      const { position } = await worker.start({ labels: { round: `${round}` } });
      const path = `/v1/sessions?first=1&label=round=${round}&atLeast=${position}`;
      const { body } = await app.http.get<{ sessions: { sessionId: string }[]; asOf: object }>(
        path,
      );
      expect(body).toMatchObject({
        sessions: [{ sessionId: worker.sessionId }],
        asOf: { stale: false },
      });
    }
  });
});
