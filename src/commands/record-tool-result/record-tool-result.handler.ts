import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ARTIFACTS } from '../../app/tokens.js';
import type { SessionCommand } from '../../domain/commands.js';
import type { ToolResult } from '../../domain/events/tool-events.js';
import { Rejection } from '../../domain/rejection.js';
import type { ArtifactStore } from '../../storage/artifact-store.js';
import type { CommandScope } from '../command-scope.js';
import { fenceOf } from '../dto/owned-body.js';
import { type CommandContext, CommandHandling, type HandledCommand } from '../handle-command.js';
import { SessionRequest, identityOf } from '../session-command.js';
import type { OfCall } from '../start-tool-call/start-tool-call.handler.js';
import type { RecordToolResultBody } from './owned-tool-result.dto.js';
import type { LateToolResultBody, ToolResultBody } from './record-tool-result.dto.js';
import { resultText, storedResult } from './tool-result-content.js';

export class RecordToolResult extends SessionRequest<OfCall<RecordToolResultBody>> {}
export class ReportLateResult extends SessionRequest<OfCall<LateToolResultBody>> {}

export function recordToolResult(
  { callId, body }: OfCall<RecordToolResultBody>,
  result: ToolResult,
  context: CommandContext,
): SessionCommand {
  return {
    type: 'RecordToolResult',
    ...reported('result', callId, body, context),
    fence: fenceOf(body),
    result,
    externalRef: body.externalRef,
    durationMs: body.durationMs,
  };
}

function reportLateResult(
  { callId, body }: OfCall<LateToolResultBody>,
  result: ToolResult,
  context: CommandContext,
): SessionCommand {
  return {
    type: 'ReportLateResult',
    ...reported('late', callId, body, context),
    claimedEpoch: body.claimedEpoch,
    result,
  };
}

/** The same attempt with the same answer is the same command. */
function reported(path: string, callId: string, body: ToolResultBody, context: CommandContext) {
  const { attempt, status, scope } = body;
  const resultHash = context.hash(resultText(body));
  const ownId = `${path}:${callId}:${attempt}:${resultHash}`;
  return {
    ...identityOf(context, ownId, { callId, attempt, resultHash }),
    callId,
    attempt,
    status,
    scope,
    resultHash,
  };
}

@CommandHandler(RecordToolResult)
export class RecordToolResultHandler implements ICommandHandler<RecordToolResult, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    @Inject(ARTIFACTS) private readonly artifacts: ArtifactStore,
  ) {}

  async execute({ scope, body }: RecordToolResult): Promise<HandledCommand> {
    const result = await storedResult(body.body, scope, this.artifacts);
    const handled = await this.handling.handle(scope, (context) => [
      recordToolResult(body, result, context),
    ]);
    return refusedAfterwards(handled, scope);
  }
}

@CommandHandler(ReportLateResult)
export class ReportLateResultHandler implements ICommandHandler<ReportLateResult, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    @Inject(ARTIFACTS) private readonly artifacts: ArtifactStore,
  ) {}

  async execute({ scope, body }: ReportLateResult): Promise<HandledCommand> {
    const result = await storedResult(body.body, scope, this.artifacts);
    const handled = await this.handling.handle(scope, (context) => [
      reportLateResult(body, result, context),
    ]);
    return refusedAfterwards(handled, scope);
  }
}

/** A second, different answer of one attempt is recorded as a conflict, and the sender is told. */
function refusedAfterwards(handled: HandledCommand, scope: CommandScope): HandledCommand {
  const conflict = handled.events.find(
    (event) => event.type === 'ToolConflictDetected' && event.data.kind === 'resultMismatch',
  );
  if (conflict === undefined) return handled;
  throw new Rejection(
    'result_conflict',
    'this attempt has another recorded result; the first one stays, the conflict is recorded',
    { sessionId: scope.sessionId, ...conflict.data },
  );
}
