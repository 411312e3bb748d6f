import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONFIGURATION, LEASES } from '../../app/tokens.js';
import type { Configuration } from '../../config/configuration.js';
import { Rejection } from '../../domain/rejection.js';
import { messageIdOfInput } from '../../identity/derived-ids.js';
import type { Lease, LeaseStore } from '../../storage/lease-store.js';
import type { CommandScope } from '../command-scope.js';
import { claimTokenHash } from '../dto/owned-body.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { SettleCalls } from '../settle-calls.js';
import { leaseName, leaseView } from '../session-lease.js';
import { SessionRequest, identityOf } from '../session-command.js';
import type { ClaimRunBody } from './claim-run.dto.js';

export class ClaimRun extends SessionRequest<ClaimRunBody> {}

/**
 * Makes the sender the owner. The event decides between racing claims; the lease only tells the
 * others when they may try. Then every automatic step for calls of unknown outcome is taken.
 */
@CommandHandler(ClaimRun)
export class ClaimRunHandler implements ICommandHandler<ClaimRun, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly settle: SettleCalls,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async execute({ scope, body }: ClaimRun): Promise<HandledCommand> {
    const tokenHash = claimTokenHash(body.claimToken);
    const lease = await this.leases.current(leaseName(scope));
    const claimed = await this.append(scope, body, tokenHash, lease);
    if (claimed.state.run?.status === 'quarantined') {
      throw new Rejection('session_quarantined', 'the run used up its recovery attempts', {
        runId: claimed.state.run.runId,
      });
    }
    if (!claimed.receipt.replayed) {
      await this.leases.seize(leaseName(scope), tokenHash, this.configuration.leaseTtlMs);
    }
    const state = await this.settle.all(scope, claimed.state);
    return { ...claimed, state };
  }

  private append(
    scope: CommandScope,
    body: ClaimRunBody,
    tokenHash: string,
    lease: Lease | undefined,
  ): Promise<HandledCommand> {
    return this.handling.handle(scope, (context) => [
      {
        type: 'ClaimRun',
        ...identityOf(context, tokenHash, { ...body, claimToken: undefined }),
        runId: body.runId,
        workerId: body.workerId,
        claimTokenHash: tokenHash,
        leaseTtlMs: this.configuration.leaseTtlMs,
        lease: leaseView(lease),
        kind: body.kind,
        force: body.force,
        messageIdOf: (inputId: string) => messageIdOfInput(scope.sessionId, inputId),
      },
    ]);
  }
}
