import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { manifestOfCall } from '../../domain/call-manifest.js';
import type { CommandOf } from '../../domain/commands.js';
import type { Json } from '../../domain/content.js';
import type { OrderedCompensation } from '../../domain/settling-commands.js';
import type { CallState, SessionState } from '../../domain/state.js';
import { type RegisteredTools, newestManifest } from '../../domain/tenant/tools.js';
import { manifestOf } from '../../domain/tool-manifest.js';
import { compensationCallId, derivedId, operationKey } from '../../identity/derived-ids.js';
import { type CommandContext, CommandHandling, type HandledCommand } from '../handle-command.js';
import { SessionRequest, canonicalText, identityOf, requiredKey } from '../session-command.js';
import type { OfCall } from '../start-tool-call/start-tool-call.handler.js';
import { TenantRepository } from '../tenant-repository.js';
import type { DecideEscalationBody } from './decide-escalation.dto.js';

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
  const call = Object.hasOwn(context.state.calls, callId) ? context.state.calls[callId] : undefined;
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

/** The call that would undo this one; undefined when nobody has said what does. */
function compensationOf(
  call: CallState,
  { scope, state, hash }: CommandContext,
  registered: RegisteredTools,
): OrderedCompensation | undefined {
  const tool = manifestOfCall(call, state).compensate;
  if (tool === undefined) return undefined;
  const manifest = newestManifest(registered, tool) ?? manifestOf(tool, state.tools);
  const id = compensationCallId(scope.sessionId, call.callId);
  const args: Json = {
    callId: call.callId,
    tool: call.tool,
    operationKey: call.opKey,
    ...(call.externalRef === undefined ? {} : { externalRef: call.externalRef }),
  };
  return {
    compensationCallId: id,
    runId: runOf(state) ?? derivedId('undoing run', id, state.revision),
    tool,
    manifest,
    opKey: operationKey(scope.tenantId, scope.sessionId, id),
    argsHash: hash(canonicalText(args)),
    args,
  };
}

/** The run that is under way makes it; a stopped or ended one cannot. */
function runOf({ run }: SessionState): string | undefined {
  return run?.status === 'active' || run?.status === 'interrupted' ? run.runId : undefined;
}
