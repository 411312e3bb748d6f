import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { FieldFilter } from '../../storage/read-model-store.js';
import { type ReadDemand, ReadModels } from '../read-models.js';
import type { OpenCallDocument } from './open-call-document.js';
import { RECONCILIATIONS, sessionsProjection } from './sessions-projection.js';

export interface OpenCallFilter {
  readonly question?: 'outcome' | 'approval';
  /** The user or role that has to decide. */
  readonly asked?: string;
  readonly state?: string;
}

/** Tool calls that are not settled, the oldest first. */
export class ListOpenCalls extends Query<readonly OpenCallDocument[]> {
  constructor(
    readonly tenantId: string,
    readonly filter: OpenCallFilter,
    /** So many at most. */
    readonly limit: number,
    readonly demand: ReadDemand = {},
  ) {
    super();
  }
}

const PAGE = 200;

@QueryHandler(ListOpenCalls)
export class ListOpenCallsHandler implements IQueryHandler<
  ListOpenCalls,
  readonly OpenCallDocument[]
> {
  constructor(private readonly readModels: ReadModels) {}

  async execute({
    tenantId,
    filter,
    limit,
    demand,
  }: ListOpenCalls): Promise<readonly OpenCallDocument[]> {
    const reader = await this.readModels.of(sessionsProjection, demand);
    const filters: FieldFilter[] = [{ field: 'tenantId', equals: tenantId }];
    for (const [field, equals] of Object.entries(filter)) {
      if (equals !== undefined) filters.push({ field, equals: equals as string });
    }
    const sort = { field: 'since', direction: 'ascending' } as const;
    const found: OpenCallDocument[] = [];
    let cursor: string | undefined;
    do {
      const page = { filters, sort, limit: Math.min(PAGE, limit - found.length), cursor };
      const { documents, cursor: next } = await reader.find(RECONCILIATIONS, page);
      found.push(...documents.map(({ document }) => document as unknown as OpenCallDocument));
      cursor = next;
    } while (cursor !== undefined && found.length < limit);
    return found;
  }
}
