import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../support/http-client.js';
import type { OpenApi } from '../support/openapi-bodies.js';
import { AnswerCheck } from './answers.js';
import { FuzzedServer, REQUESTS, SEED } from './fuzzed-server.js';
import { KnownSession } from './known-values.js';
import { type FuzzRequest, type Operation, operationsOf, requestsOf } from './requests.js';

/** These leave little to do in a session: they come more rarely. */
const ENDS = /^(runs\.(?!claim|heartbeat)|forks\.revert|context\.restore|sessions\.(start|erase))/;

jest.setTimeout(60_000 + REQUESTS * 100);

let server: FuzzedServer;
let document: OpenApi;
let operations: readonly Operation[];
/** Each operation as often as its share of the requests is. */
let chances: readonly Operation[];

beforeAll(async () => {
  server = await FuzzedServer.start();
  document = (await server.http.get<OpenApi>('/openapi.json')).body;
  operations = operationsOf(document);
  chances = operations.flatMap((each) =>
    new Array<Operation>(ENDS.test(each.operationId) ? 1 : 6).fill(each),
  );
});
afterAll(() => server.end());

const requests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(fc.nat(1_000_000), fc.oneof(fc.nat(3), fc.nat(39)))
  .chain(([operation, session]) =>
    requestsOf(chances[operation % chances.length]!, document, server.sessions.pick(session)),
  );

function learn({ session, operation }: FuzzRequest, answer: Answer<unknown>): void {
  if (answer.status >= 300) return;
  session.remember(answer.body);
  const { sessionId } = (answer.body ?? {}) as { sessionId?: string };
  if (operation.operationId === 'forks.fork' && sessionId !== undefined) {
    server.sessions.add(new KnownSession(sessionId, session.claimToken));
  }
}

function textOf({ method, path, sending }: FuzzRequest): string {
  const { body, raw, headers } = sending;
  const said = JSON.stringify({ headers, body, raw: raw?.toString() });
  return `${method} ${path} ${said.slice(0, 3_000)}`;
}

/** undefined, and a fault, when the connection broke. */
async function answerTo(request: FuzzRequest, faults: Map<string, string>) {
  const { method, path, sending } = request;
  try {
    return await server.timed(
      () => textOf(request),
      () => server.http.send(method, path, sending),
    );
  } catch (error) {
    faults.set(`${request.operation.operationId}: ${String(error)}`, textOf(request));
    return undefined;
  }
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
    const succeeded = new Set<string>();
    // Each kind of fault once: what a request found is not found again by the next ones.
    const faults = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const answer = await answerTo(request, faults);
        if (answer === undefined) return;
        const { operationId } = request.operation;
        const fault = check.faultOf(request.operation, answer);
        if (fault !== undefined) {
          faults.set(`${operationId}: ${fault.replaceAll(/\/\d+/g, '/n')}`, textOf(request));
        }
        learn(request, answer);
        if (answer.status < 300) succeeded.add(operationId);
      }),
      { numRuns: REQUESTS, seed: SEED, endOnFailure: true },
    );
    const { slow, sent } = server;
    expect({ faults: [...faults], slow }).toEqual({ faults: [], slow: [] });
    const never = operations.filter(({ operationId }) => !succeeded.has(operationId));
    process.stdout.write(
      `${sent} requests, seed ${SEED}: ${succeeded.size} of ${operations.length} operations ` +
        `succeeded at least once; never: ${never.map((each) => each.operationId).join(' ')}\n`,
    );
    // Requests that are all refused at the door would find nothing behind it.
    expect(succeeded.size).toBeGreaterThan(operations.length / 4);
  });
});
