import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { fenceOf } from '../dto/owned-body.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { SessionRequest, type ToSessionCommands, identityOf } from '../session-command.js';
import { SettleCalls } from '../settle-calls.js';
import type { ReportToolUnknownBody } from '../start-tool-call/start-tool-call.dto.js';
import type { OfCall } from '../start-tool-call/start-tool-call.handler.js';

export class ReportToolUnknown extends SessionRequest<OfCall<ReportToolUnknownBody>> {}

export const reportToolUnknown: ToSessionCommands<OfCall<ReportToolUnknownBody>> = (
  { callId, body },
  context,
) => [
  {
    type: 'ReportToolUnknown',
    ...identityOf(context, `unknown:${callId}:${body.attempt}`, { callId, reason: body.reason }),
    fence: fenceOf(body),
    callId,
    attempt: body.attempt,
    reason: body.reason,
  },
];

/** A timeout or a lost connection proves nothing; what can be done by itself is done at once. */
@CommandHandler(ReportToolUnknown)
export class ReportToolUnknownHandler implements ICommandHandler<
  ReportToolUnknown,
  HandledCommand
> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly settle: SettleCalls,
  ) {}

  async execute({ scope, body }: ReportToolUnknown): Promise<HandledCommand> {
    const handled = await this.handling.handle(scope, (context) =>
      reportToolUnknown(body, context),
    );
    return { ...handled, state: await this.settle.all(scope, handled.state) };
  }
}
