import { FACT_KINDS } from '../domain/content.js';
import type { EventOf } from '../domain/events.js';
import type { CurrentFact } from './context-source.js';

/** All facts in one block, in an order that does not depend on when they were recorded. */
export function factsBlock(facts: readonly CurrentFact[]): string {
  return ['Facts of this session:', ...[...facts].sort(byKindAndId).map(factLine)].join('\n');
}

function byKindAndId(one: CurrentFact, other: CurrentFact): number {
  const byKind = FACT_KINDS.indexOf(one.kind) - FACT_KINDS.indexOf(other.kind);
  if (byKind !== 0) return byKind;
  if (one.factId === other.factId) return 0;
  return one.factId < other.factId ? -1 : 1;
}

function factLine(fact: Pick<CurrentFact, 'kind' | 'factId' | 'text'>): string {
  return `- ${fact.kind} (${fact.factId}): ${fact.text}`;
}

/** What a model that has read the block above, or an earlier change, has to be told. */
export function changedFactsBlock(
  changes: readonly EventOf<'FactsRecorded'>['data']['facts'][number][],
): string {
  const lines = changes.map((fact) =>
    fact.retired === true ? `- ${fact.kind} (${fact.factId}) no longer holds.` : factLine(fact),
  );
  return ['Facts recorded since; they replace earlier words of the same name:', ...lines].join(
    '\n',
  );
}
