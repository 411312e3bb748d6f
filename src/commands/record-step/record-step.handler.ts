import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ReserveForCalls } from '../budgets/reserve-for-calls.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { unlessQuarantined } from '../quarantined-by-request.js';
import { SessionRequest } from '../session-command.js';
import { type TenantFacts, TenantFactsReader } from '../tenant-facts.js';
import type { RecordStepBody } from './record-step.dto.js';
import { checkedSteps, makersOf, needsFacts, startedCalls } from './steps.js';

export class RecordStep extends SessionRequest<RecordStepBody> {}

/** Several steps of a run in one append, each decided on what the ones before it leave. */
@CommandHandler(RecordStep)
export class RecordStepHandler implements ICommandHandler<RecordStep, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly tenants: TenantFactsReader,
    private readonly budgets: ReserveForCalls,
  ) {}

  async execute({ scope, body }: RecordStep): Promise<HandledCommand> {
    const { steps, epoch, claimToken } = body;
    const checked = checkedSteps(steps, { epoch, claimToken });
    const facts: TenantFacts = needsFacts(steps)
      ? await this.tenants.forRecording(scope.tenantId)
      : { tools: {} };
    const { tenant } = facts;
    const handled = await this.budgets.around(scope, startedCalls(checked), tenant, (answers) =>
      this.handling.handle(scope, ...makersOf(checked, facts, answers)),
    );
    return unlessQuarantined(handled);
  }
}
