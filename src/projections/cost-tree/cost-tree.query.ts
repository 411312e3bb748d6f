import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { ParentEdge } from '../../domain/events/session-events.js';
import { sessionDocumentId } from '../projection.js';
import { type AsOf, type ProjectionReader, type ReadDemand, ReadModels } from '../read-models.js';
import type { CostNodeDocument } from './cost-node.js';
import { COST_NODES } from './cost-chain.js';
import { costTreeProjection } from './cost-tree-projection.js';
import { type Figures, type TreeFigures, treeFigures } from './figures.js';

const CHILDREN_SHOWN = 50;

export interface ChildCost {
  readonly sessionId: string;
  readonly edge: ParentEdge;
  readonly own: Figures;
  readonly inclusive: Figures;
}

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
  readonly asOf: AsOf;
}

export interface FoundCost {
  /** undefined: nothing of this session has been seen. */
  readonly cost: SessionCost | undefined;
  readonly asOf: AsOf;
}

export interface CostScope {
  /** Which kinds of children count; all when absent. */
  readonly edges?: readonly ParentEdge[];
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
  constructor(private readonly readModels: ReadModels) {}

  async execute({ tenantId, sessionId, scope, demand }: GetSessionCost): Promise<FoundCost> {
    const reader = await this.readModels.of(costTreeProjection, demand);
    const { asOf } = reader;
    const id = sessionDocumentId(tenantId, sessionId);
    const node = await reader.get<CostNodeDocument>(COST_NODES, id);
    if (node === undefined) return { cost: undefined, asOf };
    const { known, parentId, edge } = node;
    const figures = treeFigures(node, scope.edges);
    const children = await childrenOf(reader, id, scope, { limit: CHILDREN_SHOWN });
    return { cost: { sessionId, known, parentId, edge, ...figures, ...children, asOf }, asOf };
  }
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
