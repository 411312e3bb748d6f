import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sessionDocumentId } from '../projection.js';
import { type AsOf, type ReadDemand, ReadModels } from '../read-models.js';
import type { Credit } from './attribution.js';
import { COST_ENTRIES, type CostEntryDocument } from './cost-entry.js';
import { costTreeProjection } from './cost-tree-projection.js';
import { type Figures, figuresOf } from './figures.js';

/** One change of what a session's own calls cost. */
export interface CallCost extends Omit<Credit, 'labels'> {
  readonly position: string;
  readonly recordedAt: string;
  /** The event: with `GET /v1/sessions/{sessionId}/events?from={revision}&first=1` it shows the
   * provider's own usage, the price card and the rates. */
  readonly reportedBy: { readonly sessionId: string; readonly revision: number };
  readonly callKey: string;
  /** `takenBack`: an earlier entry of the same call counts no longer. */
  readonly change: 'added' | 'takenBack';
  readonly purpose: string;
  readonly provider: string | null;
  readonly model: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly figures: Figures;
}

/** The ledger of one session, in the order in which it was written. */
export interface CallCostPage {
  readonly entries: readonly CallCost[];
  readonly cursor?: string;
  readonly asOf: AsOf;
}

export class ListCallCosts extends Query<CallCostPage> {
  constructor(
    readonly tenantId: string,
    readonly sessionId: string,
    /** `limit`: 1 to 200. */
    readonly page: { readonly limit?: number; readonly cursor?: string } = {},
    readonly demand: ReadDemand = {},
  ) {
    super();
  }
}

@QueryHandler(ListCallCosts)
export class ListCallCostsHandler implements IQueryHandler<ListCallCosts, CallCostPage> {
  constructor(private readonly readModels: ReadModels) {}

  /** @throws InvalidCursorError */
  async execute({ tenantId, sessionId, page, demand }: ListCallCosts): Promise<CallCostPage> {
    const reader = await this.readModels.of(costTreeProjection, demand);
    const found = await reader.find(COST_ENTRIES, {
      filters: [{ field: 'node', equals: sessionDocumentId(tenantId, sessionId) }],
      sort: { field: 'node', direction: 'ascending' },
      limit: page.limit ?? 50,
      cursor: page.cursor,
    });
    const entries = found.documents.map(({ document }) =>
      callCost(document as unknown as CostEntryDocument),
    );
    return { entries, cursor: found.cursor, asOf: reader.asOf };
  }
}

function callCost(entry: CostEntryDocument): CallCost {
  const { position, recordedAt, reportedBy, callKey, change, kind, parts, credit } = entry;
  const [purpose, provider, model] = JSON.parse(kind) as [string, string | null, string | null];
  const told = { position, recordedAt, reportedBy, callKey, change, purpose, provider, model };
  return { ...told, ...credit, figures: figuresOf([{ parts }]) };
}
