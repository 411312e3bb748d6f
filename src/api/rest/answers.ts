import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { GONE, PROBLEMS, type ProblemCode } from '../problem.js';

/** A revision as an entity tag, for If-Match. */
export function withEtag(reply: FastifyReply, revision: number): void {
  void reply.header('ETag', `"${revision}"`);
}

const EVERYWHERE: readonly ProblemCode[] = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'not_found',
  'session_erased',
  'too_many_requests',
  'session_key_missing',
];

/** Documents which problems an operation answers, grouped by status. */
export function Problems(...codes: readonly ProblemCode[]): MethodDecorator {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of [...EVERYWHERE, ...codes]) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses = [...byStatus].map(([status, names]) =>
    ApiResponse({ status, ...problemAnswer(names) }),
  );
  return applyDecorators(...responses);
}

/** Documents a problem that is final on this route, whatever its status is elsewhere. */
export function Gone(code: ProblemCode): MethodDecorator {
  return ApiResponse({ status: GONE, ...problemAnswer([code]) });
}

/** An answer of the document that is one of these problems. */
export function problemAnswer(codes: readonly ProblemCode[]) {
  return {
    description: codes.join(', '),
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  };
}

/** What every write answers and may be told. */
export function Write(...codes: readonly ProblemCode[]): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'Names the request; the same key with the same body is answered once.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'Only if the session is at this revision: "<revision>".',
      schema: { type: 'string', example: '"42"' },
    }),
    Problems(
      ...codes,
      'version_conflict',
      'precondition_failed',
      'too_large',
      'idempotency_key_reused',
      'append_unknown',
      'store_unavailable',
    ),
  );
}
