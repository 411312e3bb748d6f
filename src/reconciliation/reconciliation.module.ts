import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommandsModule } from '../commands/commands.module.js';
import { ProjectionsModule } from '../projections/projections.module.js';
import { ChildSessionProbe } from './child-session-probe.js';
import { DamagedSessions } from './damaged-sessions.js';
import { FailingSessions } from './failing-sessions.js';
import { ForksToTell } from './forks-to-tell.js';
import { IdleRuns } from './idle-runs.js';
import { ListReconciliationsHandler } from './list-reconciliations.query.js';
import { OpenSessions } from './open-sessions.js';
import { ReconcileReservations } from './reconcile-reservations.js';
import { Reconciler } from './reconciler.js';
import { Sweep } from './sweep.js';
import { SendProbes } from './send-probes.js';

/** Runs from the moment that handlers are registered until the process shuts down. */
@Injectable()
export class ReconcileInBackground implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly reconciler: Reconciler) {}

  onApplicationBootstrap(): void {
    this.reconciler.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.reconciler.stop();
  }
}

@Module({
  imports: [CommandsModule, ProjectionsModule],
  providers: [
    OpenSessions,
    ForksToTell,
    ListReconciliationsHandler,
    SendProbes,
    ChildSessionProbe,
    ReconcileReservations,
    Sweep,
    DamagedSessions,
    FailingSessions,
    IdleRuns,
    Reconciler,
    ReconcileInBackground,
  ],
  exports: [OpenSessions, Reconciler],
})
export class ReconciliationModule {}
