import type { SessionEventRecord } from '../../domain/events.js';
import { addToSeries, seriesPlaces } from '../cost-series/series-hour.js';
import { type Documents, sessionDocumentId } from '../projection.js';
import type { Credit } from './attribution.js';
import { type CallReport, partsOf } from './call-report.js';
import type { Claim } from './claim.js';
import { chainAbove, changeAlong } from './cost-chain.js';
import { writeEntry } from './cost-entry.js';

/** Which session owns a provider request, by the tenant's `callKey`. */
export const USAGE_CLAIMS = 'claims';

export interface ClaimChange {
  readonly id: string;
  readonly callKey: string;
  readonly before: Claim | undefined;
  readonly after: Claim | undefined;
}

export function claimAt(
  documents: Documents,
  tenantId: string,
  callKey: string,
): { readonly id: string; readonly callKey: string; readonly before: Claim | undefined } {
  const id = sessionDocumentId(tenantId, callKey);
  return { id, callKey, before: documents.get(USAGE_CLAIMS, id) as Claim | undefined };
}

/**
 * What counts otherwise now, in the tree, in the series and in the ledger at once, so that the
 * three agree. Everything is read before anything is changed: the event can be folded again.
 */
export function applyClaims(
  record: SessionEventRecord,
  documents: Documents,
  changes: readonly ClaimChange[],
): void {
  const { tenantId } = record.metadata;
  const moves = changes.flatMap(movesOf);
  const chains = moves.map(({ owner }) => chainAbove(documents, tenantId, owner));
  const places = moves.map(({ owner, credit }) => seriesPlaces(documents, tenantId, owner, credit));
  moves.forEach(({ owner, report, credit, callKey, sign }, index) => {
    const kind = kindOf(report);
    const parts = partsOf(report);
    changeAlong(documents, chains[index]!, kind, parts, sign);
    addToSeries(documents, places[index]!, kind, parts, sign);
    const entry = {
      node: sessionDocumentId(tenantId, owner),
      sessionId: owner,
      position: record.position.toString(),
      recordedAt: record.recordedAt,
      reportedBy: { sessionId: record.sessionId, revision: record.revision },
      callKey,
      change: sign === 1n ? ('added' as const) : ('takenBack' as const),
      kind,
      parts,
      credit,
    };
    writeEntry(documents, entry, index);
  });
  for (const { id, before, after } of changes) {
    if (after !== before) documents.set(USAGE_CLAIMS, id, after);
  }
}

/** A request that begins or ceases to count as a call of `owner`. */
interface Move {
  readonly owner: string;
  readonly report: CallReport;
  readonly credit: Credit;
  readonly callKey: string;
  readonly sign: 1n | -1n;
}

/** None when another session holds the request too and nothing moves. */
function movesOf({ callKey, before, after }: ClaimChange): readonly Move[] {
  if (before?.owner === after?.owner && before?.report === after?.report) return [];
  const move = (claim: Claim | undefined, sign: 1n | -1n): readonly Move[] => {
    if (claim === undefined) return [];
    const { owner, report, reports } = claim;
    return [{ owner, report, credit: reports[owner]!.credit, callKey, sign }];
  };
  return [...move(before, -1n), ...move(after, 1n)];
}

function kindOf({ purpose, provider, model }: CallReport): string {
  return JSON.stringify([purpose, provider ?? null, model ?? null]);
}
