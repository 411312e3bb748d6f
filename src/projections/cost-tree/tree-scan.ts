import type { ParentEdge } from '../../domain/events/session-events.js';
import { Rejection } from '../../domain/rejection.js';
import type { ProjectionReader } from '../read-models.js';
import { COST_NODES } from './cost-chain.js';
import { COST_ENTRIES, type CostEntryDocument } from './cost-entry.js';
import { type CostNodeDocument, type EdgePath, joinPaths } from './cost-node.js';
import { type Moment, holds } from './moment.js';

/** Limits of a report that is added up from single calls; whole sums are kept and have none. */
export const SCANNED_SESSIONS_MAX = 10_000;
export const SCANNED_ENTRIES_MAX = 100_000;

const PAGE = 200;
const NODES_TOGETHER = 100;

export interface ScanScope {
  readonly edges: readonly ParentEdge[];
  readonly moment?: Moment;
}

/** A session of the tree as it stood. */
export interface ScannedSession {
  readonly id: string;
  readonly node: CostNodeDocument;
  /** Kinds of edges between the root and this session. */
  readonly path: EdgePath;
  /** The root's child that it lies under; absent for the root itself. */
  readonly branch?: { readonly node: CostNodeDocument; readonly path: EdgePath };
}

/**
 * The sessions of a tree, the root first, level by level.
 * @throws Rejection (limit_exceeded)
 */
export async function sessionsBelow(
  reader: ProjectionReader,
  root: { readonly id: string; readonly node: CostNodeDocument },
  scope: ScanScope,
): Promise<ScannedSession[]> {
  const all: ScannedSession[] = [{ ...root, path: '' }];
  for (let start = 0; start < all.length;) {
    const parents = all.slice(start, start + NODES_TOGETHER);
    start += parents.length;
    for await (const { id, node } of childrenOf(reader, parents, scope)) {
      const parent = parents.find((one) => one.id === node.parentNode)!;
      all.push({ id, node, ...placeBelow(parent, node) });
      if (all.length > SCANNED_SESSIONS_MAX) throw tooLarge('sessions', SCANNED_SESSIONS_MAX);
    }
  }
  return all;
}

function placeBelow(
  parent: ScannedSession,
  node: CostNodeDocument,
): Pick<ScannedSession, 'path' | 'branch'> {
  const edge = node.edge!;
  const path = joinPaths(parent.path, edge);
  if (parent.branch === undefined) return { path, branch: { node, path: '' } };
  return {
    path,
    branch: { node: parent.branch.node, path: joinPaths(parent.branch.path, edge) },
  };
}

async function* childrenOf(
  reader: ProjectionReader,
  parents: readonly ScannedSession[],
  { edges, moment }: ScanScope,
): AsyncGenerator<{ readonly id: string; readonly node: CostNodeDocument }> {
  const filters = [
    { field: 'parentNode', in: parents.map(({ id }) => id) },
    { field: 'edge', in: edges },
  ];
  const sort = { field: 'startedAt', direction: 'ascending' } as const;
  let cursor: string | undefined;
  do {
    const page = await reader.find(COST_NODES, { filters, sort, limit: PAGE, cursor });
    for (const { id, document } of page.documents) {
      const node = document as unknown as CostNodeDocument;
      if (isThere(node, moment)) yield { id, node };
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
}

export function isThere({ begun }: CostNodeDocument, moment: Moment | undefined): boolean {
  return moment === undefined || (begun !== undefined && holds(moment, begun));
}

/**
 * Every entry of these sessions, in the order in which a session's entries were made.
 * @throws Rejection (limit_exceeded)
 */
export async function* entriesOf(
  reader: ProjectionReader,
  sessions: readonly ScannedSession[],
  moment: Moment | undefined,
): AsyncGenerator<{ readonly entry: CostEntryDocument; readonly session: ScannedSession }> {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const ids = [...byId.keys()];
  let seen = 0;
  for (let start = 0; start < ids.length; start += NODES_TOGETHER) {
    const filters = [{ field: 'node', in: ids.slice(start, start + NODES_TOGETHER) }];
    const sort = { field: 'node', direction: 'ascending' } as const;
    let cursor: string | undefined;
    do {
      const page = await reader.find(COST_ENTRIES, { filters, sort, limit: PAGE, cursor });
      seen += page.documents.length;
      if (seen > SCANNED_ENTRIES_MAX) throw tooLarge('calls', SCANNED_ENTRIES_MAX);
      for (const { document } of page.documents) {
        const entry = document as unknown as CostEntryDocument;
        if (holds(moment, entry)) yield { entry, session: byId.get(entry.node)! };
      }
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
}

function tooLarge(what: 'sessions' | 'calls', limit: number): Rejection {
  return new Rejection(
    'limit_exceeded',
    `the tree has more than ${limit} ${what}: this report adds up single calls; ask for a session ` +
      'further down, for fewer kinds of edges, or for the tenant by day',
    { limit: what === 'sessions' ? 'scannedSessionsMax' : 'scannedCallsMax', max: limit },
  );
}
