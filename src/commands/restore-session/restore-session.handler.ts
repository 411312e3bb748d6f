import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { LEASES } from '../../tokens.js';
import type { LeaseView } from '../../domain/commands.js';
import { RECOVERY_ATTEMPTS_MAX } from '../../domain/decide-claim.js';
import { Rejection } from '../../domain/rejection.js';
import type { SetupDifference } from '../../domain/run-setup.js';
import { differencesOf } from '../../domain/setup-differences.js';
import { type SessionState, exists } from '../../domain/state.js';
import { type KeptContext, ReadContext } from '../../history/read-context.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import { ClaimRun } from '../claim-run/claim-run.handler.js';
import type { CommandScope } from '../command-scope.js';
import { contextRequest } from '../dto/context-body.js';
import type { HandledCommand } from '../handle-command.js';
import { leaseName, leaseView } from '../session-lease.js';
import { SessionRepository } from '../session-repository.js';
import { SetupCheck } from '../setup-check.js';
import { SettleCalls } from '../settle-calls.js';
import type { RestoreSessionBody } from './restore-session.dto.js';
import { type Standing, standingOf } from './standing.js';

export interface RestoredSession {
  readonly state: SessionState;
  readonly standing: Standing;
  readonly attemptsLeft: number;
  readonly claim?: HandledCommand;
  /** From the last worker that said what it was. */
  readonly differences: readonly SetupDifference[];
  readonly context: KeptContext;
}

export class RestoreSession extends Command<RestoredSession> {
  constructor(
    readonly scope: CommandScope,
    readonly body: RestoreSessionBody,
  ) {
    super();
  }
}

/** Load, settle, assemble: from the events alone, in whatever process. */
@CommandHandler(RestoreSession)
export class RestoreSessionHandler implements ICommandHandler<RestoreSession, RestoredSession> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly sessions: SessionRepository,
    private readonly settle: SettleCalls,
    private readonly setups: SetupCheck,
    @Inject(LEASES) private readonly leases: LeaseStore,
  ) {}

  async execute({ scope, body }: RestoreSession): Promise<RestoredSession> {
    const found = await this.sessions.loadCurrent(sessionStream(scope.tenantId, scope.sessionId));
    if (!exists(found)) throw new Rejection('not_found', `there is no session ${scope.sessionId}`);
    const before = await this.settle.all(scope, found);
    const standing = standingOf(before, await this.lease(scope));
    const { setup, promises } = await this.setups.of(scope, before, body);
    const differences = differencesOf(before, setup, promises);
    const claim = body.workerId === undefined ? undefined : await this.claim(scope, body);
    const { state, context } = await this.queries.execute(
      new ReadContext(scope, contextRequest(body)),
    );
    const attemptsLeft = RECOVERY_ATTEMPTS_MAX - (state.run?.recoveryAttempts ?? 0);
    return { state, standing, attemptsLeft, claim, differences, context };
  }

  private async lease(scope: CommandScope): Promise<LeaseView> {
    return leaseView(await this.leases.current(leaseName(scope)));
  }

  private claim(scope: CommandScope, body: RestoreSessionBody): Promise<HandledCommand> {
    const { workerId, claimToken, runId, force } = body;
    const { profileVersion, toolNames, confirmDifferences } = body;
    if (workerId === undefined || claimToken === undefined) {
      throw new Rejection('invalid_request', 'a claim needs both `workerId` and `claimToken`');
    }
    const setup = { profileVersion, toolNames, confirmDifferences };
    const claim = { workerId, claimToken, runId, force, kind: 'agent' as const, ...setup };
    return this.commands.execute(new ClaimRun(scope, claim));
  }
}
