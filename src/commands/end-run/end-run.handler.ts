import { fenceOf } from '../dto/owned-body.js';
import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';
import type {
  CompleteRunBody,
  FailRunBody,
  InterruptRunBody,
  ReleaseRunBody,
} from './end-run.dto.js';

/** The run that a path names, with the body that came for it. */
interface OfRun<Body> {
  readonly runId: string;
  readonly body: Body;
}

export class CompleteRun extends SessionRequest<OfRun<CompleteRunBody>> {}
export class FailRun extends SessionRequest<OfRun<FailRunBody>> {}
export class InterruptRun extends SessionRequest<OfRun<InterruptRunBody>> {}
export class ReleaseRun extends SessionRequest<OfRun<ReleaseRunBody>> {}

export const completeRun: ToSessionCommands<OfRun<CompleteRunBody>> = (
  { runId, body },
  context,
) => [
  {
    type: 'CompleteRun',
    ...identityOf(context, `complete:${runId}:${body.epoch}`, { runId }),
    fence: fenceOf(body),
    runId,
  },
];

export const failRun: ToSessionCommands<OfRun<FailRunBody>> = ({ runId, body }, context) => [
  {
    type: 'FailRun',
    ...identityOf(context, `fail:${runId}:${body.epoch}`, {
      runId,
      ...body,
      claimToken: undefined,
    }),
    fence: fenceOf(body),
    runId,
    errorClass: body.errorClass,
    message: body.message,
  },
];

const interruptRun: ToSessionCommands<OfRun<InterruptRunBody>> = ({ runId, body }, context) => [
  {
    type: 'InterruptRun',
    ...identityOf(context, `interrupt:${runId}:${body.epoch}`, { runId }),
    fence: fenceOf(body),
    runId,
  },
];

const releaseRun: ToSessionCommands<OfRun<ReleaseRunBody>> = ({ runId, body }, context) => [
  {
    type: 'ReleaseRun',
    ...identityOf(context, `release:${runId}:${body.epoch}`, {
      runId,
      ...body,
      claimToken: undefined,
    }),
    fence: fenceOf(body),
    runId,
    reason: body.reason,
    waitingFor: body.waitingFor,
  },
];

export const CompleteRunHandler = handlerOf(CompleteRun, completeRun);
export const FailRunHandler = handlerOf(FailRun, failRun);
export const InterruptRunHandler = handlerOf(InterruptRun, interruptRun);
export const ReleaseRunHandler = handlerOf(ReleaseRun, releaseRun);
