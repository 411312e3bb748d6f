import { ApiProperty } from '@nestjs/swagger';
import type { HandledCommand } from '../../commands/handle-command.js';
import type { EventOf, SessionEventType } from '../../domain/events.js';
import type { EscalationDecision } from '../../domain/events/tool-events.js';
import { possibleDecisions } from '../../domain/possible-decisions.js';
import { type CallState, type SessionState, callsOf, isUnresolved } from '../../domain/state.js';

/** The answer to a write. */
export class ReceiptView {
  @ApiProperty({ description: 'The session that was written.' })
  sessionId: string;

  @ApiProperty({ description: "Revision of the command's last event; also the ETag." })
  revision: number;

  @ApiProperty({ description: 'Give it to a read as `atLeast` to see this write.', example: '42' })
  position: string;

  @ApiProperty({ description: 'The same command was done before; this is its answer.' })
  replayed: boolean;

  @ApiProperty({ description: 'A repeated id came with other content; the first one stays.' })
  payloadDiffers: boolean;

  @ApiProperty({
    required: false,
    description: 'Secrets that were masked in what was stored, or noted: read it back.',
  })
  redactions?: number;
}

/** A tool call that needs somebody's attention, or the permit's effect on it. */
export class CallView {
  @ApiProperty()
  callId: string;

  @ApiProperty({ description: "The provider's id of the call.", required: false })
  providerCallId?: string;

  @ApiProperty()
  tool: string;

  @ApiProperty({ enum: ['readOnly', 'keyedWrite', 'queryableWrite', 'opaqueWrite'] })
  effect: string;

  @ApiProperty({ description: 'State of the call; unknown is never "failed".' })
  state: string;

  @ApiProperty({ description: 'Operation key: ask the target by it.' })
  opKey: string;

  @ApiProperty({ description: 'Attempts that were permitted so far.' })
  attempts: number;

  @ApiProperty({ description: 'Why the outcome is unknown.', required: false })
  unknownReason?: string;

  @ApiProperty({ description: "The target's id of the operation.", required: false })
  externalRef?: string;

  @ApiProperty({ description: 'Attempt that may be started now.', required: false })
  nextAttempt?: number;

  @ApiProperty({ description: 'Until when that attempt may start.', required: false })
  retryUntil?: string;

  @ApiProperty({
    description: 'The question that is open: name it in the decision.',
    required: false,
  })
  escalationId?: string;

  @ApiProperty({
    description: 'Whether it may be started, when somebody has to allow it.',
    enum: ['pending', 'allow', 'deny'],
    required: false,
  })
  approval?: string;

  @ApiProperty({ description: 'Who must decide.', required: false })
  asked?: string;

  @ApiProperty({ description: 'By when.', required: false })
  decisionDueAt?: string;

  @ApiProperty({
    description: 'Of a call of unknown outcome, among the unresolved: what can be decided now.',
    required: false,
    type: [String],
    enum: ['applied', 'notApplied', 'retry', 'compensate', 'abandon'],
  })
  decisions?: readonly EscalationDecision[];

  @ApiProperty({ description: 'The session that settles an inherited call.', required: false })
  originSessionId?: string;

  @ApiProperty({ description: 'The call that undoes this one.', required: false })
  compensationCallId?: string;

  @ApiProperty({
    description: 'The call that this one undoes, as a person ordered.',
    required: false,
  })
  compensates?: string;

  @ApiProperty({ description: 'Probes recorded so far.' })
  probes: number;
}

export function receiptView(handled: HandledCommand): ReceiptView {
  return { ...handled.receipt };
}

export function callView(call: CallState): CallView {
  return {
    callId: call.callId,
    providerCallId: call.providerCallId,
    tool: call.tool,
    effect: call.effect,
    state: call.status,
    opKey: call.opKey,
    attempts: call.attempts.length,
    unknownReason: call.unknownReason,
    externalRef: call.externalRef,
    nextAttempt: call.status === 'requested' ? 1 : call.retry?.nextAttempt,
    retryUntil: call.retry?.notAfter ?? undefined,
    escalationId: call.escalation?.escalationId,
    asked: call.escalation?.to ?? call.approval?.to,
    decisionDueAt: call.escalation?.dueAt ?? call.approval?.dueAt,
    approval: call.approval && (call.approval.decision ?? 'pending'),
    originSessionId: call.originSessionId,
    compensationCallId: call.compensationCallId,
    compensates: call.compensates,
    probes: call.probes,
  };
}

/** Calls whose outcome is not known yet, in the order in which the model asked for them. */
export function unresolvedCalls(state: SessionState): readonly CallView[] {
  return callsOf(state)
    .filter(isUnresolved)
    .map((call) => {
      const decisions = possibleDecisions(call, state);
      return decisions.length === 0 ? callView(call) : { ...callView(call), decisions };
    });
}

export function eventIn<T extends SessionEventType>(
  handled: HandledCommand,
  type: T,
): EventOf<T>['data'] | undefined {
  const event = handled.events.find((candidate) => candidate.type === type);
  return event?.data as EventOf<T>['data'] | undefined;
}
