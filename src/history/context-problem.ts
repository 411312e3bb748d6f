import type { ContextProblem } from '../context/build-context.js';

/** No model input leaves that its provider would refuse, or that lost what must be in it. */
export class ContextProblemError extends Error {
  constructor(readonly problem: ContextProblem) {
    super(messageOf(problem));
    this.name = 'ContextProblemError';
  }
}

/** What a past context was made of is damaged, or this version of Holdfast builds it otherwise. */
export class ContextLostError extends Error {
  constructor() {
    super(
      'what can be built today has other bytes than the model got: its parts are damaged, or another ' +
        'version of Holdfast or another tokenizer built it. The events tell what happened',
    );
    this.name = 'ContextLostError';
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
