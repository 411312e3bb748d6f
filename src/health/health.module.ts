import { Module } from '@nestjs/common';
import { ProjectionsModule } from '../projections/projections.module.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.module.js';
import { WorkModule } from '../work/work.module.js';
import { MetricsPage } from './metrics-page.js';
import { OpenCallAges } from './open-call-ages.js';
import { ReadModelLag } from './read-model-lag.js';
import { StoreHealth } from './store-health.js';

@Module({
  imports: [ProjectionsModule, ReconciliationModule, WorkModule],
  providers: [StoreHealth, ReadModelLag, OpenCallAges, MetricsPage],
  exports: [StoreHealth, MetricsPage],
})
export class HealthModule {}
