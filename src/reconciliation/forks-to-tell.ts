import { Inject, Injectable } from '@nestjs/common';
import type { SessionName } from '../projections/invalid-streams.js';
import { type ProjectionReader, ReadModels } from '../projections/read-models.js';
import { parseReadPosition } from '../projections/read-position.js';
import {
  INHERITED,
  type InheritedCallDocument,
  OUTCOMES,
  placeText,
} from '../projections/tool-calls/followed-calls.js';
import { toolCallsProjection } from '../projections/tool-calls/tool-calls-projection.js';
import { PositionMismatchError, type ReadModelStore } from '../storage/read-model-store.js';
import { READ_MODELS } from '../tokens.js';

const PAGE = 200;
/** Of one pass: a session with very many forks must not hold up those that wait for a step. */
export const FORKS_PER_PASS = 200;
/** Up to where in the log every fork has been told. */
const TOLD = 'forks-told';

interface Round {
  readonly forks: AsyncIterator<SessionName>;
  readonly upTo: bigint;
}

/**
 * Forks whose origins may know more of an inherited call than they do, although they are at rest
 * (reconciliation protocol, §15.2): those made of late, and those of a call whose outcome changed.
 * Each is named at least once after a change, whatever dies in between; more often does no harm.
 */
@Injectable()
export class ForksToTell {
  private round: Round | undefined;
  /** Up to where in the log forks have been named; undefined until the store was asked. */
  private named: bigint | undefined;
  private readonly again = new Map<string, SessionName>();

  constructor(
    private readonly readModels: ReadModels,
    @Inject(READ_MODELS) private readonly store: ReadModelStore,
  ) {}

  /** Those that failed before, then some of the others; `hasMore` says whether any are left. */
  async *some(): AsyncIterable<SessionName> {
    const failed = [...this.again];
    for (const [key, fork] of failed) {
      this.again.delete(key);
      yield fork;
    }
    for (let count = failed.length; count < FORKS_PER_PASS; count += 1) {
      const fork = await this.next();
      if (fork === undefined) return;
      yield fork;
    }
  }

  get hasMore(): boolean {
    return this.round !== undefined;
  }

  /** The fork could not be told now; it is named again in the next pass. */
  failed(fork: SessionName): void {
    this.again.set(JSON.stringify([fork.tenantId, fork.sessionId]), fork);
  }

  /** To be called when every fork that was named has been told, or has failed. */
  async remember(): Promise<void> {
    if (this.named === undefined || this.again.size > 0) return;
    const told = await this.store.position(TOLD);
    if (told >= this.named) return;
    const writes = { projection: TOLD, expectedPosition: told, nextPosition: this.named };
    try {
      await this.store.write({ ...writes, writes: [] });
    } catch (error) {
      // Another process did it: whoever is behind names forks once more, and nothing is lost.
      if (!(error instanceof PositionMismatchError)) throw error;
    }
  }

  private async next(): Promise<SessionName | undefined> {
    this.round ??= await this.begin();
    if (this.round === undefined) return undefined;
    const { forks, upTo } = this.round;
    try {
      const { value, done } = (await forks.next()) as IteratorResult<SessionName, undefined>;
      if (!done) return value;
    } catch (error) {
      this.round = undefined;
      throw error;
    }
    this.named = upTo;
    this.round = undefined;
    return undefined;
  }

  private async begin(): Promise<Round | undefined> {
    this.named ??= await this.store.position(TOLD);
    const reader = await this.readModels.of(toolCallsProjection);
    const upTo = parseReadPosition(reader.asOf.position);
    if (upTo < this.named) {
      // The read model was made anew, of a restored log perhaps: who was told counts no longer.
      await this.store.dropPosition(TOLD);
      this.named = 0n;
    }
    if (upTo === this.named) return undefined;
    return { forks: forksSince(reader, this.named, upTo), upTo };
  }
}

/**
 * A fork that stands behind a change in the log need not be found by it: it is named itself, and
 * what was known when it was made is known to its origin when it is told.
 */
async function* forksSince(
  reader: ProjectionReader,
  after: bigint,
  upTo: bigint,
): AsyncGenerator<SessionName, undefined> {
  for await (const { document } of span(reader, INHERITED, 'forkedAt', after, upTo)) {
    yield forkIn(document);
  }
  for await (const { id } of span(reader, OUTCOMES, 'changedAt', after, upTo)) {
    const filters = [{ field: 'origin', equals: id }];
    for await (const { document } of found(reader, INHERITED, 'origin', filters)) {
      yield forkIn(document);
    }
  }
  return undefined;
}

function forkIn(document: unknown): SessionName {
  const { tenantId, sessionId } = document as InheritedCallDocument;
  return { tenantId, sessionId };
}

function span(
  reader: ProjectionReader,
  collection: string,
  field: string,
  after: bigint,
  upTo: bigint,
): ReturnType<typeof found> {
  return found(reader, collection, field, [
    { field, atLeast: placeText(after + 1n) },
    { field, below: placeText(upTo + 1n) },
  ]);
}

async function* found(
  reader: ProjectionReader,
  collection: string,
  field: string,
  filters: Parameters<ProjectionReader['find']>[1]['filters'],
): AsyncGenerator<Awaited<ReturnType<ProjectionReader['find']>>['documents'][number]> {
  let cursor: string | undefined;
  do {
    const sort = { field, direction: 'ascending' as const };
    const page = await reader.find(collection, { filters, sort, limit: PAGE, cursor });
    yield* page.documents;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
