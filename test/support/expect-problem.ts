import { expect } from '@jest/globals';
import type { ProblemBody } from './api-views.js';
import type { Answer } from './http-client.js';

/** What tells a stranger how the server is built or where it stands. */
const INNER_LIFE =
  /node_modules|\bat \S+ \(|\.[cm]?[jt]s\b|\/(work|home|tmp|usr|var|root)\/|fastify|nestjs|sqlite|class-validator|FST_|ERR_|SyntaxError|TypeError|RangeError/i;

/** A problem document of RFC 9457 with this status and code, and nothing of the server in it. */
export function expectProblem(answer: Answer, status: number, code: string): ProblemBody {
  const body = answer.body as ProblemBody;
  expect({ status: answer.status, code: body?.code, text: answer.text }).toMatchObject({
    status,
    code,
  });
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(body).toMatchObject({
    type: `urn:holdfast:problem:${code}`,
    title: expect.stringMatching(/\S/),
    status,
    detail: expect.stringMatching(/\S/),
    retryable: expect.any(Boolean),
  });
  expect(answer.text).not.toMatch(INNER_LIFE);
  return body;
}
