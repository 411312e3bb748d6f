import { ALARMS } from '../../src/alarms.js';
import { memoryPorts } from '../../src/app/memory-ports.js';
import { COMMAND_PROVIDERS } from '../../src/commands/command-handlers.js';
import { SessionRepository } from '../../src/commands/session-repository.js';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import type { SessionState } from '../../src/domain/state.js';
import { Egress } from '../../src/egress/egress.js';
import { sessionOfStream, sessionStream } from '../../src/identity/derived-ids.js';
import { allProjections } from '../../src/projections/all-projections.js';
import { BatchFold } from '../../src/projections/batch-fold.js';
import {
  GetSessionCost,
  GetSessionCostHandler,
  type SessionCost,
} from '../../src/projections/cost-tree/cost-tree.query.js';
import { openLiveGeneration } from '../../src/projections/generation.js';
import type { Projection } from '../../src/projections/projection.js';
import { SESSION_STREAMS } from '../../src/projections/projector.js';
import { Projectors } from '../../src/projections/projectors.js';
import { ChildSessionProbe } from '../../src/reconciliation/child-session-probe.js';
import { Reconciler } from '../../src/reconciliation/reconciler.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import type { EventStore } from '../../src/storage/event-store.js';
import { PositionMismatchError, type ReadModelStore } from '../../src/storage/read-model-store.js';
import {
  ARTIFACTS,
  CLOCK,
  CODEC,
  CONFIGURATION,
  ERASER,
  EVENT_STORE,
  HASHER,
  LEASES,
  MONOTONIC,
  READ_MODELS,
} from '../../src/tokens.js';
import type { SharedStores } from './faulty-stores.js';
import { Pieces, handlersAmong } from './pieces.js';
import { Actor, type Scheduler } from './scheduler.js';
import type { Service } from './service.js';

export const TENANT = 'acme';
const CONFIGURED = loadConfiguration({});
const { hasher, artifacts, eraser } = memoryPorts();
const HANDLERS = handlersAmong(COMMAND_PROVIDERS);
const PASS_MS_MIN = 3_000;
const PASS_MS_MAX = 9_000;
/** While all that is left is to wait: so many of them find nothing to do that they cost most. */
const QUIET_PASS_MS_MAX = 27_000;

/** One server process: the real handlers, reconciler and projections on the shared stores. */
export class Server {
  readonly actor: Actor;
  readonly died: Promise<'died'>;
  private onDeath: () => void = () => undefined;
  private readonly pieces: Pieces;
  private readonly events: EventStore;
  private readonly readModels: ReadModelStore;
  private readonly codec = new EventCodec();
  private readonly ending = new AbortController();

  constructor(
    name: string,
    private readonly scheduler: Scheduler,
    private readonly stores: SharedStores,
    service: Service,
    replaced: ReadonlyMap<unknown, unknown>,
  ) {
    this.actor = new Actor(name);
    this.died = new Promise((resolve) => (this.onDeath = () => resolve('died')));
    this.events = stores.eventsFor(this.actor);
    this.readModels = stores.readModelsFor(this.actor);
    const { events, readModels, codec } = this;
    const leases = stores.leasesFor(this.actor);
    const now = () => scheduler.nowMs;
    const ports = { events, readModels, leases, codec, now };
    const given = new Map<unknown, unknown>([
      [EVENT_STORE, events],
      [READ_MODELS, readModels],
      [LEASES, leases],
      [CODEC, codec],
      [CLOCK, now],
      [MONOTONIC, now],
      [HASHER, hasher],
      [ARTIFACTS, artifacts],
      [ALARMS, () => undefined],
      [ERASER, eraser],
      [CONFIGURATION, CONFIGURED],
      [Egress, service.egressOf(this.actor)],
      [Projectors, new Projectors(allProjections, ports, { instanceId: name })],
    ]);
    this.pieces = new Pieces(new Map([...given, ...replaced]), HANDLERS);
    this.pieces.get<ChildSessionProbe>(ChildSessionProbe).onModuleInit();
    void this.work();
  }

  execute(command: object): Promise<unknown> {
    return this.pieces.handlerFor(command).execute(command);
  }

  stateOf(sessionId: string): Promise<SessionState> {
    const sessions = this.pieces.get<SessionRepository>(SessionRepository);
    return sessions.loadCurrent(sessionStream(TENANT, sessionId));
  }

  async costOf(stream: string): Promise<SessionCost | undefined> {
    const { sessionId } = sessionOfStream(stream)!;
    const costs = this.pieces.get<GetSessionCostHandler>(GetSessionCostHandler);
    return (await costs.execute(new GetSessionCost(TENANT, sessionId))).cost;
  }

  crash(): void {
    this.actor.alive = false;
    this.ending.abort();
    this.onDeath();
  }

  /** What a process does by itself: read models, then every step that is due. */
  private async work(): Promise<void> {
    const reconciler = this.pieces.get<Reconciler>(Reconciler);
    const folds = await Promise.all(allProjections.map((one) => this.opened(one)));
    for (;;) {
      const spanMs = (this.stores.faults ? PASS_MS_MAX : QUIET_PASS_MS_MAX) - PASS_MS_MIN;
      await this.scheduler.sleep(this.actor, PASS_MS_MIN + this.scheduler.choices.below(spanMs));
      for (const fold of folds) await this.catchUp(fold);
      // Without its lease: two of them at once must do no harm either.
      await reconciler.reconcileAll(this.ending.signal);
    }
  }

  private async opened(projection: Projection): Promise<BatchFold> {
    const live = await openLiveGeneration(this.readModels, projection);
    const fold = new BatchFold(this.readModels, this.codec, projection, live);
    await fold.open();
    return fold;
  }

  private async catchUp(fold: BatchFold): Promise<void> {
    const { events } = this;
    for (let caughtUp = false; !caughtUp;) {
      const batchMax = 1 + this.scheduler.choices.below(40);
      const filter = { streamPrefix: SESSION_STREAMS };
      const page = await events.readAll(fold.position, batchMax, filter);
      ({ caughtUp } = page);
      try {
        await fold.apply(page.events, page.next);
      } catch (error) {
        // The other process was here at the same time: it goes on from where that one is.
        if (!(error instanceof PositionMismatchError)) throw error;
        await fold.open();
      }
    }
  }
}
