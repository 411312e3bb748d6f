import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SessionCommand } from '../../domain/commands.js';
import type { BudgetAnswer } from '../../domain/budget/reservation.js';
import { messageIdOfInput } from '../../identity/derived-ids.js';
import { ReserveForCalls } from '../budgets/reserve-for-calls.js';
import { fenceOf } from '../dto/owned-body.js';
import { type CommandContext, CommandHandling, type HandledCommand } from '../handle-command.js';
import { madeId } from '../made-id.js';
import { unlessQuarantined } from '../quarantined-by-request.js';
import { SessionRequest, identityOf } from '../session-command.js';
import { TenantRepository } from '../tenant-repository.js';
import type { StartModelCallBody } from './start-model-call.dto.js';

export class StartModelCall extends SessionRequest<StartModelCallBody> {}

/** @param budget what the budgets that apply say; undefined when none does. */
export function startModelCall(
  body: StartModelCallBody,
  context: CommandContext,
  budget: BudgetAnswer | undefined,
): readonly SessionCommand[] {
  const modelCallId = body.modelCallId ?? madeId(context.scope, 'modelCall');
  const messageId = body.messageId ?? madeId(context.scope, 'message');
  return [
    {
      type: 'StartModelCall',
      ...identityOf(context, modelCallId, { ...body, claimToken: undefined }),
      fence: fenceOf(body),
      modelCallId,
      messageId,
      purpose: body.purpose,
      inputRevision: body.inputRevision,
      contextId: body.contextId,
      provider: body.provider,
      requestedModel: body.model,
      requestedTier: body.tier,
      estimatedTokens: body.inputTokens,
      timeoutMs: body.timeoutMs,
      deliver: body.delivers.map((inputId) => ({
        inputId,
        messageId: messageIdOfInput(context.scope.sessionId, inputId),
      })),
      budget,
    },
  ];
}

/** Nothing goes to a model before this is durable, and before its budgets hold what it may cost. */
@CommandHandler(StartModelCall)
export class StartModelCallHandler implements ICommandHandler<StartModelCall, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly budgets: ReserveForCalls,
    private readonly tenants: TenantRepository,
  ) {}

  async execute({ scope, body }: StartModelCall): Promise<HandledCommand> {
    const tenant = await this.tenants.currentIfReadable(scope.tenantId);
    const handled = await this.budgets.around(scope, [body], tenant, ([answer]) =>
      this.handling.handle(scope, (context) => startModelCall(body, context, answer)),
    );
    return unlessQuarantined(handled);
  }
}
