import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONFIGURATION, LEASES } from '../../tokens.js';
import type { Configuration } from '../../config/configuration.js';
import type { LeaseView } from '../../domain/commands.js';
import { quarantined } from '../../domain/guards.js';
import { Rejection } from '../../domain/rejection.js';
import type { PromisesNow, RunSetup } from '../../domain/run-setup.js';
import { exists } from '../../domain/state.js';
import { messageIdOfInput } from '../../identity/derived-ids.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import type { CommandScope } from '../command-scope.js';
import { ReserveForCalls } from '../budgets/reserve-for-calls.js';
import { claimTokenHash } from '../dto/owned-body.js';
import { type CommandMaker, CommandHandling, type HandledCommand } from '../handle-command.js';
import { ParentStop, stopWithParent } from '../parent-stop.js';
import { SetupCheck } from '../setup-check.js';
import { SettleCalls } from '../settle-calls.js';
import { madeId } from '../made-id.js';
import { leaseName, leaseView } from '../session-lease.js';
import { SessionRequest, identityOf } from '../session-command.js';
import { SessionRepository } from '../session-repository.js';
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
    private readonly sessions: SessionRepository,
    private readonly settle: SettleCalls,
    private readonly budgets: ReserveForCalls,
    private readonly setups: SetupCheck,
    private readonly parents: ParentStop,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async execute({ scope, body }: ClaimRun): Promise<HandledCommand> {
    const tokenHash = claimTokenHash(body.claimToken);
    const name = leaseName(scope);
    const { leaseTtlMs } = this.configuration;
    const before = await this.sessions.loadCurrent(name);
    if (!exists(before)) throw new Rejection('not_found', `there is no session ${scope.sessionId}`);
    const found = await this.leases.current(name);
    // Before the append: whoever sees the claim in the stream must find its lease live.
    const taken = found ?? (await this.leases.acquire(name, tokenHash, leaseTtlMs));
    const exhausted = await this.budgets.exhausted(scope, before);
    const worker = await this.setups.of(scope, before, body);
    const isStopped = await this.parents.isStopped(scope.tenantId, before);
    const lease = leaseView(found);
    const seen = { tokenHash, epoch: before.epoch, lease, exhausted, worker, isStopped };
    const claimed = await this.append(scope, body, seen).catch(async (error: unknown) => {
      if (!isRefusedAsOwned(error)) await this.leases.release(name, tokenHash, taken.fence);
      throw error;
    });
    if (claimed.state.run?.claimTokenHash !== tokenHash) {
      await this.leases.release(name, tokenHash, taken.fence);
    } else if (taken.holder !== tokenHash) {
      await this.leases.seize(name, tokenHash, leaseTtlMs);
    }
    if (claimed.state.run?.status === 'quarantined') {
      if (exhausted !== undefined) throw exhausted;
      throw quarantined(claimed.state);
    }
    const state = await this.settle.all(scope, claimed.state);
    if (isStopped) throw new Rejection('run_stopped', 'the run that started it was stopped');
    return { ...claimed, state };
  }

  private append(scope: CommandScope, body: ClaimRunBody, seen: SeenBefore) {
    const { tokenHash, epoch, lease, exhausted, worker, isStopped } = seen;
    const { leaseTtlMs } = this.configuration;
    const claim: CommandMaker = (context) => [
      {
        type: 'ClaimRun',
        ...identityOf(context, tokenHash, { ...body, claimToken: undefined }),
        runId: body.runId ?? madeId(context.scope, 'run'),
        workerId: body.workerId,
        claimTokenHash: tokenHash,
        leaseTtlMs,
        // Another worker has claimed since the lease was looked at: its own is new.
        lease: context.state.epoch === epoch ? lease : newLease(context.now, leaseTtlMs),
        kind: body.kind,
        force: body.force,
        ...worker,
        confirmed: body.confirmDifferences,
        exhausted,
        messageIdOf: (inputId: string) => messageIdOfInput(scope.sessionId, inputId),
      },
    ];
    // Stopped instead of run, in one append.
    const stop: CommandMaker = ({ state: { run }, now }) =>
      run === undefined ? [] : [stopWithParent(run.runId, now, { live: false })];
    return this.handling.handle(scope, ...(isStopped ? [claim, stop] : [claim]));
  }
}

/** What was known before the decision. */
interface SeenBefore {
  readonly tokenHash: string;
  readonly epoch: number;
  readonly lease: LeaseView;
  readonly exhausted: Rejection | undefined;
  /** The run that started this session was stopped. */
  readonly isStopped: boolean;
  readonly worker: { readonly setup?: RunSetup; readonly promises: PromisesNow };
}

/** A rival has won, and our lease stands for its until it has written its own. */
function isRefusedAsOwned(error: unknown): boolean {
  return error instanceof Rejection && error.code === 'owned';
}

function newLease(now: string, leaseTtlMs: number): LeaseView {
  return { live: true, expiresAt: new Date(Date.parse(now) + leaseTtlMs).toISOString() };
}
