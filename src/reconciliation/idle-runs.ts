import { Inject, Injectable, Logger } from '@nestjs/common';
import type { CommandScope } from '../commands/command-scope.js';
import { CommandHandling } from '../commands/handle-command.js';
import { Configuration } from '../config/configuration.js';
import { isOwnersTurn } from '../domain/quarantine.js';
import type { SessionState } from '../domain/state.js';
import { derivedId, sessionStream } from '../identity/derived-ids.js';
import { CLOCK, CONFIGURATION, type Clock, MONOTONIC } from '../tokens.js';

const WATCHED_MAX = 100_000;

interface Watched {
  readonly ownerRevision: number;
  readonly sinceMs: number;
}

/**
 * The budget "no progress" (reconciliation protocol, §13.2): an owner that lives and does nothing. Its
 * idle time is measured here, on the monotonic clock and only while its lease is live; what a restart
 * forgets makes the wait longer.
 */
@Injectable()
export class IdleRuns {
  private readonly log = new Logger(IdleRuns.name);
  private readonly watched = new Map<string, Watched>();

  constructor(
    private readonly handling: CommandHandling,
    @Inject(MONOTONIC) private readonly monotonic: Clock,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** Quarantines a run that has been its owner's turn for too long. */
  async look(scope: CommandScope, state: SessionState, leaseIsLive: boolean): Promise<void> {
    const name = sessionStream(scope.tenantId, scope.sessionId);
    const now = new Date(this.clock()).toISOString();
    if (!leaseIsLive || !isOwnersTurn(state, now)) {
      this.watched.delete(name);
      return;
    }
    const { ownerRevision } = state;
    const idleMs = this.idleMs(name, ownerRevision);
    if (idleMs < this.configuration.noProgressMs) return;
    this.watched.delete(name);
    await this.quarantine(scope, state.run!.runId, { ownerRevision, idleMs });
  }

  private idleMs(name: string, ownerRevision: number): number {
    const nowMs = this.monotonic();
    const known = this.watched.get(name);
    if (known?.ownerRevision === ownerRevision) return Math.round(nowMs - known.sinceMs);
    if (this.watched.size >= WATCHED_MAX) this.watched.clear();
    this.watched.set(name, { ownerRevision, sinceMs: nowMs });
    return 0;
  }

  private async quarantine(
    scope: CommandScope,
    runId: string,
    idle: { readonly ownerRevision: number; readonly idleMs: number },
  ): Promise<void> {
    const { events } = await this.handling.handle(scope, ({ now }) => [
      {
        type: 'QuarantineIdleRun',
        commandId: derivedId('idle', runId, idle.ownerRevision),
        now,
        runId,
        ...idle,
      },
    ]);
    if (events.length === 0) return;
    this.log.warn(`session_quarantined: session ${scope.sessionId}, run ${runId}: no progress`);
  }
}
