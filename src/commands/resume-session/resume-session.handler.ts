import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Rejection } from '../../domain/rejection.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type { EventCodec } from '../../storage/event-codec.js';
import type { EventStore } from '../../storage/event-store.js';
import { CODEC, EVENT_STORE } from '../../tokens.js';
import type { CommandScope } from '../command-scope.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { SessionRequest, identityOf, requiredKey } from '../session-command.js';
import type { ResumeSessionBody } from './resume-session.dto.js';

export class ResumeSession extends SessionRequest<ResumeSessionBody> {
  constructor(
    scope: CommandScope,
    body: ResumeSessionBody,
    /** The sender may resume only what it started itself. */
    readonly ownOnly = false,
  ) {
    super(scope, body);
  }
}

@CommandHandler(ResumeSession)
export class ResumeSessionHandler implements ICommandHandler<ResumeSession, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
  ) {}

  async execute({ scope, body, ownOnly }: ResumeSession): Promise<HandledCommand> {
    if (ownOnly) await this.refuseForeign(scope);
    return this.handling.handle(scope, (context) => [
      {
        type: 'ResumeSession',
        ...identityOf(context, requiredKey(context, 'a resume'), body),
        note: body.note,
      },
    ]);
  }

  /** Who started a session never changes, so the check cannot be overtaken by another append. */
  private async refuseForeign({ tenantId, sessionId, actor }: CommandScope): Promise<void> {
    const stream = sessionStream(tenantId, sessionId);
    const [first] = await this.events.read(stream, { from: 0, maxCount: 1 });
    if (first === undefined) return;
    if (this.codec.decode(first).metadata.actor === actor) return;
    throw new Rejection('forbidden', 'this key resumes only sessions that it started itself', {
      needed: ['session:resume'],
    });
  }
}
