import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock } from '../tokens.js';
import type { CommandScope } from '../commands/command-scope.js';
import { type CommandContext, CommandHandling } from '../commands/handle-command.js';
import { parseExact } from '../commands/dto/exact-json.js';
import { SteadyTimes } from '../commands/steady-times.js';
import type { CommandOf } from '../domain/commands.js';
import type { Json } from '../domain/content.js';
import type { ProbeEvidence } from '../domain/events/tool-events.js';
import { type HttpProbe, type HttpProbeReading, readProbeAnswer } from '../domain/http-probe.js';
import {
  type DueProbe,
  type DueRequest,
  dueProbes,
  notFoundFinalAt,
} from '../domain/next-probe.js';
import type { SessionState } from '../domain/state.js';
import { EgressError } from '../egress/egress-error.js';
import { Egress } from '../egress/egress.js';
import { NamedProbes } from '../egress/named-probes.js';
import type { EgressAnswer } from '../egress/send-request.js';
import { own } from '../domain/own.js';

/**
 * Sends the status queries and voids that are due and records what came back. What is kept: status,
 * a keyed hash of the body, and the fields that the manifest maps; the body itself goes no further.
 */
@Injectable()
export class SendProbes {
  private readonly log = new Logger(SendProbes.name);

  constructor(
    private readonly egress: Egress,
    private readonly named: NamedProbes,
    private readonly handling: CommandHandling,
    private readonly times: SteadyTimes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async due(scope: CommandScope, from: SessionState): Promise<SessionState> {
    let state = from;
    for (const probe of dueProbes(state, this.now())) {
      if (this.isTooEarly(probe, state)) continue;
      state =
        (probe.kind === 'named'
          ? await this.askNamed(scope, probe, state)
          : await this.send(scope, probe)) ?? state;
    }
    return state;
  }

  /**
   * It would be the question whose "not found" counts, and this process has not known the attempt
   * long enough: it is asked when it has.
   */
  private isTooEarly({ callId, kind }: DueProbe, state: SessionState): boolean {
    const call = own(state.calls, callId)!;
    const finalAt = notFoundFinalAt(call);
    const isFinal = kind !== 'void' && finalAt !== undefined && this.now() >= finalAt;
    return isFinal && !this.times.hasWaited(call);
  }

  /** Code of the program around Holdfast asks. Another one on this store may have what this has not. */
  private async askNamed(
    scope: CommandScope,
    { callId, probeNo, name }: Extract<DueProbe, { kind: 'named' }>,
    state: SessionState,
  ): Promise<SessionState | undefined> {
    if (!this.named.has(name)) return undefined;
    const { tenantId, sessionId } = scope;
    const { tool, opKey, externalRef } = own(state.calls, callId)!;
    const requestedAt = this.now();
    const question = { tenantId, sessionId, callId, tool, opKey, externalRef };
    const { answer, ...seen } = await this.named.ask(name, question);
    const evidence = { method: 'named', target: name, ...seen, observedAt: this.now() };
    const asked = { type: 'RecordProbe', source: 'handler', answer, evidence } as const;
    return this.record(scope, { callId, probeNo, requestedAt }, () => asked);
  }

  private async send(
    scope: CommandScope,
    due: Asked & DueRequest,
  ): Promise<SessionState | undefined> {
    const requestedAt = this.now();
    const answer = await this.answerTo(scope, due);
    if (answer === 'later') return undefined;
    const observedAt = this.now();
    const { callId, probeNo } = due;
    return this.record(scope, { callId, probeNo, requestedAt }, ({ hash }) => {
      const bodyHash = answer && hash(answer.body);
      return found(due, answer, { statusCode: answer?.status, bodyHash, observedAt });
    });
  }

  private async record(
    scope: CommandScope,
    { callId, probeNo, requestedAt }: Asked & { readonly requestedAt: string },
    finding: (context: CommandContext) => Finding,
  ): Promise<SessionState> {
    const commandId = `http:${callId}:${probeNo}`;
    const { state } = await this.handling.handle(scope, (context) => [
      { commandId, now: context.now, callId, requestedAt, ...finding(context) },
    ]);
    return state;
  }

  /** Undefined: there was none. `later`: not asked, this minute's requests are used up. */
  private async answerTo(
    { tenantId, sessionId }: CommandScope,
    due: Asked & DueRequest,
  ): Promise<EgressAnswer | 'later' | undefined> {
    const { callId, request, url } = due;
    if (url === undefined) return undefined;
    const body = due.kind === 'query' ? due.body : undefined;
    try {
      const { method, headers } = request;
      return await this.egress.send({ tenantId, url, method, headers, body });
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      this.log.warn(`session ${sessionId}, call ${callId}: no answer: ${error.message}`);
      return error.failure === 'tooManyRequests' ? 'later' : undefined;
    }
  }

  private now(): string {
    return new Date(this.clock()).toISOString();
  }
}

type Asked = Pick<DueProbe, 'callId' | 'probeNo'>;
type Finding =
  | Pick<CommandOf<'RecordProbe'>, 'type' | 'source' | 'answer' | 'evidence'>
  | Pick<CommandOf<'RecordVoid'>, 'type' | 'voided' | 'evidence'>;

type Seen = Pick<ProbeEvidence, 'statusCode' | 'bodyHash' | 'observedAt'>;

function found(due: DueRequest, answer: EgressAnswer | undefined, seen: Seen): Finding {
  const evidence = { ...seen, method: due.request.method, target: due.request.urlTemplate };
  if (due.kind === 'void') {
    const voided = answer !== undefined && due.request.voidedStatus.includes(answer.status);
    return { type: 'RecordVoid', voided, evidence };
  }
  const { answer: said, externalRef, excerpt } = read(due.request, answer);
  return {
    type: 'RecordProbe',
    source: due.request.graphql === undefined ? 'http' : 'graphql',
    answer: said,
    evidence: { ...evidence, externalRef, excerpt },
  };
}

/** A body that calls itself JSON and is not says nothing, whatever its status. */
function read(probe: HttpProbe, answer: EgressAnswer | undefined): HttpProbeReading {
  if (answer === undefined) return { answer: 'error' };
  const { status, body } = answer;
  if (!answer.isJson || body.byteLength === 0) return readProbeAnswer(probe, status, undefined);
  try {
    return readProbeAnswer(probe, status, parseExact(body.toString('utf8')) as Json);
  } catch {
    return { answer: 'error' };
  }
}
