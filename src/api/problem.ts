import type { RejectionCode } from '../domain/rejection.js';

/** An RFC 9457 problem document. `facts` become further members. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  /** The identical request can succeed later. */
  readonly retryable: boolean;
  readonly [fact: string]: unknown;
}

export type ProblemCode =
  | RejectionCode
  | 'idempotency_key_required'
  | 'unauthenticated'
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'precondition_failed'
  | 'too_large'
  | 'range_not_satisfiable'
  | 'context_lost'
  | 'artifact_damaged'
  | 'event_damaged'
  | 'version_conflict'
  | 'append_unknown'
  | 'store_unavailable'
  | 'session_key_missing'
  | 'read_model_stale'
  | 'context_invalid'
  | 'budget_too_small'
  | 'request_timeout'
  | 'too_many_requests'
  | 'internal_error';

interface Kind {
  readonly status: number;
  readonly title: string;
  readonly retryable?: boolean;
}

/** The status of `run_ended` in the answer to a heartbeat. */
export const GONE = 410;

/** Every problem that an answer can name; docs/reference/problems.md is made from it. */
export const PROBLEMS: Readonly<Record<ProblemCode, Kind>> = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  idempotency_key_required: { status: 400, title: 'An Idempotency-Key header is needed' },
  unauthenticated: { status: 401, title: 'No valid key' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not possible here' },
  request_timeout: { status: 408, title: 'The request took too long', retryable: true },
  stale_epoch: { status: 409, title: 'You do not own this session any more' },
  stale_attempt: { status: 409, title: 'Not the current attempt' },
  not_started: { status: 409, title: 'The tool call was never started' },
  already_running: { status: 409, title: 'The tool call is running' },
  outcome_unknown: { status: 409, title: 'The outcome of an earlier attempt is unknown' },
  approval_pending: { status: 409, title: 'Somebody has to allow the call first' },
  retry_expired: { status: 409, title: 'The time for the retry is over' },
  invalid_state: { status: 409, title: 'Not possible in this state' },
  run_stopped: { status: 409, title: 'A user stopped the run' },
  run_ended: { status: 409, title: 'The run has ended' },
  session_stopped: { status: 409, title: 'A user stopped the session' },
  session_quarantined: { status: 409, title: 'The session is quarantined' },
  nothing_to_run: { status: 409, title: 'There is nothing to run' },
  owned: { status: 409, title: 'Another worker holds the session', retryable: true },
  id_in_use: { status: 409, title: 'The id is in use' },
  tool_call_conflict: { status: 409, title: 'The tool call exists with other content' },
  result_conflict: { status: 409, title: 'The attempt has another result' },
  usage_conflict: { status: 409, title: 'The model call has another usage' },
  already_decided: { status: 409, title: 'The outcome is decided' },
  inherited_call: { status: 409, title: 'The call belongs to another session' },
  open_calls: { status: 409, title: 'Tool calls are open' },
  waiting_calls: { status: 409, title: 'Tool calls wait for a decision' },
  attempts_exhausted: { status: 409, title: 'No attempts are left' },
  incompatible_setup: { status: 409, title: 'Open calls need what this worker has not' },
  manifest_unavailable: { status: 409, title: 'The owner cannot call this tool' },
  nothing_to_compact: { status: 409, title: 'There is nothing to compact' },
  compaction_open: { status: 409, title: 'A compaction is open' },
  run_open: { status: 409, title: 'A run is open' },
  unseen_inputs: { status: 409, title: 'No model has read these inputs yet' },
  context_stale: { status: 409, title: 'The context is out of date' },
  budget_exhausted: { status: 409, title: 'A budget has nothing left for this' },
  budget_unpriced: { status: 409, title: 'A budget applies, and the price is not known' },
  version_conflict: { status: 409, title: 'Other writers were faster', retryable: true },
  has_descendants: { status: 409, title: 'Other sessions are forks of this one' },
  unknown_outcomes: { status: 409, title: 'Tool calls have no known outcome' },
  session_erased: { status: 410, title: "The session's content was erased" },
  context_lost: { status: 410, title: 'The model input cannot be shown any more' },
  precondition_failed: { status: 412, title: 'The session has changed' },
  too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not read here' },
  range_not_satisfiable: { status: 416, title: 'The content has no such range' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used before' },
  invalid_manifest: { status: 422, title: 'The tool manifest contradicts itself' },
  no_compensation: { status: 422, title: 'Nothing is known that would undo the call' },
  limit_exceeded: { status: 422, title: 'A limit would be exceeded' },
  context_invalid: { status: 422, title: 'No valid model input can be made' },
  budget_too_small: { status: 422, title: 'The token budget is too small' },
  too_many_requests: { status: 429, title: 'Too many requests', retryable: true },
  artifact_damaged: { status: 500, title: 'Stored content is damaged' },
  event_damaged: { status: 500, title: 'A stored event is damaged or was changed' },
  internal_error: { status: 500, title: 'Holdfast failed' },
  append_unknown: {
    status: 503,
    title: 'It is not known whether this was written',
    retryable: true,
  },
  store_unavailable: { status: 503, title: 'The store cannot be reached', retryable: true },
  session_key_missing: {
    status: 503,
    title: 'The key of the session is missing',
    retryable: true,
  },
  read_model_stale: {
    status: 503,
    title: 'The read model has not caught up yet',
    retryable: true,
  },
};

export function problem(
  code: ProblemCode,
  detail: string,
  facts: Readonly<Record<string, unknown>> = {},
): Problem {
  const { status, title, retryable = facts.retryable === true } = PROBLEMS[code];
  return {
    ...facts,
    type: `urn:holdfast:problem:${code}`,
    title,
    status,
    detail,
    code,
    retryable,
  };
}

/** Thrown where a request cannot be served for a reason that is no decision of the domain. */
export class ProblemError extends Error {
  constructor(
    readonly code: ProblemCode,
    detail: string,
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
    this.name = 'ProblemError';
  }
}
