import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { LEASES } from '../../tokens.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import { fenceOf, type OwnedBody } from '../dto/owned-body.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { leaseName, leaseView } from '../session-lease.js';
import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';
import { SettleCalls } from '../settle-calls.js';
import { openRun } from '../../domain/guards.js';
import { exists } from '../../domain/state.js';
import type { StopRunBody } from './stop-run.dto.js';

export class StopRun extends SessionRequest<{
  readonly runId: string;
  readonly body: StopRunBody;
}> {}

/** A user's stop: durable, and nothing but an explicit resume or a new input lifts it. */
@CommandHandler(StopRun)
export class StopRunHandler implements ICommandHandler<StopRun, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly settle: SettleCalls,
    @Inject(LEASES) private readonly leases: LeaseStore,
  ) {}

  async execute({ scope, body: { runId, body } }: StopRun): Promise<HandledCommand> {
    const lease = leaseView(await this.leases.current(leaseName(scope)));
    const stopped = await this.handling.handle(scope, (context) => [
      {
        type: 'StopRun',
        ...identityOf(context, `stop:${runId}`, { runId, ...body }),
        runId,
        note: body.note,
        dropPendingInputs: body.dropPendingInputs,
        lease,
      },
    ]);
    return { ...stopped, state: await this.settle.all(scope, stopped.state) };
  }
}

export class ConfirmStopped extends SessionRequest<{
  readonly runId: string;
  readonly body: OwnedBody;
}> {}

const confirmStopped: ToSessionCommands<ConfirmStopped['body']> = ({ runId, body }, context) => {
  if (exists(context.state)) openRun(context.state, fenceOf(body));
  return [
    {
      type: 'ConfirmStopped',
      ...identityOf(context, `stopped:${runId}`, { runId }),
      runId,
      by: 'owner',
    },
  ];
};

export const ConfirmStoppedHandler = handlerOf(ConfirmStopped, confirmStopped);
