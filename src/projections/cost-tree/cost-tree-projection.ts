import type { EventOf, SessionEventRecord } from '../../domain/events.js';
import type { ParentEdge } from '../../domain/events/session-events.js';
import type { ReadModelDocument } from '../../storage/read-model-store.js';
import {
  type DocumentReference,
  type Documents,
  type LinkedProjection,
  sessionDocumentId,
} from '../projection.js';
import { type CallReport, countedCost, partsOf, reportOf } from './call-report.js';
import {
  type Claim,
  type Holder,
  claimAfter,
  claimRepriced,
  claimWithout,
  closeClaim,
  openClaim,
} from './claim.js';
import { CostNode } from './cost-node.js';
import { COST_NODES, chainAbove, changeAlong, linkNode, nodeAt } from './cost-chain.js';

/** Which session owns a provider request, by the tenant's `callKey`. */
export const USAGE_CLAIMS = 'claims';
/** The ancestors that a session's first event names; kept apart because they never change. */
export const LINEAGES = 'lineages';

/** Own and descendants' cost and usage of every session, each provider request counted once. */
export const costTreeProjection: LinkedProjection = {
  name: 'cost-tree',
  version: 2,
  types: new Set([
    'SessionStarted',
    'Forked',
    'ModelCallSettled',
    'ModelUsageReported',
    'CallsRepriced',
  ]),
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
  const keys = callKeysOf(event);
  if (keys.length > 0) {
    const claim = (key: string): DocumentReference => ({
      collection: USAGE_CLAIMS,
      id: sessionDocumentId(metadata.tenantId, key),
    });
    return [node(sessionId), ...keys.map(claim)];
  }
  const parent = parentOf(event);
  return parent === undefined ? [node(sessionId)] : [node(sessionId), node(parent.sessionId)];
}

/** Of the provider requests that the event says something of. */
function callKeysOf(event: SessionEventRecord['event']): readonly string[] {
  switch (event.type) {
    case 'ModelCallSettled':
      return [event.data.callKey];
    case 'ModelUsageReported': {
      const { callKey, formerCallKey } = event.data;
      return formerCallKey === undefined ? [callKey] : [formerCallKey, callKey];
    }
    case 'CallsRepriced':
      return event.data.calls.map(({ callKey }) => callKey);
    default:
      return [];
  }
}

function fold(record: SessionEventRecord, documents: Documents): void {
  const { event } = record;
  switch (event.type) {
    case 'SessionStarted':
    case 'Forked':
      return started(record, event, documents);
    case 'ModelCallSettled':
    case 'ModelUsageReported':
      return settled(record, event.data, documents);
    case 'CallsRepriced':
      return repriced(record, event.data, documents);
    default:
      return;
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
  data: EventOf<'ModelCallSettled' | 'ModelUsageReported'>['data'],
  documents: Documents,
): void {
  const report = reportOf(data);
  if (report === undefined) return;
  const { tenantId } = metadata;
  const holderOf = (id: string): Holder => holderAt(documents, tenantId, id);
  const changes = [
    changeOf(documents, tenantId, data.callKey, (before) =>
      claimAfter(before, sessionId, report, holderOf),
    ),
  ];
  if ('formerCallKey' in data && data.formerCallKey !== undefined) {
    const { formerCallKey } = data;
    changes.push(
      changeOf(
        documents,
        tenantId,
        formerCallKey,
        (before) => before && claimWithout(before, sessionId, holderOf),
      ),
    );
  }
  apply(documents, tenantId, changes);
}

function repriced(
  { metadata, sessionId }: SessionEventRecord,
  { calls }: EventOf<'CallsRepriced'>['data'],
  documents: Documents,
): void {
  const { tenantId } = metadata;
  const changes = calls.map(({ callKey, cost }) =>
    changeOf(
      documents,
      tenantId,
      callKey,
      (before) => before && claimRepriced(before, sessionId, countedCost(cost)),
    ),
  );
  apply(documents, tenantId, changes);
}

interface ClaimChange {
  readonly id: string;
  readonly before: Claim | undefined;
  readonly after: Claim | undefined;
}

function changeOf(
  documents: Documents,
  tenantId: string,
  callKey: string,
  change: (before: Claim | undefined) => Claim | undefined,
): ClaimChange {
  const id = sessionDocumentId(tenantId, callKey);
  const before = documents.get(USAGE_CLAIMS, id) as Claim | undefined;
  return { id, before, after: change(before) };
}

/** Everything is read before anything is changed, so that the event can be folded again. */
function apply(documents: Documents, tenantId: string, changes: readonly ClaimChange[]): void {
  const counts = changes
    .filter(({ before, after }) => !countsTheSame(before, after))
    .flatMap(({ before, after }) => changesOf(before, after));
  const chains = counts.map(({ owner }) => chainAbove(documents, tenantId, owner));
  counts.forEach(({ report: counted, sign }, index) => {
    changeAlong(documents, chains[index]!, kindOf(counted), partsOf(counted), sign);
  });
  for (const { id, before, after } of changes) {
    if (after !== before) documents.set(USAGE_CLAIMS, id, after);
  }
}

/** Another session holds the request too, and nothing moves. */
function countsTheSame(before: Claim | undefined, after: Claim | undefined): boolean {
  return before?.owner === after?.owner && before?.report === after?.report;
}

interface Counted {
  readonly owner: string;
  readonly report: CallReport;
  readonly sign: 1n | -1n;
}

function changesOf(before: Claim | undefined, after: Claim | undefined): readonly Counted[] {
  const counted = (claim: Claim | undefined, sign: 1n | -1n): readonly Counted[] =>
    claim === undefined ? [] : [{ owner: claim.owner, report: claim.report, sign }];
  return [...counted(before, -1n), ...counted(after, 1n)];
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
