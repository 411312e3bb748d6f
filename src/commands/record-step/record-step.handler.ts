import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { SessionRequest } from '../session-command.js';
import type { RecordStepBody } from './record-step.dto.js';
import { TenantFactsReader } from '../tenant-facts.js';
import { makersOf, needsFacts } from './steps.js';

export class RecordStep extends SessionRequest<RecordStepBody> {}

/** Several steps of a run in one append, each decided on what the ones before it leave. */
@CommandHandler(RecordStep)
export class RecordStepHandler implements ICommandHandler<RecordStep, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly tenants: TenantFactsReader,
  ) {}

  async execute({ scope, body }: RecordStep): Promise<HandledCommand> {
    const { steps, epoch, claimToken } = body;
    const facts = needsFacts(steps)
      ? await this.tenants.forRecording(scope.tenantId)
      : { tools: {} };
    return this.handling.handle(scope, ...makersOf(steps, { epoch, claimToken }, facts));
  }
}
