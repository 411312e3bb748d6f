import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONFIGURATION, LEASES } from '../../tokens.js';
import type { Configuration } from '../../config/configuration.js';
import type { Fence } from '../../domain/commands.js';
import { openRun } from '../../domain/guards.js';
import { Rejection } from '../../domain/rejection.js';
import type { RunState } from '../../domain/run-state.js';
import { type SessionState, exists } from '../../domain/state.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import type { CommandScope } from '../command-scope.js';
import { fenceOf } from '../dto/owned-body.js';
import { leaseName } from '../session-lease.js';
import { SessionRepository } from '../session-repository.js';
import type { HeartbeatBody } from './heartbeat.dto.js';

export interface HeartbeatAnswer {
  readonly leaseExpiresAt: string;
  readonly stopRequested: boolean;
}

export class Heartbeat extends Command<HeartbeatAnswer> {
  constructor(
    readonly scope: CommandScope,
    readonly body: { readonly runId: string; readonly body: HeartbeatBody },
  ) {
    super();
  }
}

/** The run has ended: its worker has nothing left to keep. */
export class HeartbeatRefusedError extends Error {
  constructor(readonly rejection: Rejection) {
    super(rejection.message);
    this.name = 'HeartbeatRefusedError';
  }
}

/** Writes no event: a lease is a hint to others, never what keeps a stale owner from writing. */
@CommandHandler(Heartbeat)
export class HeartbeatHandler implements ICommandHandler<Heartbeat, HeartbeatAnswer> {
  constructor(
    private readonly sessions: SessionRepository,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async execute({ scope, body: { runId, body } }: Heartbeat): Promise<HeartbeatAnswer> {
    const state = await this.sessions.loadCurrent(sessionStream(scope.tenantId, scope.sessionId));
    if (!exists(state)) throw new Rejection('not_found', `there is no session ${scope.sessionId}`);
    const fence = fenceOf(body);
    const run = renewable(state, fence, runId);
    const lease = await this.leases.seize(
      leaseName(scope),
      fence.claimTokenHash,
      this.configuration.leaseTtlMs,
    );
    return {
      leaseExpiresAt: new Date(lease.expiresAtMs).toISOString(),
      stopRequested: run.status === 'stopping',
    };
  }
}

function renewable(state: SessionState, fence: Fence, runId: string): RunState {
  try {
    const run = openRun(state, fence);
    if (run.runId === runId) return run;
    throw new Rejection('run_ended', `run ${runId} is not open; yours is ${run.runId}`, { runId });
  } catch (error) {
    const hasEnded = error instanceof Rejection && error.code === 'run_ended';
    throw hasEnded ? new HeartbeatRefusedError(error) : error;
  }
}
