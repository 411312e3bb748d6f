import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { projectFolder } from '../architecture/project-files.js';
import type { Answer } from '../support/http-client.js';
import { FuzzedServer, REQUESTS, SEED } from './fuzzed-server.js';
import { type GraphqlRequest, GraphqlRequests } from './graphql-requests.js';

jest.setTimeout(60_000 + REQUESTS * 100);

const schema = buildSchema(
  readFileSync(join(projectFolder, 'docs/reference/schema.graphql'), 'utf8'),
);
const made = new GraphqlRequests(schema);
const fields = made.fields();

let server: FuzzedServer;
beforeAll(async () => {
  server = await FuzzedServer.start();
});
afterAll(() => server.end());

const requests = fc
  .tuple(fc.nat(1_000_000), fc.oneof(fc.nat(3), fc.nat(39)))
  .chain(([index, session]) => {
    const [kind, field] = fields[index % fields.length]!;
    return made.of(kind, field, server.sessions.pick(session));
  });

interface Body {
  readonly data?: Readonly<Record<string, { readonly __typename?: string } | null>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string; readonly status?: number };
  }[];
}

/** What is wrong with an answer; undefined when nothing is. */
function faultOf({ field }: GraphqlRequest, answer: Answer<Body>): string | undefined {
  const { status, headers, body } = answer;
  if (status !== 200 && status !== 400) return `status ${status}`;
  // What no JSON body may hold is refused before anything takes it for GraphQL.
  if (status === 400 && headers['content-type']?.includes('problem+json')) return undefined;
  const unknown = Object.keys(body).filter((name) => name !== 'data' && name !== 'errors');
  if (unknown.length > 0) return `an answer with ${unknown.join(', ')}`;
  for (const { message, extensions } of body.errors ?? []) {
    const { code, status: problem = 500 } = extensions ?? {};
    if (code === undefined || problem >= 500) return `an error that is no problem: ${message}`;
    if (/node_modules|\bat \S+ \(|\.[cm]?[jt]s\b/.test(message)) return `inner life: ${message}`;
  }
  if (status === 400) return body.errors === undefined ? 'a 400 without errors' : undefined;
  if (body.data?.[field] === undefined && body.errors === undefined) return 'no data and no errors';
  return undefined;
}

const textOf = ({ query, variables }: GraphqlRequest) =>
  `${query} ${JSON.stringify(variables).slice(0, 2_000)}`;

describe('any GraphQL operation', () => {
  it(`is answered by the schema, ${REQUESTS} of them (seed ${SEED})`, async () => {
    const succeeded = new Set<string>();
    const faults = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { query, variables, field, session } = request;
        const answer = await server.timed(
          () => textOf(request),
          () => server.http.post<Body>('/graphql', { query, variables }),
        );
        const fault = faultOf(request, answer);
        if (fault !== undefined) faults.set(`${field}: ${fault}`, textOf(request));
        session.remember(answer.body.data);
        const found = answer.body.data?.[field];
        if (found && found.__typename !== 'Problem') succeeded.add(field);
      }),
      { numRuns: REQUESTS, seed: SEED, endOnFailure: true },
    );
    const { slow, sent } = server;
    expect({ faults: [...faults], slow }).toEqual({ faults: [], slow: [] });
    const never = fields.map(([, { name }]) => name).filter((name) => !succeeded.has(name));
    process.stdout.write(
      `${sent} operations, seed ${SEED}: ${succeeded.size} of ${fields.length} fields ` +
        `succeeded at least once; never: ${never.join(' ')}\n`,
    );
    expect(succeeded.size).toBeGreaterThan(fields.length / 4);
  });
});
