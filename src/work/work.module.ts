import { type BeforeApplicationShutdown, Injectable, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandsModule } from '../commands/commands.module.js';
import { ProjectionsModule } from '../projections/projections.module.js';
import { ClaimWorkHandler } from './claim-work.handler.js';
import { ListWorkHandler } from './list-work.query.js';
import { OpenWork } from './open-work.js';
import { WorkOffers } from './work-offers.js';

/** Those who wait for work are told that there is none, before requests are waited for. */
@Injectable()
export class OfferUntilShutdown implements BeforeApplicationShutdown {
  constructor(private readonly offers: WorkOffers) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.offers.stop();
  }
}

@Module({
  imports: [CqrsModule, CommandsModule, ProjectionsModule],
  providers: [OpenWork, WorkOffers, ClaimWorkHandler, ListWorkHandler, OfferUntilShutdown],
})
export class WorkModule {}
