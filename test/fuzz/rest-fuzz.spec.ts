import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../support/http-client.js';
import type { OpenApi } from '../support/openapi-bodies.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { AnswerCheck } from './answers.js';
import { KnownSession, KnownSessions } from './known-values.js';
import { type FuzzRequest, type Operation, operationsOf, requestsOf } from './requests.js';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3_000);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
const NEW_SESSION_EVERY = 50;
/** These leave little to do in a session: they come more rarely. */
const ENDS = /^(runs\.(?!claim|heartbeat)|forks\.revert|context\.restore|sessions\.start)/;
const TOOLS = [
  { name: 'refund', effect: 'opaqueWrite' },
  { name: 'search', effect: 'readOnly' },
];
const ANSWER_MS_MAX = 2_000;

jest.setTimeout(60_000 + REQUESTS * 100);

const folder = temporaryFolder();
const sessions = new KnownSessions();
let server: ServerProcess;
let document: OpenApi;
let operations: readonly Operation[];
/** Each operation as often as its share of the requests is. */
let chances: readonly Operation[];

beforeAll(async () => {
  server = await ServerProcess.start({ folder });
  document = (await server.http.get<OpenApi>('/openapi.json')).body;
  operations = operationsOf(document);
  chances = operations.flatMap((each) =>
    new Array<Operation>(ENDS.test(each.operationId) ? 1 : 6).fill(each),
  );
  await server.http.post('/v1/tools', { tools: TOOLS });
  for (let made = 0; made < 5; made += 1) await addSession();
});
afterAll(async () => {
  await server.end('SIGTERM');
  folder.remove();
});

/** A session with a run, a model call and two tool calls: most requests find something there. */
async function addSession(): Promise<void> {
  const worker = new SessionWorker(server.http);
  const known = new KnownSession(worker.sessionId, randomBytes(16).toString('hex'));
  worker.owner.claimToken = known.claimToken;
  known.remember(await worker.start({ tools: TOOLS }));
  known.remember(await worker.input('Begin.'));
  known.remember(await worker.claim());
  const calls = [
    { id: 'toolu_1', name: 'refund', input: {} },
    { id: 'toolu_2', name: 'search', input: {} },
  ];
  const asked = await worker.turn(anthropicAnswer('Now.', calls), { provider: 'anthropic' });
  for (const { callId } of asked) known.remember(await worker.permit(callId));
  const facts = [{ factId: 'fact-1', kind: 'goal', text: 'It is due.' }];
  await server.http.post(worker.path('/facts'), { facts }, { 'Idempotency-Key': 'facts-1' });
  known.remember(facts);
  known.remember(await worker.events());
  sessions.add(known);
}

const requests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(fc.nat(1_000_000), fc.oneof(fc.nat(3), fc.nat(39)))
  .chain(([operation, session]) =>
    requestsOf(chances[operation % chances.length]!, document, sessions.pick(session)),
  );

function learn({ session, operation }: FuzzRequest, answer: Answer<unknown>): void {
  if (answer.status >= 300) return;
  session.remember(answer.body);
  const { sessionId } = (answer.body ?? {}) as { sessionId?: string };
  if (operation.operationId === 'forks.fork' && sessionId !== undefined) {
    sessions.add(new KnownSession(sessionId, session.claimToken));
  }
}

/** undefined, and a fault, when the connection broke. */
async function answerOf(request: FuzzRequest, faults: Map<string, string>) {
  try {
    return await server.http.send(request.method, request.path, request.sending);
  } catch (error) {
    faults.set(`${request.operation.operationId}: ${String(error)}`, curl(request));
    return undefined;
  }
}

function curl({ method, path, sending }: FuzzRequest): string {
  const { body, raw, headers } = sending;
  return `${method} ${path} ${JSON.stringify({ headers, body, raw: raw?.toString() }).slice(0, 3_000)}`;
}

describe('the document', () => {
  it('declares each name of a path', () => {
    for (const { path, parameters = [] } of operations) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
      expect(new Set(declared)).toEqual(new Set(names));
    }
  });
});

describe('any request', () => {
  it(`is answered as the document says, ${REQUESTS} of them (seed ${SEED})`, async () => {
    const check = new AnswerCheck(document);
    const seen = new Map<string, number>();
    const faults = new Map<string, string>();
    const slow: string[] = [];
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        sent += 1;
        if (sent % NEW_SESSION_EVERY === 0) await addSession();
        const beganAt = performance.now();
        const answer = await answerOf(request, faults);
        const tookMs = performance.now() - beganAt;
        if (tookMs > ANSWER_MS_MAX) slow.push(`${Math.round(tookMs)} ms: ${curl(request)}`);
        if (answer === undefined) return;
        const fault = check.faultOf(request.operation, answer);
        // Each kind of fault once: what a request found is not found again by the next ones.
        if (fault !== undefined)
          faults.set(`${request.operation.operationId}: ${fault}`, curl(request));
        learn(request, answer);
        const kind = `${request.operation.operationId} ${Math.floor(answer.status / 100)}xx`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }),
      { numRuns: REQUESTS, seed: SEED, endOnFailure: true },
    );
    expect({ faults: [...faults], slow }).toEqual({ faults: [], slow: [] });
    const succeeded = operations.filter(({ operationId }) => seen.has(`${operationId} 2xx`));
    const never = operations.filter((each) => !succeeded.includes(each));
    process.stdout.write(
      `${sent} requests, seed ${SEED}: ${succeeded.length} of ${operations.length} operations ` +
        `succeeded at least once; never: ${never.map((each) => each.operationId).join(' ')}\n`,
    );
    // Requests that are all refused at the door would find nothing behind it.
    expect(succeeded.length).toBeGreaterThan(operations.length / 2);
  });
});
