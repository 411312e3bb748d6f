import { Injectable } from '@nestjs/common';
import type { SessionName } from '../projections/invalid-streams.js';
import { type ReadDemand, ReadModels } from '../projections/read-models.js';
import { SESSIONS, sessionsProjection } from '../projections/sessions/sessions-projection.js';
import type { SessionDocument } from '../projections/sessions/session-document.js';

/** A session that the read model lists as not at rest. */
export interface OpenSession extends SessionName {
  /** Tool calls whose outcome is not known, as far as the read model is. */
  readonly unresolvedCalls: number;
  /** Quarantined, and by what. */
  readonly quarantine?: SessionDocument['quarantine'];
}

const PAGE = 200;
const NOT_AT_REST = ['owned', 'scheduled', 'waiting', 'stopped'] as const;

/**
 * Sessions that may need a step. The list is a hint from a read model: a session that it misses
 * is found by the next pass, and what is decided is decided on the session's own stream.
 */
@Injectable()
export class OpenSessions {
  constructor(private readonly readModels: ReadModels) {}

  async *all(demand: ReadDemand = {}): AsyncIterable<OpenSession> {
    for (const status of NOT_AT_REST) yield* this.withStatus(status, demand);
  }

  private async *withStatus(status: string, demand: ReadDemand): AsyncIterable<OpenSession> {
    let cursor: string | undefined;
    do {
      const reader = await this.readModels.of(sessionsProjection, demand);
      const page = await reader.find(SESSIONS, {
        filters: [{ field: 'status', equals: status }],
        sort: { field: 'updatedAt', direction: 'ascending' },
        limit: PAGE,
        cursor,
      });
      for (const { document } of page.documents) {
        const session = document as unknown as SessionDocument;
        const { tenantId, sessionId, unresolvedCalls, quarantine } = session;
        if (isAtRest(session)) continue;
        yield { tenantId, sessionId, unresolvedCalls, quarantine };
      }
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
}

/** Nothing will be done by itself: stopped with every outcome known, or imported and left alone. */
function isAtRest({ status, unresolvedCalls, imported, open }: SessionDocument): boolean {
  if (imported && open.epoch === 0) return !open.pendingInputs?.some(({ resume }) => resume);
  return status === 'stopped' && unresolvedCalls === 0;
}
