import type { ContextProblem } from '../context/build-context.js';

/** No model input leaves that its provider would refuse, or that lost what must be in it. */
export class ContextProblemError extends Error {
  constructor(readonly problem: ContextProblem) {
    super(messageOf(problem));
    this.name = 'ContextProblemError';
  }
}

function messageOf(problem: ContextProblem): string {
  switch (problem.problem) {
    case 'context_invalid':
      return `the provider would refuse it: ${problem.violations
        .map((violation) => `${violation.rule} ${violation.kind}`)
        .join(', ')}`;
    case 'budget_too_small':
      return (
        `what must not be left out needs about ${problem.neededTokens} tokens, ` +
        `the budget is ${problem.budgetTokens}; raise it or compact the session`
      );
    case 'invalid_options':
      return problem.message;
  }
}
