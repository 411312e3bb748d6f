import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock } from '../app/tokens.js';
import type { CommandScope } from '../commands/command-scope.js';
import { CommandHandling } from '../commands/handle-command.js';
import type { Json } from '../domain/content.js';
import { type HttpProbeReading, readProbeAnswer } from '../domain/http-probe.js';
import { type DueProbe, dueProbes } from '../domain/next-probe.js';
import type { SessionState } from '../domain/state.js';
import { EgressError } from '../egress/egress-error.js';
import { Egress } from '../egress/egress.js';
import type { EgressAnswer } from '../egress/send-request.js';

interface Asked {
  readonly reading: HttpProbeReading;
  readonly statusCode?: number;
  readonly body?: Buffer;
}

/**
 * Sends the status queries that are due and records what came back. What is kept: status, a keyed
 * hash of the body, and the fields that the manifest maps; the body itself goes no further.
 */
@Injectable()
export class SendProbes {
  private readonly log = new Logger(SendProbes.name);

  constructor(
    private readonly egress: Egress,
    private readonly handling: CommandHandling,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async due(scope: CommandScope, from: SessionState): Promise<SessionState> {
    let state = from;
    for (const probe of dueProbes(state, this.now())) {
      state = (await this.one(scope, probe)) ?? state;
    }
    return state;
  }

  private async one(scope: CommandScope, due: DueProbe): Promise<SessionState | undefined> {
    const requestedAt = this.now();
    const asked = await this.ask(scope, due);
    if (asked === undefined) return undefined;
    const { reading, statusCode, body } = asked;
    const { state } = await this.handling.handle(scope, (context) => [
      {
        type: 'RecordProbe',
        commandId: `http:${due.callId}:${due.probeNo}`,
        now: context.now,
        callId: due.callId,
        source: 'http',
        requestedAt,
        answer: reading.answer,
        evidence: {
          method: due.probe.method,
          target: due.probe.urlTemplate,
          statusCode,
          bodyHash: body && context.hash(body),
          externalRef: reading.externalRef,
          excerpt: reading.excerpt,
          observedAt: this.now(),
        },
      },
    ]);
    return state;
  }

  /** Undefined: not asked, because this minute's requests are used up. */
  private async ask(
    { tenantId, sessionId }: CommandScope,
    { callId, probe, url }: DueProbe,
  ): Promise<Asked | undefined> {
    if (url === undefined) return { reading: { answer: 'error' } };
    try {
      const { method, headers } = probe;
      const answer = await this.egress.send({ tenantId, url, method, headers });
      return { reading: read(probe, answer), statusCode: answer.status, body: answer.body };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      this.log.warn(`session ${sessionId}, call ${callId}: no answer: ${error.message}`);
      return error.failure === 'tooManyRequests' ? undefined : { reading: { answer: 'error' } };
    }
  }

  private now(): string {
    return new Date(this.clock()).toISOString();
  }
}

/** A body that calls itself JSON and is not says nothing, whatever its status. */
function read(probe: DueProbe['probe'], answer: EgressAnswer): HttpProbeReading {
  const { status, body } = answer;
  if (!answer.isJson || body.byteLength === 0) return readProbeAnswer(probe, status, undefined);
  try {
    return readProbeAnswer(probe, status, JSON.parse(body.toString('utf8')) as Json);
  } catch {
    return { answer: 'error' };
  }
}
