import type { EventOf, SessionEventRecord } from '../../domain/events.js';
import type { ParentEdge } from '../../domain/events/session-events.js';
import type { ReadModelDocument } from '../../storage/read-model-store.js';
import {
  type DocumentReference,
  type Documents,
  type LinkedProjection,
  sessionDocumentId,
} from '../projection.js';
import { SERIES_HOURS, SeriesHour, likelySeriesIds } from '../cost-series/series-hour.js';
import { type ClaimChange, USAGE_CLAIMS, applyClaims, claimAt } from './apply-claims.js';
import {
  ATTRIBUTIONS,
  ATTRIBUTION_TYPES,
  attribute,
  attributionAt,
  creditOf,
} from './attribution.js';
import { countedCost, reportOf } from './call-report.js';
import {
  type Claim,
  type Holder,
  claimAfter,
  claimRepriced,
  claimWithout,
  closeClaim,
  openClaim,
} from './claim.js';
import { COST_ENTRIES } from './cost-entry.js';
import { CostNode } from './cost-node.js';
import { COST_NODES, chainAbove, linkNode, nodeAt } from './cost-chain.js';

/** The ancestors that a session's first event names; kept apart because they never change. */
export const LINEAGES = 'lineages';

/**
 * Own and descendants' cost and usage of every session, each provider request counted once; the
 * series by the hour, and the ledger that single calls and past moments are read from.
 */
export const costTreeProjection: LinkedProjection = {
  name: 'cost-tree',
  version: 4,
  types: new Set([...ATTRIBUTION_TYPES, 'ModelUsageReported', 'CallsRepriced']),
  collections: [
    {
      name: COST_NODES,
      keptMax: 10_000,
      indexes: [
        ['parentNode', 'startedAt'],
        ['parentNode', 'edge', 'startedAt'],
      ],
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
    { name: ATTRIBUTIONS, keptMax: 4_000, indexes: [] },
    { name: COST_ENTRIES, indexes: [['node']] },
    {
      name: SERIES_HOURS,
      keptMax: 2_000,
      indexes: [
        ['series', 'hour'],
        ['dimension', 'hour'],
      ],
      workingForm: {
        open: (stored) => SeriesHour.open(stored),
        close: (hour) => (hour as SeriesHour).close(),
      },
    },
  ],
  idsOf,
  fold,
};

function idsOf(record: SessionEventRecord): DocumentReference[] {
  const { event, metadata, sessionId } = record;
  const { tenantId } = metadata;
  const ids = [...attributionIds(record)];
  const addNode = (id: string): void => {
    ids.push({ collection: COST_NODES, id: sessionDocumentId(tenantId, id) });
  };
  const parent = parentOf(event);
  const keys = callKeysOf(event);
  if (event.type === 'SessionStarted' || event.type === 'Forked' || keys.length > 0) {
    addNode(sessionId);
  }
  if (parent !== undefined) addNode(parent.sessionId);
  for (const key of keys) {
    ids.push({ collection: USAGE_CLAIMS, id: sessionDocumentId(tenantId, key) });
  }
  if (event.type === 'ModelCallSettled' || event.type === 'ModelUsageReported') {
    for (const id of likelySeriesIds(tenantId, sessionId, event.data.startedAt)) {
      ids.push({ collection: SERIES_HOURS, id });
    }
  }
  return ids;
}

/** The session's own attribution, and the one that it begins with. */
function attributionIds({ event, metadata, sessionId }: SessionEventRecord): DocumentReference[] {
  const origin = event.type === 'Forked' ? event.data.cut.sessionId : parentOf(event)?.sessionId;
  const ids = origin === undefined ? [sessionId] : [sessionId, origin];
  return ids.map((id) => ({
    collection: ATTRIBUTIONS,
    id: sessionDocumentId(metadata.tenantId, id),
  }));
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

/** The call is counted before its session's attribution forgets that it was open. */
function fold(record: SessionEventRecord, documents: Documents): void {
  for (const { collection, id } of attributionIds(record)) documents.get(collection, id);
  count(record, documents);
  if (ATTRIBUTION_TYPES.has(record.event.type)) attribute(record, documents);
}

function count(record: SessionEventRecord, documents: Documents): void {
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
  { metadata, sessionId, position, recordedAt }: SessionEventRecord,
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
  node.begun = { position: position.toString(), recordedAt };
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
  record: SessionEventRecord,
  data: EventOf<'ModelCallSettled' | 'ModelUsageReported'>['data'],
  documents: Documents,
): void {
  const { sessionId, metadata } = record;
  const { tenantId } = metadata;
  const attribution = attributionAt(documents, tenantId, sessionId);
  const key = 'formerCallKey' in data ? data.formerCallKey : undefined;
  const former = key === undefined ? undefined : claimAt(documents, tenantId, key);
  const credit = former?.before?.reports[sessionId]?.credit ?? creditOf(attribution, data);
  const report = reportOf(data, credit);
  if (report === undefined) return;
  const holderOf = (id: string): Holder => holderAt(documents, tenantId, id);
  const claim = claimAt(documents, tenantId, data.callKey);
  const changes: ClaimChange[] = [
    { ...claim, after: claimAfter(claim.before, sessionId, report, holderOf) },
  ];
  if (former?.before !== undefined) {
    changes.push({ ...former, after: claimWithout(former.before, sessionId, holderOf) });
  }
  applyClaims(record, documents, changes);
}

function repriced(
  record: SessionEventRecord,
  { calls }: EventOf<'CallsRepriced'>['data'],
  documents: Documents,
): void {
  const changes = calls.map(({ callKey, cost }): ClaimChange => {
    const claim = claimAt(documents, record.metadata.tenantId, callKey);
    const { before } = claim;
    return {
      ...claim,
      after: before && claimRepriced(before, record.sessionId, countedCost(cost)),
    };
  });
  applyClaims(record, documents, changes);
}

function holderAt(documents: Documents, tenantId: string, sessionId: string): Holder {
  const node = nodeAt(documents, tenantId, sessionId);
  if (node.parentId === undefined) return { sessionId, startedAt: node.startedAt, ancestors: [] };
  const lineage = documents.get(LINEAGES, node.id) as { readonly ancestors: string[] } | undefined;
  return { sessionId, startedAt: node.startedAt, ancestors: lineage?.ancestors ?? [] };
}
