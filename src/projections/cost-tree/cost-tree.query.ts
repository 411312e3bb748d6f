import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EVENT_STORE } from '../../tokens.js';
import type { ParentEdge } from '../../domain/events/session-events.js';
import { Rejection } from '../../domain/rejection.js';
import type { EventStore } from '../../storage/event-store.js';
import { type RangeWish, timeRangeOf } from '../cost-series/time-range.js';
import { sessionDocumentId } from '../projection.js';
import { type AsOf, type ProjectionReader, type ReadDemand, ReadModels } from '../read-models.js';
import { formatReadPosition, parseReadPosition } from '../read-position.js';
import { COST_NODES } from './cost-chain.js';
import { type CostGroup, type Split, isKeptSplit, keptGroups } from './cost-groups.js';
import type { CostNodeDocument } from './cost-node.js';
import { type ChildCost, reportFromEntries } from './cost-report.js';
import { costTreeProjection } from './cost-tree-projection.js';
import { ALL_EDGES, type TreeFigures, cellsWithin, treeFigures } from './figures.js';
import { type Moment, momentOf } from './moment.js';
import { isThere } from './tree-scan.js';

const CHILDREN_SHOWN = 50;

/** A session's direct children, the earliest first. */
export interface ChildrenPage {
  readonly children: readonly ChildCost[];
  /** Present when there are more: for `GetChildCosts`. */
  readonly cursor?: string;
}

export interface SessionCost extends TreeFigures, ChildrenPage {
  readonly sessionId: string;
  /** False: only children of this session have been seen, not the session itself. */
  readonly known: boolean;
  readonly parentId?: string;
  readonly edge?: ParentEdge;
  /** The groups of the split that was asked for. */
  readonly groups?: readonly CostGroup[];
  /** There are more children, and `GetChildCosts` does not look back. */
  readonly childrenCut?: boolean;
  readonly asOf: CostAsOf;
}

/** `time`: the moment that was asked for, when it is one of the clock. */
export interface CostAsOf extends AsOf {
  readonly time?: string;
}

export interface FoundCost {
  /** undefined: nothing of this session has been seen, or not at that moment. */
  readonly cost: SessionCost | undefined;
  readonly asOf: AsOf;
}

export interface CostScope extends RangeWish {
  /** Which kinds of children count; all when absent. */
  readonly edges?: readonly ParentEdge[];
  /** Splits own, descendants and inclusive cost into groups. */
  readonly by?: Split;
  /** Name of the label to split by. */
  readonly label?: string;
  /** As it was: `version:<revision>`, `position:<position>` or a time. Now when absent. */
  readonly asOf?: string;
}

export class GetSessionCost extends Query<FoundCost> {
  constructor(
    readonly tenantId: string,
    readonly sessionId: string,
    readonly scope: CostScope = {},
    readonly demand: ReadDemand = {},
  ) {
    super();
  }
}

export class GetChildCosts extends Query<ChildrenPage & { readonly asOf: AsOf }> {
  constructor(
    readonly tenantId: string,
    readonly sessionId: string,
    readonly scope: CostScope = {},
    /** `limit`: 1 to 200. */
    readonly page: { readonly limit?: number; readonly cursor?: string } = {},
    readonly demand: ReadDemand = {},
  ) {
    super();
  }
}

@QueryHandler(GetSessionCost)
export class GetSessionCostHandler implements IQueryHandler<GetSessionCost, FoundCost> {
  constructor(
    private readonly readModels: ReadModels,
    @Inject(EVENT_STORE) private readonly events: EventStore,
  ) {}

  /** @throws Rejection for a question that makes no sense, or is too large. */
  async execute({ tenantId, sessionId, scope, demand }: GetSessionCost): Promise<FoundCost> {
    const { by, label, edges = ALL_EDGES } = scope;
    if (by === 'label' && label === undefined) {
      throw new Rejection('invalid_request', 'a split by label names the label', {
        parameter: 'label',
      });
    }
    const range = timeRangeOf(scope);
    const moment =
      scope.asOf === undefined
        ? undefined
        : await momentOf(scope.asOf, this.events, tenantId, sessionId);
    let reader = await this.readModels.of(
      costTreeProjection,
      moment === undefined ? demand : await this.demandFor(moment, demand),
    );
    const id = sessionDocumentId(tenantId, sessionId);
    let node = await reader.get<CostNodeDocument>(COST_NODES, id);
    if (node === undefined && moment === undefined && demand.atLeast === undefined) {
      reader = await this.readModels.atHead(costTreeProjection);
      node = await reader.get<CostNodeDocument>(COST_NODES, id);
    }
    const asOf = asOfThen(reader.asOf, moment);
    if (node === undefined || !isThere(node, moment)) return { cost: undefined, asOf };
    const head = { sessionId, known: node.known, parentId: node.parentId, edge: node.edge, asOf };
    if (moment === undefined && range.isOpen && isKeptSplit(by)) {
      return { cost: { ...head, ...(await keptCost(reader, id, node, scope)) }, asOf };
    }
    const question = { edges, by, label, moment, range };
    const report = await reportFromEntries(reader, { id, node }, question, CHILDREN_SHOWN);
    return { cost: { ...head, ...report }, asOf };
  }

  /** What was recorded at the moment has to be in the read model before it can be added up. */
  private async demandFor(moment: Moment, demand: ReadDemand): Promise<ReadDemand> {
    const head = await this.events.headPosition();
    const until = 'position' in moment && moment.position < head ? moment.position : head;
    const asked = demand.atLeast === undefined ? 0n : parseReadPosition(demand.atLeast);
    return { ...demand, atLeast: formatReadPosition(asked > until ? asked : until) };
  }
}

function asOfThen(asOf: AsOf, moment: Moment | undefined): CostAsOf {
  if (moment === undefined) return asOf;
  if ('time' in moment) return { ...asOf, time: moment.time };
  const reached = parseReadPosition(asOf.position);
  const position = moment.position < reached ? moment.position : reached;
  return { ...asOf, position: formatReadPosition(position) };
}

async function keptCost(
  reader: ProjectionReader,
  id: string,
  node: CostNodeDocument,
  scope: CostScope,
): Promise<TreeFigures & ChildrenPage & Pick<SessionCost, 'groups'>> {
  const { by, edges } = scope;
  const figures = treeFigures(node, edges);
  const children = await childrenOf(reader, id, scope, { limit: CHILDREN_SHOWN });
  if (by !== 'model' && by !== 'purpose' && by !== 'kind') return { ...figures, ...children };
  return { ...figures, ...children, groups: keptGroups(cellsWithin(node, edges), by) };
}

@QueryHandler(GetChildCosts)
export class GetChildCostsHandler implements IQueryHandler<
  GetChildCosts,
  ChildrenPage & { readonly asOf: AsOf }
> {
  constructor(private readonly readModels: ReadModels) {}

  /** @throws InvalidCursorError */
  async execute(query: GetChildCosts): Promise<ChildrenPage & { readonly asOf: AsOf }> {
    const { tenantId, sessionId, scope, page, demand } = query;
    const reader = await this.readModels.of(costTreeProjection, demand);
    const id = sessionDocumentId(tenantId, sessionId);
    return { ...(await childrenOf(reader, id, scope, page)), asOf: reader.asOf };
  }
}

async function childrenOf(
  reader: ProjectionReader,
  parentNode: string,
  { edges }: CostScope,
  page: { readonly limit?: number; readonly cursor?: string },
): Promise<ChildrenPage> {
  const wanted = edges === undefined ? [] : [{ field: 'edge', in: edges }];
  const found = await reader.find(COST_NODES, {
    filters: [{ field: 'parentNode', equals: parentNode }, ...wanted],
    sort: { field: 'startedAt', direction: 'ascending' },
    limit: page.limit ?? CHILDREN_SHOWN,
    cursor: page.cursor,
  });
  const children = found.documents.map(({ document }) => {
    const node = document as unknown as CostNodeDocument;
    const { own, inclusive } = treeFigures(node, edges);
    return { sessionId: node.sessionId, edge: node.edge!, own, inclusive };
  });
  return { children, cursor: found.cursor };
}
