import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Rejection } from '../../domain/rejection.js';
import { exists } from '../../domain/state.js';
import { sessionStream } from '../../identity/derived-ids.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { ManifestCheck } from '../manifest-check.js';
import { SessionRequest, identityOf } from '../session-command.js';
import { SessionRepository } from '../session-repository.js';
import type { StartSessionBody } from './start-session.dto.js';

export class StartSession extends SessionRequest<StartSessionBody> {}

@CommandHandler(StartSession)
export class StartSessionHandler implements ICommandHandler<StartSession, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly sessions: SessionRepository,
    private readonly manifests: ManifestCheck,
  ) {}

  async execute({ scope, body }: StartSession): Promise<HandledCommand> {
    const ancestors = await this.ancestorsOf(scope.tenantId, body.parent?.sessionId);
    const tools = this.manifests.complete(body.tools);
    return this.handling.handle(scope, (context) => [
      {
        type: 'StartSession',
        ...identityOf(context, scope.sessionId, body),
        sessionId: scope.sessionId,
        title: body.title,
        labels: body.labels,
        profile: body.profile,
        tools,
        recoveryMode: body.recoveryMode,
        parent: body.parent,
        ancestors,
      },
    ]);
  }

  /** The parent first, then its own ancestors: costs flow up along this list. */
  private async ancestorsOf(tenantId: string, parentId: string | undefined) {
    if (parentId === undefined) return [];
    const parent = await this.sessions.loadCurrent(sessionStream(tenantId, parentId));
    if (!exists(parent)) {
      throw new Rejection('not_found', `there is no parent session ${parentId}`, { parentId });
    }
    return [parentId, ...parent.ancestors];
  }
}
