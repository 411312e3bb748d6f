import type { QueryBus } from '@nestjs/cqrs';
import DataLoader from 'dataloader';
import { GetSessions, type SessionSummary } from '../../projections/sessions/sessions.query.js';
import { ProblemError } from '../problem.js';
import type { Principal } from '../principal.js';
import { shownTo } from '../rest/session-views.js';

/** Gathers the sessions that one request names here and there, and reads them together. */
export class SessionLoader {
  private readonly loader: DataLoader<string, SessionSummary | undefined>;

  constructor(
    queries: QueryBus,
    private readonly principal: Principal,
  ) {
    const read = (ids: readonly string[]) =>
      queries.execute(new GetSessions(principal.tenantId, ids));
    // Gathered, and not kept: a subscription lives long, and would show what once was.
    this.loader = new DataLoader(read, { cache: false });
  }

  /** @throws ProblemError `forbidden` */
  async load(sessionId: string): Promise<SessionSummary | undefined> {
    const needed = 'session:read';
    if (this.principal.scopes.has(needed)) {
      const found = await this.loader.load(sessionId);
      return found && shownTo(this.principal, found);
    }
    throw new ProblemError('forbidden', `this needs ${needed}`, { needed: [needed] });
  }
}
