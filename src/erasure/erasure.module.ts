import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandsModule } from '../commands/commands.module.js';
import { ProjectionsModule } from '../projections/projections.module.js';
import { EraseSessionHandler } from './erase-session.handler.js';
import { ReportErasure } from './erasure-report.js';
import { ReturnedKeys } from './returned-keys.js';
import { Erasures } from './erasures.js';
import { FindDescendants } from './find-descendants.js';
import { ErasuresInBackground } from './erasures-in-background.js';

@Module({
  imports: [CqrsModule, CommandsModule, ProjectionsModule],
  providers: [
    FindDescendants,
    Erasures,
    ReportErasure,
    ReturnedKeys,
    EraseSessionHandler,
    ErasuresInBackground,
  ],
  exports: [Erasures],
})
export class ErasureModule {}
