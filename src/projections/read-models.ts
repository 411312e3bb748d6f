import { Inject, Injectable } from '@nestjs/common';
import { READ_MODELS } from '../tokens.js';
import type { FindPage, FindQuery, ReadModelStore } from '../storage/read-model-store.js';
import { type Generation, liveGeneration } from './generation.js';
import type { Projection } from './projection.js';
import { Projectors } from './projectors.js';
import { type ReadPosition, formatReadPosition, parseReadPosition } from './read-position.js';

/** Longest time that a read waits for the position it asks for. */
export const READ_WAIT_MAX_MS = 5_000;

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
    private readonly projectors: Projectors,
  ) {}

  /**
   * Waits as `demand` says, then answers the documents that are served. What is read is at least
   * as new as its `asOf`.
   * @throws InvalidReadPositionError
   */
  async of(projection: Projection, demand: ReadDemand = {}): Promise<ProjectionReader> {
    const stale = await this.isStale(projection, demand);
    const generation = await liveGeneration(this.store, projection);
    const position = await this.store.position(generation.positionName);
    const asOf = { position: formatReadPosition(position), stale };
    return new ProjectionReader(this.store, generation, asOf);
  }

  private async isStale(
    projection: Projection,
    { atLeast, waitMs = READ_WAIT_MAX_MS }: ReadDemand,
  ): Promise<boolean> {
    if (atLeast === undefined) return false;
    const position = parseReadPosition(atLeast);
    const timeoutMs = Math.min(waitMs, READ_WAIT_MAX_MS);
    return (await this.projectors.waitFor(projection.name, position, timeoutMs)) === 'stale';
  }
}
