import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock } from '../tokens.js';
import type { CommandScope } from '../commands/command-scope.js';
import { CommandHandling } from '../commands/handle-command.js';
import { SteadyTimes } from '../commands/steady-times.js';
import type { Json } from '../domain/content.js';
import type { ProbeEvidence } from '../domain/events/tool-events.js';
import { type HttpProbe, type HttpProbeReading, readProbeAnswer } from '../domain/http-probe.js';
import { type DueProbe, dueProbes, notFoundFinalAt } from '../domain/next-probe.js';
import type { SessionState } from '../domain/state.js';
import { EgressError } from '../egress/egress-error.js';
import { Egress } from '../egress/egress.js';
import type { EgressAnswer } from '../egress/send-request.js';

/**
 * Sends the status queries and voids that are due and records what came back. What is kept: status,
 * a keyed hash of the body, and the fields that the manifest maps; the body itself goes no further.
 */
@Injectable()
export class SendProbes {
  private readonly log = new Logger(SendProbes.name);

  constructor(
    private readonly egress: Egress,
    private readonly handling: CommandHandling,
    private readonly times: SteadyTimes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async due(scope: CommandScope, from: SessionState): Promise<SessionState> {
    let state = from;
    for (const probe of dueProbes(state, this.now())) {
      if (this.isTooEarly(probe, state)) continue;
      state = (await this.one(scope, probe)) ?? state;
    }
    return state;
  }

  /**
   * It would be the question whose "not found" counts, and this process has not known the attempt
   * long enough: it is asked when it has.
   */
  private isTooEarly({ callId, kind }: DueProbe, state: SessionState): boolean {
    const call = state.calls[callId]!;
    const finalAt = notFoundFinalAt(call);
    const isFinal = kind === 'query' && finalAt !== undefined && this.now() >= finalAt;
    return isFinal && this.times.knownForMs(call) < call.maxFlightMs;
  }

  private async one(scope: CommandScope, due: DueProbe): Promise<SessionState | undefined> {
    const requestedAt = this.now();
    const answer = await this.answerTo(scope, due);
    if (answer === 'later') return undefined;
    const observedAt = this.now();
    const { state } = await this.handling.handle(scope, (context) => {
      const bodyHash = answer && context.hash(answer.body);
      const evidence = { statusCode: answer?.status, bodyHash, observedAt };
      const common = {
        commandId: `http:${due.callId}:${due.probeNo}`,
        now: context.now,
        callId: due.callId,
        requestedAt,
      };
      return [{ ...common, ...found(due, answer, evidence) }];
    });
    return state;
  }

  /** Undefined: there was none. `later`: not asked, this minute's requests are used up. */
  private async answerTo(
    { tenantId, sessionId }: CommandScope,
    { callId, request, url }: DueProbe,
  ): Promise<EgressAnswer | 'later' | undefined> {
    if (url === undefined) return undefined;
    try {
      const { method, headers } = request;
      return await this.egress.send({ tenantId, url, method, headers });
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

type Seen = Pick<ProbeEvidence, 'statusCode' | 'bodyHash' | 'observedAt'>;

function found(due: DueProbe, answer: EgressAnswer | undefined, seen: Seen) {
  const evidence = { ...seen, method: due.request.method, target: due.request.urlTemplate };
  if (due.kind === 'void') {
    const voided = answer !== undefined && due.request.voidedStatus.includes(answer.status);
    return { type: 'RecordVoid' as const, voided, evidence };
  }
  const { answer: said, externalRef, excerpt } = read(due.request, answer);
  return {
    type: 'RecordProbe' as const,
    source: 'http' as const,
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
    return readProbeAnswer(probe, status, JSON.parse(body.toString('utf8')) as Json);
  } catch {
    return { answer: 'error' };
  }
}
