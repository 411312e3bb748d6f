import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SessionRepository } from '../commands/session-repository.js';
import { exists } from '../domain/state.js';
import {
  CHILD_SESSION_PROBE,
  NamedProbes,
  type ProbeFinding,
  type ProbeQuestion,
} from '../egress/named-probes.js';
import { childSessionId, sessionStream } from '../identity/derived-ids.js';

/**
 * Of a call that starts a child session: the child is named after the call, so its own stream tells
 * what became of it. The end of its run is the outcome (reconciliation protocol, §15.3).
 */
@Injectable()
export class ChildSessionProbe implements OnModuleInit {
  constructor(
    private readonly named: NamedProbes,
    private readonly sessions: SessionRepository,
  ) {}

  onModuleInit(): void {
    this.named.give(CHILD_SESSION_PROBE, (question) => this.ask(question));
  }

  async ask({ tenantId, sessionId, callId }: ProbeQuestion): Promise<ProbeFinding> {
    const externalRef = childSessionId(sessionId, callId);
    const child = await this.sessions.loadCurrent(sessionStream(tenantId, externalRef));
    if (!exists(child)) return { answer: 'notFound' };
    const isOver = child.run === undefined && child.lastRun !== undefined;
    return isOver
      ? { answer: 'found', externalRef, excerpt: child.lastRun?.outcome }
      : { answer: 'inProgress', externalRef };
  }
}
