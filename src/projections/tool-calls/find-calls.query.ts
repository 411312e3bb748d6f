import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type ReadDemand, ReadModels } from '../read-models.js';
import { type ToolCallDocument, WRITES, toolCallsProjection } from './tool-calls-projection.js';

/** A write by what its target knows of it: the operation key, or the target's own id. */
export type CallName = { readonly opKey: string } | { readonly externalRef: string };

/** Answers the newest first. */
export class FindCalls extends Query<readonly ToolCallDocument[]> {
  constructor(
    readonly tenantId: string,
    readonly name: CallName,
    /** So many at most; 1 to 200. */
    readonly limit: number,
    readonly demand: ReadDemand = {},
  ) {
    super();
  }
}

@QueryHandler(FindCalls)
export class FindCallsHandler implements IQueryHandler<FindCalls, readonly ToolCallDocument[]> {
  constructor(private readonly readModels: ReadModels) {}

  async execute({ tenantId, name, limit, demand }: FindCalls): Promise<ToolCallDocument[]> {
    const reader = await this.readModels.of(toolCallsProjection, demand);
    const [[field, equals] = ['', '']] = Object.entries(name);
    const { documents } = await reader.find(WRITES, {
      filters: [
        { field: 'tenantId', equals: tenantId },
        { field, equals },
      ],
      sort: { field: 'requestedAt', direction: 'descending' },
      limit,
    });
    return documents.map(({ document }) => document as unknown as ToolCallDocument);
  }
}
