import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandsModule } from '../commands/commands.module.js';
import { ProjectionsModule } from '../projections/projections.module.js';
import { ClaimWorkHandler } from './claim-work.handler.js';
import { ListWorkHandler } from './list-work.query.js';
import { OpenWork } from './open-work.js';
import { OverdueWork } from './overdue-work.js';
import { ReadyWork } from './ready-work.js';
import { WakeUps } from './wake-ups.js';
import { WorkOffers } from './work-offers.js';

/** Those who wait for work are told that there is none, before requests are waited for. */
@Injectable()
export class OfferUntilShutdown implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly offers: WorkOffers,
    private readonly wakeUps: WakeUps,
  ) {}

  onApplicationBootstrap(): void {
    this.wakeUps.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.offers.stop(), this.wakeUps.stop()]);
  }
}

@Module({
  imports: [CqrsModule, CommandsModule, ProjectionsModule],
  providers: [
    OpenWork,
    ReadyWork,
    OverdueWork,
    WorkOffers,
    WakeUps,
    ClaimWorkHandler,
    ListWorkHandler,
    OfferUntilShutdown,
  ],
  exports: [OverdueWork],
})
export class WorkModule {}
