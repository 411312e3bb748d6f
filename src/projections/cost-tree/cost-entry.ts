import type { Documents } from '../projection.js';
import type { Credit } from './attribution.js';
import type { Part } from './call-report.js';
import { closeParts } from './cells.js';

/**
 * The ledger: every change of what a session's own calls cost is one entry that is never changed.
 * A late report, a re-pricing or a call that turns out to be another session's takes back what
 * stood there before by an entry of its own, so that any moment can be added up again.
 */
export const COST_ENTRIES = 'entries';

export interface CostEntryDocument {
  /** Id of the session's node. */
  readonly node: string;
  readonly sessionId: string;
  /** Position of the event that made the entry, and its revision in the stream that it is in. */
  readonly position: string;
  readonly recordedAt: string;
  readonly reportedBy: { readonly sessionId: string; readonly revision: number };
  readonly callKey: string;
  /** `takenBack`: what an earlier entry has added. */
  readonly change: 'added' | 'takenBack';
  /** Purpose, provider and model, as in the node's cells. */
  readonly kind: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly credit: Credit;
}

export interface EntryToWrite extends Omit<CostEntryDocument, 'parts'> {
  readonly parts: readonly Part[];
}

/** Ids of one node's entries are in the order in which they were made. */
export function writeEntry(documents: Documents, entry: EntryToWrite, place: number): void {
  const { node, position, parts } = entry;
  const id = `${node}|${position.padStart(20, '0')}|${place.toString().padStart(4, '0')}`;
  documents.set(COST_ENTRIES, id, { ...entry, parts: closeParts(parts) });
}
