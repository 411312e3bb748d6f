import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { childSessionId } from '../../src/identity/derived-ids.js';
import { SessionWorker } from '../support/session-worker.js';

/** A shop that answers what became of an order, in a way that each test sets. */
const asked: string[] = [];
let answer: (reply: ServerResponse) => void = () => undefined;
const shop = createServer((request: IncomingMessage, reply) => {
  asked.push(request.url ?? '');
  answer(reply.setHeader('Content-Type', 'application/json'));
});

let app: AppInProcess;
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  app = await startApp({
    environment: { HOLDFAST_EGRESS_ORIGINS: origin, HOLDFAST_EGRESS_PRIVATE: '127.0.0.0/8' },
    probes: {
      bank: async ({ opKey }) => ({ answer: 'found', externalRef: `of-${opKey}`, excerpt: 'done' }),
      broken: () => Promise.reject(new Error('no bank')),
    },
  });
});

afterAll(async () => {
  await app.close();
  app.folder.remove();
  shop.closeAllConnections();
  shop.close();
});

function probe() {
  return {
    method: 'GET',
    urlTemplate: `${origin}/orders/{opKey}`,
    rules: [
      { status: [200], pointer: '/state', equals: 'placed', answer: 'found' },
      { status: [404], pointer: '/code', equals: 'no_order', answer: 'notFound' },
    ],
    externalRefPointer: '/id',
  };
}

/** An order was sent, its answer was lost, and its worker is never heard of again. */
async function lostOrder(tool: object) {
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: [{ name: 'order', effect: 'queryableWrite', ...tool }] });
  await worker.input('Order one.');
  await worker.claim();
  const [call] = await worker.turn(
    anthropicAnswer('I order.', [{ id: 'toolu_1', name: 'order', input: {} }]),
  );
  const { opKey } = await worker.permit(call!.callId);
  await worker.post(`/tool-calls/${call!.callId}/unknown`, {});
  return { worker, callId: call!.callId, opKey };
}

interface CallHistory {
  readonly call: { readonly state: string; readonly externalRef?: string };
  readonly events: readonly { readonly type: string; readonly data: Record<string, unknown> }[];
}

async function historyWith(
  worker: SessionWorker,
  callId: string,
  isThere: (history: CallHistory) => boolean,
): Promise<CallHistory> {
  const giveUpMs = Date.now() + 55_000;
  for (;;) {
    const history = await worker.ok<CallHistory>('GET', worker.path(`/tool-calls/${callId}`));
    if (isThere(history)) return history;
    if (Date.now() > giveUpMs) throw new Error(`it stayed ${JSON.stringify(history)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('a write of unknown outcome whose target can be asked', () => {
  it('is settled by the server alone, with evidence', async () => {
    answer = (reply) => reply.end('{"state":"placed","id":"order-7","card":"4111"}');
    const { worker, callId, opKey } = await lostOrder({ httpProbe: probe() });
    const { call, events } = await historyWith(
      worker,
      callId,
      (now) => now.call.state === 'applied',
    );
    expect(call.externalRef).toBe('order-7');
    expect(asked).toEqual([`/orders/${opKey}`]);
    const recorded = events.find(({ type }) => type === 'ToolProbeRecorded');
    expect(recorded?.data).toMatchObject({
      source: 'http',
      verdict: 'applied',
      evidence: { statusCode: 200, externalRef: 'order-7', excerpt: '"placed"' },
    });
    expect(JSON.stringify(events)).not.toContain('4111');
    const { text } = await worker.http.send('POST', worker.path('/context'), { body: {} });
    expect(text).toContain('A later check showed that the tool call took effect.');
  }, 60_000);

  it('stays unknown while the answer proves nothing', async () => {
    answer = (reply) => {
      reply.statusCode = 404;
      reply.end('{"code":"no_order"}');
    };
    const { worker, callId } = await lostOrder({ httpProbe: probe() });
    const twice = (history: CallHistory) =>
      history.events.filter(({ type }) => type === 'ToolProbeRecorded').length >= 2;
    const { call, events } = await historyWith(worker, callId, twice);
    expect(call.state).toBe('unknown');
    const verdicts = events.flatMap(({ data }) => data['verdict'] ?? []);
    expect(new Set(verdicts)).toEqual(new Set(['inconclusive']));
  }, 60_000);

  it('is not settled by a body that cannot be read, a redirect or a refusal', async () => {
    const answers = [
      (reply: ServerResponse) => reply.end('{"state":'),
      (reply: ServerResponse) => reply.writeHead(302, { Location: '/elsewhere' }).end(),
      (reply: ServerResponse) => reply.writeHead(403).end('{"state":"placed"}'),
    ];
    let next = 0;
    answer = (reply) => void answers[next++ % answers.length]!(reply);
    const { worker, callId } = await lostOrder({ httpProbe: probe() });
    const thrice = (history: CallHistory) =>
      history.events.filter(({ type }) => type === 'ToolProbeRecorded').length >= 3;
    const { call, events } = await historyWith(worker, callId, thrice);
    expect(call.state).toBe('unknown');
    expect(events.flatMap(({ data }) => data['verdict'] ?? [])).toEqual([
      'error',
      'error',
      'error',
    ]);
    expect(asked).not.toContain('/elsewhere');
  }, 60_000);
});

describe('a target that is asked in another way', () => {
  it('over GraphQL: only its query and its variables are sent, and errors prove nothing', async () => {
    const bodies: unknown[] = [];
    answer = (reply) => {
      const text = bodies.length === 1 ? '{"errors":[{}],"data":{"order":{"state":"placed"}}}' : '';
      reply.end(text || '{"data":{"order":{"state":"placed","id":"order-9"}}}');
    };
    shop.on('request', (request: IncomingMessage) => {
      request.on('data', (chunk) => bodies.push(JSON.parse(String(chunk))));
    });
    const graphql = 'query($opKey: String!) { order(key: $opKey) { state id } }';
    const httpProbe = {
      method: 'POST',
      urlTemplate: `${origin}/graphql`,
      graphql,
      rules: [{ status: [200], pointer: '/data/order/state', equals: 'placed', answer: 'found' }],
      externalRefPointer: '/data/order/id',
    };
    const { worker, callId, opKey } = await lostOrder({ httpProbe });
    const settled = ({ call }: CallHistory) => call.state === 'applied';
    const { call, events } = await historyWith(worker, callId, settled);
    expect(call.externalRef).toBe('order-9');
    expect(bodies).toEqual(bodies.map(() => ({ query: graphql, variables: { opKey } })));
    const probes = events.filter(({ type }) => type === 'ToolProbeRecorded');
    expect(probes.at(-1)?.data).toMatchObject({ source: 'graphql', verdict: 'applied' });
    shop.removeAllListeners('request').on('request', (request, reply) => {
      asked.push(request.url ?? '');
      answer(reply.setHeader('Content-Type', 'application/json'));
    });
  }, 60_000);

  it('by a function of the program around it; what that throws proves nothing', async () => {
    const { worker, callId, opKey } = await lostOrder({ namedProbe: 'bank' });
    const settled = ({ call }: CallHistory) => call.state === 'applied';
    const { call, events } = await historyWith(worker, callId, settled);
    expect(call.externalRef).toBe(`of-${opKey}`);
    expect(events.find(({ type }) => type === 'ToolProbeRecorded')?.data).toMatchObject({
      source: 'handler',
      evidence: { method: 'named', target: 'bank', excerpt: 'done' },
    });
    const broken = await lostOrder({ namedProbe: 'broken' });
    const asked = ({ events: now }: CallHistory) =>
      now.some(({ type }) => type === 'ToolProbeRecorded');
    const after = await historyWith(broken.worker, broken.callId, asked);
    expect(after.call.state).toBe('unknown');
    expect(after.events.flatMap(({ data }) => data['verdict'] ?? [])).toContain('error');
  }, 60_000);

  it('by looking at the child session that the call has started', async () => {
    const { worker, callId } = await lostOrder({ namedProbe: 'childSession' });
    const child = new SessionWorker(app.http, childSessionId(worker.sessionId, callId));
    const asked = ({ events }: CallHistory) =>
      events.some(({ type }) => type === 'ToolProbeRecorded');
    const before = await historyWith(worker, callId, asked);
    expect(before.events.flatMap(({ data }) => data['verdict'] ?? [])).toContain('inconclusive');
    await child.start({
      parent: {
        sessionId: worker.sessionId,
        edge: 'subagent',
        spawningCallId: callId,
        ...worker.owner,
      },
    });
    await child.input('Do it.');
    await child.claim();
    await child.complete();
    const settled = ({ call }: CallHistory) => call.state === 'applied';
    const { call } = await historyWith(worker, callId, settled);
    expect(call.externalRef).toBe(child.sessionId);
  }, 60_000);
});

describe('a session that declares how its target is asked', () => {
  it('is refused when it names a probe that is not there', async () => {
    const tools = [{ name: 'order', effect: 'queryableWrite', namedProbe: 'bnak' }];
    const refused = await app.http.send('POST', '/v1/sessions', { body: { tools } });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('it has childSession, bank, broken');
  });

  it('is refused with every fault, and when the operator has not opened the target', async () => {
    const tools = [
      {
        name: 'order',
        effect: 'queryableWrite',
        httpProbe: { ...probe(), urlTemplate: 'https://internal.example/{opKey}', method: 'PUT' },
      },
    ];
    const refused = await app.http.send<{ code: string; errors: { message: string }[] }>(
      'POST',
      '/v1/sessions',
      { body: { tools } },
    );
    expect(refused.status).toBe(422);
    expect(refused.body.code).toBe('invalid_manifest');
    const messages = refused.body.errors.map(({ message }) => message);
    expect(messages).toEqual([
      'httpProbe.method must be GET, HEAD or POST',
      expect.stringContaining('HOLDFAST_EGRESS_ORIGINS'),
    ]);
  });
});
