import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandsModule } from '../commands/commands.module.js';
import { ProjectionsModule } from '../projections/projections.module.js';
import { AuditLog } from './audit-log.js';
import { AuditTrail } from './audit-trail.js';
import { CompareVersionsHandler } from './compare-versions.js';
import { Denials } from './denials.js';
import { ExportAuditHandler } from './export-audit.js';
import { ReadAuditHandler } from './read-audit.js';
import { ReplaySessionHandler } from './replay-session.js';

/** For those who look back: what changed, who did it, how it stood. */
@Module({
  imports: [CqrsModule, CommandsModule, ProjectionsModule],
  providers: [
    AuditLog,
    AuditTrail,
    CompareVersionsHandler,
    Denials,
    ExportAuditHandler,
    ReadAuditHandler,
    ReplaySessionHandler,
  ],
  exports: [AuditTrail, Denials],
})
export class AuditModule {}
