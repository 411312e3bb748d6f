/** Why a command was refused; the catalogue is docs/reference/problems.md. */
export type RejectionCode =
  | 'invalid_request'
  | 'not_found'
  | 'forbidden'
  | 'stale_epoch'
  | 'stale_attempt'
  | 'not_started'
  | 'already_running'
  | 'approval_pending'
  | 'outcome_unknown'
  | 'retry_expired'
  | 'invalid_state'
  | 'run_stopped'
  | 'run_ended'
  | 'session_stopped'
  | 'session_quarantined'
  | 'nothing_to_run'
  | 'owned'
  | 'id_in_use'
  | 'tool_call_conflict'
  | 'result_conflict'
  | 'usage_conflict'
  | 'already_decided'
  | 'inherited_call'
  | 'open_calls'
  | 'waiting_calls'
  | 'attempts_exhausted'
  | 'nothing_to_compact'
  | 'compaction_open'
  | 'context_stale'
  | 'run_open'
  | 'unseen_inputs'
  | 'no_compensation'
  | 'incompatible_setup'
  | 'manifest_unavailable'
  | 'budget_exhausted'
  | 'budget_unpriced'
  | 'idempotency_key_reused'
  | 'invalid_manifest'
  | 'session_erased'
  | 'has_descendants'
  | 'unknown_outcomes'
  | 'limit_exceeded'
  | 'too_large';

/** A decision that appends nothing. `facts` go into the problem document as they are. */
export class Rejection extends Error {
  constructor(
    readonly code: RejectionCode,
    detail: string,
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
    this.name = 'Rejection';
  }
}
