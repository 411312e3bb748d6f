import { ProblemError } from '../problem.js';

/** Where an old answer would be a wrong one: a table, or that something is not there. */
export function refuseStale({ stale }: { readonly stale: boolean }): void {
  if (stale) throw new ProblemError('read_model_stale', 'the read model has not caught up yet');
}
