import type { PendingInput, SessionState } from '../state.js';
import { own } from '../own.js';

/** Whose model calls a budget limits. `tree`: the session and everything below it, forks too. */
export type BudgetScope =
  | { readonly kind: 'tenant' }
  | { readonly kind: 'tree'; readonly sessionId: string }
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'run'; readonly sessionId: string; readonly runId: string }
  | { readonly kind: 'user'; readonly user: string }
  | { readonly kind: 'label'; readonly name: string; readonly value: string };

export const BUDGET_SCOPES = ['tenant', 'tree', 'session', 'run', 'user', 'label'] as const;
export const BUDGET_PERIODS = ['none', 'day', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** An amount that may be spent in a period. Calls count from when it is set on. */
export interface Budget {
  readonly budgetId: string;
  readonly scope: BudgetScope;
  readonly period: BudgetPeriod;
  /** IANA zone in which days and months begin. */
  readonly zone: string;
  readonly currency: string;
  readonly amountPico: string;
  readonly warnAtPico?: string;
  /** What becomes of a call whose price is not known: refused, or let through and counted. */
  readonly onUnpriced: 'deny' | 'allow';
  readonly setBy: string;
}

/** What a budget's scope is compared with. */
export interface BudgetSubject {
  readonly sessionId: string;
  readonly ancestors: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** The open run; a run that a claim would begin has spent nothing yet. */
  readonly runId?: string;
  /** The author of the input that caused the run. */
  readonly user?: string;
}

export function subjectOf(state: SessionState): BudgetSubject {
  const { sessionId, ancestors, labels } = state;
  const user = state.run === undefined ? nextUser(state.pendingInputs) : state.user;
  return { sessionId, ancestors, labels, runId: state.run?.runId, user };
}

/** Of the run that a claim would begin. */
function nextUser(pending: readonly PendingInput[]): string | undefined {
  return pending.find((input) => input.resume)?.author;
}

export function appliesTo({ scope }: Budget, subject: BudgetSubject): boolean {
  switch (scope.kind) {
    case 'tenant':
      return true;
    case 'session':
      return scope.sessionId === subject.sessionId;
    case 'run':
      return scope.sessionId === subject.sessionId && scope.runId === subject.runId;
    case 'tree':
      return scope.sessionId === subject.sessionId || subject.ancestors.includes(scope.sessionId);
    case 'user':
      return scope.user === subject.user;
    case 'label':
      return own(subject.labels, scope.name) === scope.value;
  }
}
