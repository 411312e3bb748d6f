import type { EventOf, SessionEventRecord } from '../../domain/events.js';
import type { ParentEdge } from '../../domain/events/session-events.js';
import type { ReadModelDocument } from '../../storage/read-model-store.js';
import {
  type DocumentReference,
  type Documents,
  type LinkedProjection,
  sessionDocumentId,
} from '../projection.js';
import { type CallReport, partsOf, reportOf } from './call-report.js';
import { type Claim, type Holder, claimAfter, closeClaim, openClaim } from './claim.js';
import { CostNode } from './cost-node.js';
import { COST_NODES, chainAbove, changeAlong, linkNode, nodeAt } from './cost-chain.js';

/** Which session owns a provider request, by the tenant's `callKey`. */
export const USAGE_CLAIMS = 'claims';
/** The ancestors that a session's first event names; kept apart because they never change. */
export const LINEAGES = 'lineages';

/** Own and descendants' cost and usage of every session, each provider request counted once. */
export const costTreeProjection: LinkedProjection = {
  name: 'cost-tree',
  version: 1,
  types: new Set(['SessionStarted', 'Forked', 'ModelCallSettled']),
  collections: [
    {
      name: COST_NODES,
      keptMax: 10_000,
      indexes: [['parentNode', 'startedAt', 'edge']],
      workingForm: {
        open: (stored) => CostNode.open(stored),
        close: (node) => (node as CostNode).close() as unknown as ReadModelDocument,
      },
    },
    {
      name: USAGE_CLAIMS,
      indexes: [],
      workingForm: {
        open: (stored) => openClaim(stored),
        close: (claim) => closeClaim(claim as Claim),
      },
    },
    { name: LINEAGES, indexes: [] },
  ],
  idsOf,
  fold,
};

function idsOf({ event, metadata, sessionId }: SessionEventRecord): DocumentReference[] {
  const node = (id: string): DocumentReference => ({
    collection: COST_NODES,
    id: sessionDocumentId(metadata.tenantId, id),
  });
  if (event.type === 'ModelCallSettled') {
    const id = sessionDocumentId(metadata.tenantId, event.data.callKey);
    return [node(sessionId), { collection: USAGE_CLAIMS, id }];
  }
  const parent = parentOf(event);
  return parent === undefined ? [node(sessionId)] : [node(sessionId), node(parent.sessionId)];
}

function fold(record: SessionEventRecord, documents: Documents): void {
  const { event } = record;
  if (event.type === 'ModelCallSettled') return settled(record, event.data, documents);
  if (event.type === 'SessionStarted' || event.type === 'Forked') {
    started(record, event, documents);
  }
}

interface Parent {
  readonly sessionId: string;
  readonly edge: ParentEdge;
}

function parentOf(event: SessionEventRecord['event']): Parent | undefined {
  if (event.type === 'Forked') return { sessionId: event.data.parentId, edge: 'fork' };
  return event.type === 'SessionStarted' ? event.data.parent : undefined;
}

function started(
  { metadata, sessionId }: SessionEventRecord,
  event: EventOf<'SessionStarted'> | EventOf<'Forked'>,
  documents: Documents,
): void {
  const { tenantId } = metadata;
  const node = nodeAt(documents, tenantId, sessionId);
  if (node.known) return;
  const parent = parentOf(event);
  const above = parent === undefined ? [] : chainAbove(documents, tenantId, parent.sessionId);
  node.known = true;
  node.startedAt = event.data.startedAt;
  if (parent !== undefined) {
    const ancestors = [...new Set([parent.sessionId, ...event.data.ancestors])];
    documents.set(LINEAGES, node.id, { ancestors });
    node.parentId = parent.sessionId;
    node.edge = parent.edge;
    linkNode(documents, node, above);
  }
  documents.set(COST_NODES, node.id, node);
}

function settled(
  { metadata, sessionId }: SessionEventRecord,
  data: EventOf<'ModelCallSettled'>['data'],
  documents: Documents,
): void {
  const report = reportOf(data);
  if (report === undefined) return;
  const { tenantId } = metadata;
  const claimId = sessionDocumentId(tenantId, data.callKey);
  const before = documents.get(USAGE_CLAIMS, claimId) as Claim | undefined;
  const holderOf = (id: string): Holder => holderAt(documents, tenantId, id);
  const after = claimAfter(before, sessionId, report, holderOf);
  if (after === before) return;
  const counts = countsTheSame(before, after) ? [] : changesOf(before, after);
  const chains = counts.map(({ owner }) => chainAbove(documents, tenantId, owner));
  counts.forEach(({ report: counted, sign }, index) => {
    changeAlong(documents, chains[index]!, kindOf(counted), partsOf(counted), sign);
  });
  documents.set(USAGE_CLAIMS, claimId, after);
}

/** Another session holds the request too, and nothing moves. */
function countsTheSame(before: Claim | undefined, after: Claim): boolean {
  return before !== undefined && before.owner === after.owner && before.report === after.report;
}

interface Counted {
  readonly owner: string;
  readonly report: CallReport;
  readonly sign: 1n | -1n;
}

function changesOf(before: Claim | undefined, after: Claim): readonly Counted[] {
  const now: Counted = { owner: after.owner, report: after.report, sign: 1n };
  if (before === undefined) return [now];
  return [{ owner: before.owner, report: before.report, sign: -1n }, now];
}

function holderAt(documents: Documents, tenantId: string, sessionId: string): Holder {
  const node = nodeAt(documents, tenantId, sessionId);
  if (node.parentId === undefined) return { sessionId, startedAt: node.startedAt, ancestors: [] };
  const lineage = documents.get(LINEAGES, node.id) as { readonly ancestors: string[] } | undefined;
  return { sessionId, startedAt: node.startedAt, ancestors: lineage?.ancestors ?? [] };
}

function kindOf({ purpose, provider, model }: CallReport): string {
  return JSON.stringify([purpose, provider ?? null, model ?? null]);
}
