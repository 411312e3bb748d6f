import { Inject, Injectable } from '@nestjs/common';
import type { WorkDocument } from '../projections/sessions/session-document.js';
import { WORK, sessionsProjection } from '../projections/sessions/sessions-projection.js';
import { ReadModels } from '../projections/read-models.js';
import { formatReadPosition } from '../projections/read-position.js';
import type { EventStore } from '../storage/event-store.js';
import type { FieldFilter } from '../storage/read-model-store.js';
import { EVENT_STORE } from '../tokens.js';

const PAGE = 200;
const CAUGHT_UP_MS_MAX = 1_000;

/** The read model of work: which sessions a worker could move. Only a hint, and never complete. */
@Injectable()
export class OpenWork {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly readModels: ReadModels,
  ) {}

  /** Position of the newest event: as long as it stays, only time makes work. */
  head(): Promise<bigint> {
    return this.events.headPosition();
  }

  /** What a tenant has now, the oldest first. A read model that lags shows the rest the next time. */
  of(tenantId: string, heldBy?: string): AsyncIterable<WorkDocument> {
    const filters = [{ field: 'tenantId', equals: tenantId }];
    return this.find(
      heldBy === undefined ? filters : [...filters, { field: 'heldBy', equals: heldBy }],
    );
  }

  /** Of all tenants. */
  all(): AsyncIterable<WorkDocument> {
    return this.find([]);
  }

  private async *find(filters: readonly FieldFilter[]): AsyncIterable<WorkDocument> {
    const demand = { atLeast: formatReadPosition(await this.head()), waitMs: CAUGHT_UP_MS_MAX };
    const reader = await this.readModels.of(sessionsProjection, demand);
    let cursor: string | undefined;
    do {
      const sort = { field: 'since', direction: 'ascending' } as const;
      const page = await reader.find(WORK, { filters, sort, limit: PAGE, cursor });
      for (const { document } of page.documents) yield document as unknown as WorkDocument;
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
}
