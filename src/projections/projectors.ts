import { liveGeneration, openLiveGeneration } from './generation.js';
import { isInLog } from './last-applied.js';
import { waitForPosition } from './position-wait.js';
import type { Projection } from './projection.js';
import {
  PROJECTOR_DEFAULTS,
  Projector,
  type ProjectorFailure,
  type ProjectorOptions,
  type ProjectorPorts,
} from './projector.js';
import { type QuarantinedStream, readQuarantine } from './quarantine.js';
import { StorageOpenError } from '../storage/storage-open-error.js';
import { type RebuildProgress, type RebuildReport, rebuild } from './rebuild.js';

/** How long queries that began before a rebuild's flip may still read the old documents. */
const REBUILD_GRACE_MS = 1_000;

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  /** Up to where the served documents go. */
  readonly position: string;
  /** The newest position of the log. */
  readonly head: string;
  /** `head` minus `position`: 0 when up to date. */
  readonly lag: string;
  /** The process that keeps it up to date, as far as this one knows. */
  readonly owner?: string;
  /** This process is the one. */
  readonly isOwnedHere: boolean;
  readonly failure?: ProjectorFailure;
  readonly quarantined: readonly QuarantinedStream[];
}

export class UnknownProjectionError extends Error {
  constructor(name: string, known: readonly string[]) {
    super(`there is no read model "${name}"; there are ${known.join(', ')}`);
    this.name = 'UnknownProjectionError';
  }
}

function readModelsAhead(names: readonly string[]): StorageOpenError {
  return new StorageOpenError(
    'readModelsAhead',
    `the read models show what is not in the event store (${names.join(', ')}): was it restored from ` +
      'an older copy? `holdfast rebuild --all` makes them anew from the events that are there',
  );
}

/** All projections of this process: follow the log, say how far they are, rebuild. */
export class Projectors {
  private readonly projectors: readonly Projector[];
  private readonly options: ProjectorOptions;

  constructor(
    projections: readonly Projection[],
    private readonly ports: ProjectorPorts,
    options: Partial<ProjectorOptions> & Pick<ProjectorOptions, 'instanceId'>,
  ) {
    this.options = { ...PROJECTOR_DEFAULTS, ...options };
    this.projectors = projections.map(
      (projection) => new Projector(projection, ports, this.options),
    );
  }

  /**
   * Creates the collections that queries read; the documents come when `start` is called.
   * @throws StorageOpenError when they show more than the log holds.
   */
  async prepare(): Promise<void> {
    const { events, readModels } = this.ports;
    const ahead: string[] = [];
    for (const { projection } of this.projectors) {
      const live = await openLiveGeneration(readModels, projection);
      if (!(await isInLog(events, readModels, live))) ahead.push(projection.name);
    }
    if (ahead.length > 0) throw readModelsAhead(ahead);
  }

  /** Follows the log in the background, each projection for as long as this process owns it. */
  start(): void {
    for (const projector of this.projectors) projector.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.projectors.map((projector) => projector.stop()));
  }

  waitFor(name: string, position: bigint, timeoutMs: number): Promise<'reached' | 'stale'> {
    const projector = this.named(name);
    const { readModels } = this.ports;
    return waitForPosition(readModels, projector.projection, position, timeoutMs, projector);
  }

  async status(): Promise<readonly ProjectionStatus[]> {
    const statuses: ProjectionStatus[] = [];
    for (const projector of this.projectors) statuses.push(await this.statusOf(projector));
    return statuses;
  }

  /** @throws UnknownProjectionError, RebuildRefusedError. */
  async rebuild(
    name: string,
    onProgress?: (progress: RebuildProgress) => void,
    signal?: AbortSignal,
  ): Promise<RebuildReport> {
    const { projection } = this.named(name);
    const graceMs = REBUILD_GRACE_MS;
    return rebuild(projection, this.ports, { ...this.options, graceMs, onProgress, signal });
  }

  private async statusOf(projector: Projector): Promise<ProjectionStatus> {
    const { projection, failure } = projector;
    const { events, readModels, leases } = this.ports;
    const generation = await liveGeneration(readModels, projection);
    const position = await readModels.position(generation.positionName);
    const head = await events.headPosition();
    const { name, version } = projection;
    const lease = await leases.current(`projection:${name}@${version}`);
    return {
      name,
      version,
      generation: generation.number,
      position: position.toString(),
      head: head.toString(),
      lag: (head > position ? head - position : 0n).toString(),
      owner: lease?.holder,
      isOwnedHere: lease?.holder === this.options.instanceId,
      failure,
      quarantined: await readQuarantine(readModels, generation),
    };
  }

  private named(name: string): Projector {
    const found = this.projectors.find(({ projection }) => projection.name === name);
    if (found !== undefined) return found;
    throw new UnknownProjectionError(
      name,
      this.projectors.map(({ projection }) => projection.name),
    );
  }
}
