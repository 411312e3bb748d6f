import { Module } from '@nestjs/common';
import { ProjectionsModule } from '../projections/projections.module.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.module.js';
import { MetricsPage } from './metrics-page.js';
import { ReadModelLag } from './read-model-lag.js';
import { StoreHealth } from './store-health.js';

@Module({
  imports: [ProjectionsModule, ReconciliationModule],
  providers: [StoreHealth, ReadModelLag, MetricsPage],
  exports: [StoreHealth, MetricsPage],
})
export class HealthModule {}
