import type { QueryBus } from '@nestjs/cqrs';
import type { Feed } from '../../history/event-feed.js';
import { OpenSessionFeed, OpenTenantFeed } from '../../history/open-feed.js';
import { ProblemError } from '../problem.js';
import type { Principal } from '../principal.js';
import { checkedId } from '../request-scope.js';

export interface TenantFeedWish {
  readonly after?: string | null;
  /** Names with commas. */
  readonly types?: string | null;
  readonly sessions?: string | null;
  readonly actor?: string | null;
}

const POSITION = /^(0|[1-9]\d{0,18})$/;

/** The feeds of one sender. */
export class Feeds {
  constructor(
    private readonly queries: QueryBus,
    private readonly principal: Principal,
  ) {}

  /** @throws ProblemError, Rejection */
  async ofSession(sessionId: string, after?: number | null): Promise<Feed> {
    const { tenantId } = this.reader();
    const scope = { tenantId, sessionId: checkedId(sessionId) };
    if (typeof after === 'number' && after < 0) {
      throw new ProblemError('invalid_request', 'after must be a revision of the session');
    }
    return this.queries.execute(new OpenSessionFeed(scope, after ?? -1, 'ever'));
  }

  /** @throws ProblemError, Rejection */
  async ofTenant({ after, types, sessions, actor }: TenantFeedWish): Promise<Feed> {
    const { tenantId } = this.reader();
    const place = after ?? '0';
    if (!POSITION.test(place)) {
      throw new ProblemError('invalid_request', 'after must be a position of the log');
    }
    const filter = {
      types: types?.split(','),
      sessions: sessions?.split(','),
      actor: actor ?? undefined,
    };
    return this.queries.execute(new OpenTenantFeed(tenantId, BigInt(place), filter, 'ever'));
  }

  private reader(): Principal {
    const needed = 'content:read';
    if (this.principal.scopes.has(needed)) return this.principal;
    throw new ProblemError('forbidden', `this needs ${needed}`, { needed: [needed] });
  }
}
