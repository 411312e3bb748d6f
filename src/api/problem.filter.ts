import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HeartbeatRefusedError } from '../commands/heartbeat/heartbeat.handler.js';
import { PreconditionFailedError, VersionConflictError } from '../commands/revision-errors.js';
import { StepsInvalidError } from '../commands/record-step/steps.js';
import { IdempotencyKeyRequiredError } from '../commands/session-command.js';
import { ContextLostError, ContextProblemError } from '../history/context-problem.js';
import { FeedBrokenOffError } from '../history/event-feed.js';
import { NO_POLICY } from '../domain/redaction/redaction-policy.js';
import { Rejection } from '../domain/rejection.js';
import { Metrics } from '../health/metrics.js';
import { KeyMissingEventError } from '../storage/event-codec.js';
import { isEventDamage } from '../storage/event-damage.js';
import { KEY_MISSING_RETRY_SECONDS, MissingKeyError } from '../storage/missing-key-error.js';
import { ArtifactDamagedError, ArtifactTooLargeError } from '../storage/artifact-store.js';
import {
  APPEND_BYTES_MAX,
  AppendUnknownError,
  EVENT_DATA_BYTES_MAX,
  InvalidAppendError,
  StoreUnavailableError,
} from '../storage/event-store.js';
import { InvalidReadPositionError, PositionAheadError } from '../projections/read-position.js';
import { RedactionRules } from '../redaction/redaction-rules.js';
import { Redactor } from '../redaction/redactor.js';
import { InvalidCursorError } from '../storage/read-model-store.js';
import { invalidRequest } from './validation.js';
import { GONE, type Problem, type ProblemCode, ProblemError, problem } from './problem.js';

const UNKNOWN_RETRY_AFTER_SECONDS = 1;
const UNREADABLE = [InvalidCursorError, InvalidReadPositionError, PositionAheadError];
/** Nothing of what it finds is kept. */
const REDACTOR = new Redactor({
  rules: new RedactionRules(NO_POLICY),
  hmac: (secret) => secret,
  nowMs: () => 0,
});
const KEY_ADVICE =
  'the key that opens the content of this session is not among the keys of this server; an operator ' +
  'has to restore the keys folder (or the database of the keys) from its backup';
const MEDIA_TYPE_ADVICE = 'send JSON, with the header Content-Type: application/json';

/** Every error becomes a problem document: no stack, no path, no library name leaves here. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly log = new Logger('Problem');

  constructor(private readonly metrics: Metrics) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const answer = bodyTooLarge(error, request) ?? problemOf(error);
    noted(this.metrics, answer.code);
    if (answer.status >= 500) {
      this.log.error(
        `${request.method} ${request.routeOptions?.url ?? ''} ${answer.code}: ${textOf(error)}`,
      );
    }
    const retryAfter = retryAfterSeconds(error);
    if (retryAfter !== undefined) void reply.header('Retry-After', String(retryAfter));
    void reply.status(answer.status).type('application/problem+json').send(withoutSecrets(answer));
  }
}

/** Counts what was refused; a stored event that was changed is more than that. */
export function noted(metrics: Metrics, code: string): void {
  metrics.problem(code);
  if (code === 'event_damaged') metrics.alarm('verification_failed');
}

/** An answer says what was wrong with a request, and a request can hold anything. */
function withoutSecrets(answer: Problem): Problem {
  return REDACTOR.redact(answer).value;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof HeartbeatRefusedError) return gone(error.rejection);
  if (error instanceof Rejection) return problem(error.code, error.message, error.facts);
  if (error instanceof ProblemError) return problem(error.code, error.message, error.facts);
  if (error instanceof StepsInvalidError) return problemOf(invalidRequest(error.faults));
  if (error instanceof ContextProblemError) return contextProblem(error);
  if (error instanceof ContextLostError) return problem('context_lost', error.message);
  if (error instanceof PreconditionFailedError) {
    return problem('precondition_failed', error.message, { revision: error.actual });
  }
  if (error instanceof VersionConflictError) return problem('version_conflict', error.message);
  if (error instanceof IdempotencyKeyRequiredError) {
    return problem('idempotency_key_required', error.message);
  }
  if (UNREADABLE.some((kind) => error instanceof kind)) {
    return problem('invalid_request', textOf(error));
  }
  if (error instanceof AppendUnknownError) {
    return problem('append_unknown', 'repeat the identical request: it is answered exactly once');
  }
  if (isKeyMissing(error)) return problem('session_key_missing', KEY_ADVICE);
  if (error instanceof FeedBrokenOffError) return problem('store_unavailable', error.message);
  if (error instanceof StoreUnavailableError) {
    return problem('store_unavailable', 'nothing was written; repeat the request later');
  }
  if (error instanceof InvalidAppendError) return eventTooLarge();
  if (error instanceof ArtifactDamagedError) return problem('artifact_damaged', error.message);
  if (isEventDamage(error)) return problem('event_damaged', error.message);
  if (error instanceof ArtifactTooLargeError) {
    const limits = { artifactBytesMax: error.bytesMax };
    return problem('too_large', error.message, { limits });
  }
  return ofHttp(error) ?? problem('internal_error', 'the fault was logged; nothing of it is shown');
}

/** To a heartbeat the end of a run is final: there is nothing left that could be renewed. */
function gone({ code, message, facts }: Rejection): Problem {
  return { ...problem(code, message, facts), status: GONE };
}

/** Only the route knows its limit. */
function bodyTooLarge(error: unknown, { routeOptions }: FastifyRequest): Problem | undefined {
  if (httpStatus(error) !== 413) return undefined;
  const bodyBytesMax = routeOptions.bodyLimit;
  return problem(
    'too_large',
    `the body is over ${bodyBytesMax} bytes, the limit of this route: send less, or raise the ` +
      'limit of the server (HOLDFAST_BODY_LIMIT_BYTES, for tool results ' +
      'HOLDFAST_TOOL_RESULT_LIMIT_BYTES)',
    { limits: { bodyBytesMax } },
  );
}

/** Everything else about an append is made here, only its size comes from the request. */
function eventTooLarge(): Problem {
  return problem(
    'too_large',
    'what this records is over the limit of one event or of one request: split it',
    { limits: { eventDataBytesMax: EVENT_DATA_BYTES_MAX, appendBytesMax: APPEND_BYTES_MAX } },
  );
}

function contextProblem({ message, problem: found }: ContextProblemError): Problem {
  const { problem: kind, ...facts } = found;
  return problem(kind === 'invalid_options' ? 'invalid_request' : kind, message, facts);
}

const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  408: 'request_timeout',
  413: 'too_large',
  414: 'not_found',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
};

/** What the HTTP layer itself refuses: malformed JSON, a body over the limit, an unknown path. */
function ofHttp(error: unknown): Problem | undefined {
  const status = httpStatus(error);
  const code = typeof status === 'number' ? BY_STATUS[status] : undefined;
  if (code === undefined) return undefined;
  return problem(code, detailOf(code, error));
}

function httpStatus(error: unknown): unknown {
  return error instanceof HttpException
    ? error.getStatus()
    : (error as { statusCode?: unknown } | undefined)?.statusCode;
}

function detailOf(code: ProblemCode, error: unknown): string {
  if (code === 'unsupported_media_type') return MEDIA_TYPE_ADVICE;
  if (code === 'too_large') return 'the body is over the limit of this route';
  if (code === 'not_found') return 'there is nothing at this path';
  return textOf(error);
}

function retryAfterSeconds(error: unknown): number | undefined {
  if (error instanceof ProblemError && typeof error.facts.retryAfterMs === 'number') {
    return Math.ceil(error.facts.retryAfterMs / 1_000);
  }
  if (isKeyMissing(error)) return KEY_MISSING_RETRY_SECONDS;
  if (error instanceof StoreUnavailableError) return error.retryAfterSeconds;
  if (error instanceof AppendUnknownError) return UNKNOWN_RETRY_AFTER_SECONDS;
  if (error instanceof ProblemError && error.code === 'read_model_stale') return 1;
  return undefined;
}

function isKeyMissing(error: unknown): boolean {
  return error instanceof MissingKeyError || error instanceof KeyMissingEventError;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
