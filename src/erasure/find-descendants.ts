import { Injectable } from '@nestjs/common';
import type { ParentEdge } from '../domain/events/session-events.js';
import { ReadModels } from '../projections/read-models.js';
import { formatReadPosition } from '../projections/read-position.js';
import type { SessionDocument } from '../projections/sessions/session-document.js';
import { SESSIONS, sessionsProjection } from '../projections/sessions/sessions-projection.js';
import { StoreUnavailableError } from '../storage/event-store.js';

const PAGE = 200;
const RETRY_SECONDS = 5;

export interface Descendant {
  readonly sessionId: string;
  readonly parentId: string;
  readonly edge: ParentEdge;
}

/** Forks and child sessions, and theirs. */
@Injectable()
export class FindDescendants {
  constructor(private readonly readModels: ReadModels) {}

  /**
   * Those that are not erased, the nearest ones first.
   * @param position up to which the read model has to have read the log.
   * @throws StoreUnavailableError when it has not.
   */
  async of(tenantId: string, sessionId: string, position: bigint): Promise<readonly Descendant[]> {
    const demand = { atLeast: formatReadPosition(position) };
    const { asOf } = await this.readModels.of(sessionsProjection, demand);
    if (asOf.stale) {
      throw new StoreUnavailableError(
        'the list of sessions has not caught up, so it is not known which are forks of this one',
        RETRY_SECONDS,
      );
    }
    const found: Descendant[] = [];
    for (let open = [sessionId]; open.length > 0;) {
      const children: Descendant[] = [];
      for (const parentId of open) children.push(...(await this.childrenOf(tenantId, parentId)));
      found.push(...children);
      open = children.map((child) => child.sessionId);
    }
    return found;
  }

  /** Forks and theirs: what reads this session's events. @throws StoreUnavailableError as `of` */
  async forksOf(tenantId: string, sessionId: string, position: bigint): Promise<readonly string[]> {
    const readers = new Set([sessionId]);
    for (const one of await this.of(tenantId, sessionId, position)) {
      if (one.edge === 'fork' && readers.has(one.parentId)) readers.add(one.sessionId);
    }
    return [...readers].slice(1);
  }

  private async childrenOf(tenantId: string, parentId: string): Promise<readonly Descendant[]> {
    const found: Descendant[] = [];
    let cursor: string | undefined;
    do {
      const reader = await this.readModels.of(sessionsProjection);
      const page = await reader.find(SESSIONS, {
        filters: [
          { field: 'tenantId', equals: tenantId },
          { field: 'parentId', equals: parentId },
        ],
        sort: { field: 'updatedAt', direction: 'ascending' },
        limit: PAGE,
        cursor,
      });
      for (const { document } of page.documents) {
        const { sessionId, status, edge = 'subagent' } = document as unknown as SessionDocument;
        if (status !== 'erased' && status !== 'erasing') found.push({ sessionId, parentId, edge });
      }
      cursor = page.cursor;
    } while (cursor !== undefined);
    return found;
  }
}
