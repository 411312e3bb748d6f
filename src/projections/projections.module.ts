import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import {
  CLOCK,
  CODEC,
  CONFIGURATION,
  type Clock,
  EVENT_STORE,
  LEASES,
  READ_MODELS,
} from '../tokens.js';
import { newInstanceId } from '../storage/instance-id.js';
import type { Configuration } from '../config/configuration.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';
import type { LeaseStore } from '../storage/lease-store.js';
import type { ReadModelStore } from '../storage/read-model-store.js';
import { allProjections } from './all-projections.js';
import { ListConversationItemsHandler } from './conversation/conversation.query.js';
import { GetCostSeriesHandler } from './cost-series/cost-series.query.js';
import { ListCallCostsHandler } from './cost-tree/cost-calls.query.js';
import { GetChildCostsHandler, GetSessionCostHandler } from './cost-tree/cost-tree.query.js';
import { ListOpenCallsHandler } from './sessions/open-calls.query.js';
import { FindCallsHandler } from './tool-calls/find-calls.query.js';
import { InvalidStreams } from './invalid-streams.js';
import { Projectors } from './projectors.js';
import { ReadModels } from './read-models.js';
import {
  GetSessionHandler,
  GetSessionsHandler,
  ListSessionsHandler,
} from './sessions/sessions.query.js';

/** Follows the log from the moment that the application serves until it shuts down. */
@Injectable()
export class FollowTheLog
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown
{
  constructor(private readonly projectors: Projectors) {}

  async onModuleInit(): Promise<void> {
    await this.projectors.prepare();
  }

  onApplicationBootstrap(): void {
    this.projectors.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.projectors.stop();
  }
}

/** The read models and their queries. The ports come from the module that binds their tokens. */
@Module({
  providers: [
    {
      provide: Projectors,
      inject: [EVENT_STORE, READ_MODELS, LEASES, CODEC, CLOCK, CONFIGURATION],
      useFactory: (
        events: EventStore,
        readModels: ReadModelStore,
        leases: LeaseStore,
        codec: EventCodec,
        now: Clock,
        { instanceLeaseTtlMs: leaseTtlMs }: Configuration,
      ) => {
        const logger = new Logger('Projections');
        const report = (problem: string): void => logger.error(problem);
        const ports = { events, readModels, leases, codec, now, report };
        return new Projectors(allProjections, ports, {
          instanceId: newInstanceId(),
          leaseTtlMs,
        });
      },
    },
    FollowTheLog,
    ReadModels,
    InvalidStreams,
    ListSessionsHandler,
    GetSessionHandler,
    GetSessionsHandler,
    ListConversationItemsHandler,
    GetSessionCostHandler,
    GetChildCostsHandler,
    ListCallCostsHandler,
    GetCostSeriesHandler,
    FindCallsHandler,
    ListOpenCallsHandler,
  ],
  exports: [Projectors, ReadModels, InvalidStreams],
})
export class ProjectionsModule {}
