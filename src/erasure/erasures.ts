import { Inject, Injectable, Logger } from '@nestjs/common';
import type { CommandScope } from '../commands/command-scope.js';
import { CommandHandling } from '../commands/handle-command.js';
import { SessionRepository } from '../commands/session-repository.js';
import type { ErasureReason } from '../domain/events/session-events.js';
import { type Erasure, type SessionState, exists } from '../domain/state.js';
import { HistoryReader } from '../history/history-reader.js';
import { NewEvents } from '../history/new-events.js';
import { derivedId, sessionStream } from '../identity/derived-ids.js';
import { allProjections } from '../projections/all-projections.js';
import { ReadModels } from '../projections/read-models.js';
import { formatReadPosition } from '../projections/read-position.js';
import type { SessionDocument } from '../projections/sessions/session-document.js';
import { SESSIONS, sessionsProjection } from '../projections/sessions/sessions-projection.js';
import { type EventStore, StoreUnavailableError } from '../storage/event-store.js';
import type { SessionEraser } from '../storage/session-eraser.js';
import { CLOCK, type Clock, ERASER, EVENT_STORE } from '../tokens.js';
import { FindDescendants } from './find-descendants.js';

/** How long a backup of the keys may be kept: whoever keeps one longer can undo an erasure. */
const KEY_BACKUP_MS_MAX = 30 * 24 * 60 * 60 * 1000;
const PAGE = 200;

export interface ErasureWish {
  readonly erasureId: string;
  readonly reason: ErasureReason;
  readonly descendants: readonly string[];
  readonly acknowledgeUnknown: boolean;
}

/**
 * Carries erasures out. What is to be done stands in the log before it is begun, each step can be
 * repeated, and the last one says that it is done: whoever dies in between is followed by another.
 */
@Injectable()
export class Erasures {
  private readonly log = new Logger(Erasures.name);

  constructor(
    private readonly handling: CommandHandling,
    private readonly sessions: SessionRepository,
    private readonly history: HistoryReader,
    private readonly news: NewEvents,
    private readonly readModels: ReadModels,
    private readonly descendants: FindDescendants,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(ERASER) private readonly eraser: SessionEraser,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** From then on nothing of it is read. @throws Rejection `unknown_outcomes` */
  async begin(scope: CommandScope, wish: ErasureWish): Promise<void> {
    const keyId = await this.eraser.keyIdOf(scope);
    await this.handling.handle(scope, ({ now }) => [
      {
        type: 'EraseSession',
        commandId: `erase:${wish.erasureId}`,
        now,
        keyIds: keyId === undefined ? [] : [keyId],
        ...wish,
      },
    ]);
  }

  /** @returns undefined while something is left to do: it is tried again by itself. */
  async carryOut(scope: CommandScope): Promise<Erasure | undefined> {
    const { tenantId, sessionId } = scope;
    const { erasure } = await this.stateOf(scope);
    if (erasure === undefined || erasure.completedAt !== undefined) return erasure;
    if (!(await this.carryOutBelow(scope, erasure))) return undefined;
    if (!(await this.carryOutLate(scope))) return undefined;
    const artifacts = await this.eraser.erase({ tenantId, sessionId }, this.clock());
    this.forget(tenantId, sessionId);
    if (!(await this.isReadEverywhere())) return undefined;
    await this.handling.handle(scope, ({ now }) => [
      {
        type: 'CompleteErasure',
        commandId: `erased:${erasure.erasureId}`,
        now,
        artifacts,
        keyBackupsExpireAt: new Date(this.clock() + KEY_BACKUP_MS_MAX).toISOString(),
      },
    ]);
    return (await this.stateOf(scope)).erasure;
  }

  /** Of one that is done: a backup of the keys can have brought keys back since. */
  async destroyAgain(tenantId: string, sessionId: string): Promise<void> {
    await this.eraser.erase({ tenantId, sessionId }, this.clock());
    this.forget(tenantId, sessionId);
  }

  /** Goes on with what was begun, by whomever. */
  async continueAll(): Promise<void> {
    const reader = await this.readModels.of(sessionsProjection);
    const page = await reader.find(SESSIONS, {
      filters: [{ field: 'status', equals: 'erasing' }],
      sort: { field: 'updatedAt', direction: 'ascending' },
      limit: PAGE,
    });
    for (const { document } of page.documents) {
      const { tenantId, sessionId } = document as unknown as SessionDocument;
      try {
        await this.carryOut({ tenantId, sessionId, actor: 'reconciler' });
      } catch (error) {
        this.log.warn(`the erasure of ${sessionId} was left for the next pass: ${String(error)}`);
      }
    }
  }

  /** Drops what this process remembers of the session. */
  forget(tenantId: string, sessionId: string): void {
    this.eraser.forget({ tenantId, sessionId });
    const stream = sessionStream(tenantId, sessionId);
    this.sessions.forget(stream);
    this.news.forget(stream);
    this.history.forget(tenantId, sessionId);
  }

  async stateOf({ tenantId, sessionId }: CommandScope): Promise<SessionState> {
    return this.sessions.loadCurrent(sessionStream(tenantId, sessionId));
  }

  /** The farthest ones first: a fork is never left behind without what it was a fork of. */
  private async carryOutBelow(scope: CommandScope, erasure: Erasure): Promise<boolean> {
    for (const sessionId of [...erasure.descendants].reverse()) {
      if (!(await this.eraseBelow(scope, sessionId))) return false;
    }
    return true;
  }

  /** Forks that were made while the erasure began: nobody had refused it for their sake. */
  private async carryOutLate(scope: CommandScope): Promise<boolean> {
    const { tenantId, sessionId } = scope;
    try {
      const head = await this.events.headPosition();
      const forks = await this.descendants.forksOf(tenantId, sessionId, head);
      for (const fork of forks.toReversed()) {
        if (!(await this.eraseBelow(scope, fork))) return false;
      }
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return false;
      throw error;
    }
  }

  private async eraseBelow({ tenantId, sessionId, actor }: CommandScope, id: string) {
    const below = { tenantId, sessionId: id, actor };
    if (!exists(await this.stateOf(below))) return true;
    const erasureId = derivedId('erasure', tenantId, sessionId, id);
    await this.begin(below, {
      erasureId,
      reason: 'other',
      descendants: [],
      acknowledgeUnknown: true,
    });
    return (await this.carryOut(below)) !== undefined;
  }

  /** Every read model has read that it is erased, and has dropped what it held. */
  private async isReadEverywhere(): Promise<boolean> {
    const atLeast = formatReadPosition(await this.events.headPosition());
    for (const projection of allProjections) {
      if ((await this.readModels.of(projection, { atLeast })).asOf.stale) return false;
    }
    return true;
  }
}
