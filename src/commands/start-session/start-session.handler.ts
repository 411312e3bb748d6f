import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Configuration } from '../../config/configuration.js';
import type { Fence } from '../../domain/commands.js';
import { Rejection } from '../../domain/rejection.js';
import { refuseSpawning } from '../../domain/spawning.js';
import { exists } from '../../domain/state.js';
import { childSessionId, sessionStream } from '../../identity/derived-ids.js';
import { CONFIGURATION } from '../../tokens.js';
import type { CommandScope } from '../command-scope.js';
import { fenceOf } from '../dto/owned-body.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { ManifestCheck } from '../manifest-check.js';
import { SessionRequest, identityOf } from '../session-command.js';
import { SessionRepository } from '../session-repository.js';
import type { ParentBody, StartSessionBody } from './start-session.dto.js';

export class StartSession extends SessionRequest<StartSessionBody> {}

@CommandHandler(StartSession)
export class StartSessionHandler implements ICommandHandler<StartSession, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly sessions: SessionRepository,
    private readonly manifests: ManifestCheck,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async execute({ scope, body }: StartSession): Promise<HandledCommand> {
    const { ancestors, parent } = await this.familyOf(scope, body.parent);
    const tools = this.manifests.complete(body.tools);
    return this.handling.handle(scope, (context) => [
      {
        type: 'StartSession',
        // The id is the same, whether it was sent or made.
        ...identityOf(context, scope.sessionId, { ...body, sessionId: scope.sessionId, parent }),
        sessionId: scope.sessionId,
        title: body.title,
        labels: body.labels,
        profile: body.profile,
        tools,
        recoveryMode: body.recoveryMode ?? this.configuration.recoveryMode,
        parent,
        ancestors,
      },
    ]);
  }

  /** The parent first, then its own ancestors: costs flow up along this list. */
  private async familyOf(scope: CommandScope, body: ParentBody | undefined): Promise<Family> {
    if (body === undefined) return { ancestors: [] };
    // The proof of ownership is for this request alone.
    const { epoch, claimToken, ...parent } = body;
    const state = await this.sessions.loadCurrent(sessionStream(scope.tenantId, parent.sessionId));
    if (!exists(state)) {
      throw new Rejection('not_found', `there is no parent session ${parent.sessionId}`, {
        parentId: parent.sessionId,
      });
    }
    const { spawningCallId } = parent;
    if (spawningCallId !== undefined) refuseOtherId(scope, parent.sessionId, spawningCallId);
    if (spawningCallId !== undefined || epoch !== undefined || claimToken !== undefined) {
      refuseSpawning(state, givenFence(epoch, claimToken), spawningCallId);
    }
    return { parent, ancestors: [parent.sessionId, ...state.ancestors] };
  }
}

interface Family {
  readonly parent?: Omit<ParentBody, 'epoch' | 'claimToken'>;
  readonly ancestors: readonly string[];
}

/** One child for each call: whoever goes on with the call finds the one that is there. */
function refuseOtherId({ sessionId }: CommandScope, parentId: string, callId: string): void {
  const expected = childSessionId(parentId, callId);
  if (sessionId === expected) return;
  throw new Rejection(
    'invalid_request',
    `the session that call ${callId} starts has the id ${expected}: leave out sessionId`,
    { sessionId: expected },
  );
}

function givenFence(epoch: number | undefined, claimToken: string | undefined): Fence {
  if (epoch === undefined || claimToken === undefined) {
    throw new Rejection(
      'invalid_request',
      'a run starts a session with parent.epoch and parent.claimToken, both of your claim of the parent',
    );
  }
  return fenceOf({ epoch, claimToken });
}
