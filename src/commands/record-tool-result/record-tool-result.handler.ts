import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { manifestOfCall } from '../../domain/call-manifest.js';
import { sessionErased } from '../../domain/decide-erasure.js';
import { Rejection } from '../../domain/rejection.js';
import type { CommandScope } from '../command-scope.js';
import { fenceOf } from '../dto/owned-body.js';
import { type CommandContext, CommandHandling, type HandledCommand } from '../handle-command.js';
import {
  SessionRequest,
  type ToSessionCommands,
  canonicalText,
  identityOf,
} from '../session-command.js';
import type { OfCall } from '../start-tool-call/start-tool-call.handler.js';
import type { RecordToolResultBody } from './owned-tool-result.dto.js';
import type { LateToolResultBody, ToolResultBody } from './record-tool-result.dto.js';
import { own } from '../../domain/own.js';

export class RecordToolResult extends SessionRequest<OfCall<RecordToolResultBody>> {}
export class ReportLateResult extends SessionRequest<OfCall<LateToolResultBody>> {}

export const recordToolResult: ToSessionCommands<OfCall<RecordToolResultBody>> = (
  { callId, body },
  context,
) => [
  {
    type: 'RecordToolResult',
    ...reported('result', callId, body, context),
    fence: fenceOf(body),
    externalRef: body.externalRef,
    durationMs: body.durationMs,
  },
];

const reportLateResult: ToSessionCommands<OfCall<LateToolResultBody>> = (
  { callId, body },
  context,
) => [
  {
    type: 'ReportLateResult',
    ...reported('late', callId, body, context),
    claimedEpoch: body.claimedEpoch,
  },
];

/** The same attempt with the same answer is the same command. */
function reported(path: string, callId: string, body: ToolResultBody, context: CommandContext) {
  const { attempt, status, scope, isError, content, details } = body;
  // Of the whole answer, whatever is stored of it where.
  const text = canonicalText({ status, scope, isError, content, details });
  refuseLarge(callId, Buffer.byteLength(text), context);
  const resultHash = context.hash(text);
  const ownId = `${path}:${callId}:${attempt}:${resultHash}`;
  return {
    ...identityOf(context, ownId, { callId, attempt, resultHash }),
    callId,
    attempt,
    status,
    scope,
    resultHash,
    nothingToUndo: body.nothingToUndo,
    result: context.keeper.result({ isError, content, details }, callId),
  };
}

/** Of an attempt that was made: a shorter result has to be reported, and may say that it is one. */
function refuseLarge(callId: string, bytes: number, { state }: CommandContext): void {
  const call = own(state.calls, callId);
  const resultBytesMax = call && manifestOfCall(call, state).resultBytesMax;
  if (resultBytesMax === undefined || bytes <= resultBytesMax) return;
  throw new Rejection(
    'too_large',
    `results of ${call!.tool} have at most ${resultBytesMax} bytes`,
    {
      limit: 'resultBytesMax',
      max: resultBytesMax,
      bytes,
    },
  );
}

@CommandHandler(RecordToolResult)
export class RecordToolResultHandler implements ICommandHandler<RecordToolResult, HandledCommand> {
  constructor(private readonly handling: CommandHandling) {}

  async execute({ scope, body }: RecordToolResult): Promise<HandledCommand> {
    const handled = await this.handling.handle(scope, (context) => recordToolResult(body, context));
    return refusedAfterwards(handled, scope);
  }
}

@CommandHandler(ReportLateResult)
export class ReportLateResultHandler implements ICommandHandler<ReportLateResult, HandledCommand> {
  constructor(private readonly handling: CommandHandling) {}

  async execute({ scope, body }: ReportLateResult): Promise<HandledCommand> {
    try {
      return await this.report(scope, body);
    } catch (error) {
      const origin = originOf(error);
      if (origin === undefined) throw error;
      return this.report({ ...scope, sessionId: origin, ifRevision: undefined }, body);
    }
  }

  private async report(
    scope: CommandScope,
    body: OfCall<LateToolResultBody>,
  ): Promise<HandledCommand> {
    const handled = await this.handling.handle(scope, (context) => reportLateResult(body, context));
    // It is recorded, without its content, and the sender has to know that nobody will read it.
    if (handled.state.erasure !== undefined) throw sessionErased(handled.state);
    return refusedAfterwards(handled, scope);
  }
}

/** A late result of an inherited call is recorded where the call was made (protocol, §15.2). */
function originOf(error: unknown): string | undefined {
  if (!(error instanceof Rejection) || error.code !== 'inherited_call') return undefined;
  const { originSessionId } = error.facts;
  return typeof originSessionId === 'string' ? originSessionId : undefined;
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
