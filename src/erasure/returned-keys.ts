import { Inject, Injectable, Logger } from '@nestjs/common';
import { ReadModels } from '../projections/read-models.js';
import { formatReadPosition } from '../projections/read-position.js';
import type { SessionDocument } from '../projections/sessions/session-document.js';
import { SESSIONS, sessionsProjection } from '../projections/sessions/sessions-projection.js';
import type { EventStore } from '../storage/event-store.js';
import type { SessionEraser } from '../storage/session-eraser.js';
import { ERASER, EVENT_STORE } from '../tokens.js';
import { Erasures } from './erasures.js';

const PAGE = 200;

/** An older copy of the keys, put back, holds keys of sessions that were erased since. */
@Injectable()
export class ReturnedKeys {
  private readonly log = new Logger(ReturnedKeys.name);

  constructor(
    private readonly readModels: ReadModels,
    private readonly erasures: Erasures,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(ERASER) private readonly eraser: SessionEraser,
  ) {}

  /**
   * Holds the keys against the erasures that the log tells of, and destroys those that came back.
   * @returns whether all of them were looked at: a list of sessions that lags does not tell all.
   */
  async destroy(): Promise<boolean> {
    const atLeast = formatReadPosition(await this.events.headPosition());
    const reader = await this.readModels.of(sessionsProjection, { atLeast });
    if (reader.asOf.stale) return false;
    let returned = 0;
    let cursor: string | undefined;
    do {
      const page = await reader.find(SESSIONS, {
        filters: [{ field: 'status', equals: 'erased' }],
        sort: { field: 'updatedAt', direction: 'ascending' },
        limit: PAGE,
        cursor,
      });
      for (const { document } of page.documents) {
        returned += await this.destroyIn(document as unknown as SessionDocument);
      }
      cursor = page.cursor;
    } while (cursor !== undefined);
    if (returned > 0) {
      this.log.warn(`destroyed ${returned} keys of erased sessions that a backup had brought back`);
    }
    return true;
  }

  private async destroyIn({ tenantId, sessionId }: SessionDocument): Promise<number> {
    if (await this.eraser.isErased({ tenantId, sessionId })) return 0;
    await this.erasures.destroyAgain(tenantId, sessionId);
    return 1;
  }
}
