import { Inject, Injectable } from '@nestjs/common';
import {
  type CollectionDefinition,
  type DocumentWrite,
  PositionMismatchError,
  type ReadModelStore,
} from '../storage/read-model-store.js';
import { CLOCK, type Clock, READ_MODELS } from '../tokens.js';
import { sessionDocumentId } from './projection.js';

const INVALID: CollectionDefinition = { name: 'invalid_streams', indexes: [['sessionId']] };
/** How often it was written, in the place of a position in the log. */
const WRITES = 'invalid-streams';
const PAGE = 200;

export interface SessionName {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** A session whose stored events are damaged: nothing can be decided on it. */
export interface InvalidStream extends SessionName {
  /** Which event, and what is wrong with it. */
  readonly problem: string;
  /** ISO 8601. */
  readonly since: string;
}

/**
 * Sessions in quarantine because their streams cannot be read or folded (reconciliation protocol,
 * §13.3). No event can say so: it would stand behind the damage. Noted by whoever reconciles, and
 * shown wherever sessions are listed.
 */
@Injectable()
export class InvalidStreams {
  private ready: Promise<void> | undefined;

  constructor(
    @Inject(READ_MODELS) private readonly store: ReadModelStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async all(): Promise<readonly InvalidStream[]> {
    await this.prepare();
    const found: InvalidStream[] = [];
    let cursor: string | undefined;
    do {
      const sort = { field: 'sessionId', direction: 'ascending' } as const;
      const page = await this.store.find(INVALID.name, { filters: [], sort, limit: PAGE, cursor });
      found.push(...page.documents.map(({ document }) => document as unknown as InvalidStream));
      cursor = page.cursor;
    } while (cursor !== undefined);
    return found;
  }

  /** Those of these sessions, by the id of their document. */
  async among(sessions: readonly SessionName[]): Promise<ReadonlySet<string>> {
    if (sessions.length === 0) return new Set();
    await this.prepare();
    const ids = sessions.map(({ tenantId, sessionId }) => sessionDocumentId(tenantId, sessionId));
    return new Set((await this.store.getMany(INVALID.name, ids)).keys());
  }

  async note({ tenantId, sessionId }: SessionName, problem: string): Promise<void> {
    const since = new Date(this.clock()).toISOString();
    const document = { tenantId, sessionId, problem, since };
    await this.write({
      collection: INVALID.name,
      id: sessionDocumentId(tenantId, sessionId),
      document,
    });
  }

  /** It can be read again, or it is gone. */
  async clear({ tenantId, sessionId }: SessionName): Promise<void> {
    await this.write({
      collection: INVALID.name,
      id: sessionDocumentId(tenantId, sessionId),
      document: undefined,
    });
  }

  /** Another process may write at the same time: what is lost then is found by the next pass. */
  private async write(one: DocumentWrite): Promise<void> {
    await this.prepare();
    const expectedPosition = await this.store.position(WRITES);
    const nextPosition = expectedPosition + 1n;
    try {
      await this.store.write({
        projection: WRITES,
        expectedPosition,
        nextPosition,
        writes: [one],
      });
    } catch (error) {
      if (!(error instanceof PositionMismatchError)) throw error;
    }
  }

  private prepare(): Promise<void> {
    this.ready ??= this.store.ensureCollections([INVALID]).catch((error: unknown) => {
      this.ready = undefined;
      throw error;
    });
    return this.ready;
  }
}
