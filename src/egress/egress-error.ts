/** Why a request was not made, or has no usable answer. For the operator's log only. */
export type EgressFailure =
  | 'badUrl'
  | 'originNotAllowed'
  | 'addressNotAllowed'
  | 'secretUnavailable'
  | 'tooManyRequests'
  | 'timeout'
  | 'redirect'
  | 'tooLarge'
  | 'badContent'
  | 'network';

/**
 * Whoever asked learns that there is no answer; what a network said is not passed on, or a tenant
 * could scan it.
 */
export class EgressError extends Error {
  constructor(
    readonly failure: EgressFailure,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(`${failure}: ${detail}`, options);
    this.name = 'EgressError';
  }
}
