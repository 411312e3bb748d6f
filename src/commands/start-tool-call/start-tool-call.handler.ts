import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CONFIGURATION, LEASES } from '../../tokens.js';
import type { Configuration } from '../../config/configuration.js';
import { manifestOfCall } from '../../domain/call-manifest.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import { fenceOf } from '../dto/owned-body.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { SteadyTimes } from '../steady-times.js';
import { leaseName } from '../session-lease.js';
import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';
import type {
  RecordToolProgressBody,
  SkipToolCallBody,
  StartToolCallBody,
} from './start-tool-call.dto.js';
import { own } from '../../domain/own.js';

/** The call that a path names, with the body that came for it. */
export interface OfCall<Body> {
  readonly callId: string;
  readonly body: Body;
}

export class StartToolCall extends SessionRequest<OfCall<StartToolCallBody>> {}
export class RecordToolProgress extends SessionRequest<OfCall<RecordToolProgressBody>> {}
export class SkipToolCall extends SessionRequest<OfCall<SkipToolCallBody>> {}

export const startToolCall: ToSessionCommands<OfCall<StartToolCallBody>> = (
  { callId, body },
  context,
) => {
  const call = own(context.state.calls, callId);
  return [
    {
      type: 'StartToolCall',
      ...identityOf(context, `start:${callId}:${body.attempt}`, { callId, attempt: body.attempt }),
      fence: fenceOf(body),
      callId,
      attempt: body.attempt,
      latestNow: call && context.latestFor(call),
      timeoutMs: call === undefined ? 0 : manifestOfCall(call, context.state).timeoutMs,
    },
  ];
};

export const recordToolProgress: ToSessionCommands<OfCall<RecordToolProgressBody>> = (
  { callId, body },
  context,
) => {
  const { attempt, externalRef, note } = body;
  const payload = { callId, attempt, externalRef, note };
  return [
    {
      type: 'RecordToolProgress',
      ...identityOf(context, `progress:${context.hash(JSON.stringify(payload))}`, payload),
      fence: fenceOf(body),
      ...payload,
    },
  ];
};

export const skipToolCall: ToSessionCommands<OfCall<SkipToolCallBody>> = (
  { callId, body },
  context,
) => [
  {
    type: 'SkipToolCall',
    ...identityOf(context, `skip:${callId}`, { callId, reason: body.reason }),
    fence: fenceOf(body),
    callId,
    reason: body.reason,
  },
];

/** The permit, with the lease renewed: a call that was just permitted must not look abandoned. */
@CommandHandler(StartToolCall)
export class StartToolCallHandler implements ICommandHandler<StartToolCall, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly times: SteadyTimes,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async execute({ scope, body }: StartToolCall): Promise<HandledCommand> {
    const handled = await this.handling.handle(scope, (context) => startToolCall(body, context));
    const call = own(handled.state.calls, body.callId);
    if (call !== undefined) this.times.started(call);
    const { claimTokenHash } = fenceOf(body.body);
    await this.leases.seize(leaseName(scope), claimTokenHash, this.configuration.leaseTtlMs);
    return handled;
  }
}

export const RecordToolProgressHandler = handlerOf(RecordToolProgress, recordToolProgress);
export const SkipToolCallHandler = handlerOf(SkipToolCall, skipToolCall);
