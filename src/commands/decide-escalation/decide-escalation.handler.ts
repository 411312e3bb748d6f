import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandOf } from '../../domain/commands.js';
import type { RegisteredTools } from '../../domain/tenant/tools.js';
import { compensationOf } from '../compensation-of.js';
import { type CommandContext, CommandHandling, type HandledCommand } from '../handle-command.js';
import { SessionRequest, identityOf, requiredKey } from '../session-command.js';
import type { OfCall } from '../start-tool-call/start-tool-call.handler.js';
import { TenantRepository } from '../tenant-repository.js';
import type { DecideEscalationBody } from './decide-escalation.dto.js';
import { own } from '../../domain/own.js';

export class DecideEscalation extends SessionRequest<OfCall<DecideEscalationBody>> {}

@CommandHandler(DecideEscalation)
export class DecideEscalationHandler implements ICommandHandler<DecideEscalation, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly tenants: TenantRepository,
  ) {}

  async execute({ scope, body }: DecideEscalation): Promise<HandledCommand> {
    const registered =
      body.body.decision === 'compensate'
        ? (await this.tenants.current(scope.tenantId)).tools
        : undefined;
    return this.handling.handle(scope, (context) => [decision(body, context, registered)]);
  }
}

function decision(
  { callId, body }: OfCall<DecideEscalationBody>,
  context: CommandContext,
  registered: RegisteredTools | undefined,
): CommandOf<'DecideEscalation'> {
  const call = own(context.state.calls, callId);
  return {
    type: 'DecideEscalation',
    ...identityOf(context, requiredKey(context, 'a decision'), { callId, ...body }),
    callId,
    decision: body.decision,
    escalationId: body.escalationId,
    note: body.note,
    evidenceRef: body.evidenceRef,
    compensation: registered && call && compensationOf(call, context, registered),
  };
}
