import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuditModule } from '../audit/audit.module.js';
import { CommandsModule } from '../commands/commands.module.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { ProjectionsModule } from '../projections/projections.module.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.module.js';
import { WorkModule } from '../work/work.module.js';
import { PortsModule, type PortsOptions } from './ports.module.js';

/**
 * Everything but the network: commands, queries, projections, reconciliation. The command line
 * runs on it as it is, the server adds the API.
 */
@Module({})
export class HoldfastModule {
  static with(options: PortsOptions): DynamicModule {
    return {
      module: HoldfastModule,
      imports: [
        CqrsModule.forRoot(),
        PortsModule.with(options),
        CommandsModule,
        AuditModule,
        ProjectionsModule,
        ReconciliationModule,
        ErasureModule,
        WorkModule,
      ],
    };
  }
}
