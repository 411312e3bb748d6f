import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE, READ_MODELS } from '../tokens.js';
import type { EventStore } from '../storage/event-store.js';
import type { FindPage, FindQuery, ReadModelStore } from '../storage/read-model-store.js';
import { type Generation, liveGeneration } from './generation.js';
import type { Projection } from './projection.js';
import { Projectors } from './projectors.js';
import {
  PositionAheadError,
  type ReadPosition,
  formatReadPosition,
  parseReadPosition,
} from './read-position.js';

/** Longest time that a read waits for the position it asks for. */
export const READ_WAIT_MAX_MS = 5_000;
/** By then a read model that keeps up has caught up. */
const SHORT_WAIT_MS = 1_000;

export interface ReadDemand {
  /** Wait until the answer contains everything up to here: a receipt's position. */
  readonly atLeast?: ReadPosition;
  /** How long to wait, at most `READ_WAIT_MAX_MS`. */
  readonly waitMs?: number;
}

/** How current an answer is. */
export interface AsOf {
  readonly position: ReadPosition;
  /** True when the position that was asked for has not been reached in time. */
  readonly stale: boolean;
}

/** The documents of one projection, as served at the moment of a query. */
export class ProjectionReader {
  constructor(
    private readonly store: ReadModelStore,
    private readonly generation: Generation,
    readonly asOf: AsOf,
  ) {}

  async get<T>(collection: string, id: string): Promise<T | undefined> {
    const found = await this.store.get(this.generation.collection(collection), id);
    return found as T | undefined;
  }

  async getMany<T>(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, T>> {
    const found = await this.store.getMany(this.generation.collection(collection), ids);
    return found as ReadonlyMap<string, unknown> as ReadonlyMap<string, T>;
  }

  find(collection: string, query: FindQuery): Promise<FindPage> {
    return this.store.find(this.generation.collection(collection), query);
  }
}

@Injectable()
export class ReadModels {
  constructor(
    @Inject(READ_MODELS) private readonly store: ReadModelStore,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly projectors: Projectors,
  ) {}

  /**
   * Waits as `demand` says, then answers the documents that are served. What is read is at least
   * as new as its `asOf`.
   * @throws InvalidReadPositionError, PositionAheadError
   */
  async of(projection: Projection, demand: ReadDemand = {}): Promise<ProjectionReader> {
    const stale = await this.isStale(projection, demand);
    const generation = await liveGeneration(this.store, projection);
    const position = await this.store.position(generation.positionName);
    const asOf = { position: formatReadPosition(position), stale };
    return new ProjectionReader(this.store, generation, asOf);
  }

  /** With everything that is recorded by now: before something is said not to be there. */
  async atHead(projection: Projection): Promise<ProjectionReader> {
    return this.of(projection, { atLeast: formatReadPosition(await this.events.headPosition()) });
  }

  private async isStale(
    projection: Projection,
    { atLeast, waitMs = READ_WAIT_MAX_MS }: ReadDemand,
  ): Promise<boolean> {
    if (atLeast === undefined) return false;
    const position = parseReadPosition(atLeast);
    const timeoutMs = Math.min(waitMs, READ_WAIT_MAX_MS);
    const firstMs = Math.min(timeoutMs, SHORT_WAIT_MS);
    if (await this.reached(projection, position, firstMs)) return false;
    // Nobody can have been told of a position that the store has not reached.
    const head = await this.events.headPosition();
    if (head < position) throw new PositionAheadError(atLeast, formatReadPosition(head));
    return !(await this.reached(projection, position, timeoutMs - firstMs));
  }

  private async reached(
    projection: Projection,
    position: bigint,
    timeoutMs: number,
  ): Promise<boolean> {
    return (await this.projectors.waitFor(projection.name, position, timeoutMs)) !== 'stale';
  }
}
