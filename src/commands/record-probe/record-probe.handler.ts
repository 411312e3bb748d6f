import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { SessionRequest, identityOf } from '../session-command.js';
import type { OfCall } from '../start-tool-call/start-tool-call.handler.js';
import { SteadyTimes } from '../steady-times.js';
import type { RecordProbeBody } from './record-probe.dto.js';
import { own } from '../../domain/own.js';

export class RecordProbe extends SessionRequest<OfCall<RecordProbeBody>> {}

@CommandHandler(RecordProbe)
export class RecordProbeHandler implements ICommandHandler<RecordProbe, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly times: SteadyTimes,
  ) {}

  execute({ scope, body: { callId, body } }: RecordProbe): Promise<HandledCommand> {
    const { answer, requestedAt, source, evidence } = body;
    return this.handling.handle(scope, (context) => {
      const call = own(context.state.calls, callId);
      return [
        {
          type: 'RecordProbe',
          ...identityOf(context, `probe:${callId}:${requestedAt}:${source}`, { callId, ...body }),
          callId,
          source,
          requestedAt,
          hasWaited: call && this.times.hasWaited(call),
          answer,
          evidence: { ...evidence },
        },
      ];
    });
  }
}
