import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Configuration } from '../../config/configuration.js';
import { sessionErased } from '../../domain/decide-erasure.js';
import { frozen } from '../../domain/frozen.js';
import type { EventOf } from '../../domain/events.js';
import { forkedFrom, unresolvedIn } from '../../domain/forked.js';
import { Rejection } from '../../domain/rejection.js';
import { type SessionState, exists } from '../../domain/state.js';
import { derivedId, sessionStream } from '../../identity/derived-ids.js';
import type { SessionEraser } from '../../storage/session-eraser.js';
import { CONFIGURATION, ERASER } from '../../tokens.js';
import type { CommandScope } from '../command-scope.js';
import { FindCut } from '../find-cut.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { InheritOutcomes } from '../inherit-outcomes.js';
import { madeId } from '../made-id.js';
import { SessionRequest, identityOf } from '../session-command.js';
import { SessionRepository } from '../session-repository.js';
import type { ForkSessionBody } from './fork-session.dto.js';

/** `scope.sessionId` is the parent; the fork is a new session with a stream of its own. */
export class ForkSession extends SessionRequest<ForkSessionBody> {}

/** Writes one event into the fork's stream and nothing into the parent's, whatever its length. */
@CommandHandler(ForkSession)
export class ForkSessionHandler implements ICommandHandler<ForkSession, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly sessions: SessionRepository,
    private readonly cuts: FindCut,
    private readonly inherit: InheritOutcomes,
    @Inject(ERASER) private readonly eraser: SessionEraser,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async execute({ scope, body }: ForkSession): Promise<HandledCommand> {
    const stream = sessionStream(scope.tenantId, scope.sessionId);
    const parent = await this.sessions.loadCurrent(stream);
    if (!exists(parent)) {
      throw new Rejection('not_found', `there is no session ${scope.sessionId}`);
    }
    if (parent.erasure !== undefined) throw sessionErased(parent);
    const cut = await this.cuts.find(scope.tenantId, parent, body, 'through');
    const forkId = body.forkId ?? madeId(scope, 'fork');
    const forkScope = { ...scope, sessionId: forkId, ifRevision: undefined };
    const atCut = cut?.then ?? parent;
    const { recoveryMode = this.configuration.recoveryMode } = body;
    const outcomes = await this.outcomesSince(scope.tenantId, parent, atCut);
    const forked = await this.handling.handle(forkScope, (context) => [
      {
        type: 'ForkSession',
        ...identityOf(context, forkId, { ...body, parentId: scope.sessionId }),
        // Parts of the parent's state go on in the fork's: neither may change the other's.
        forked: frozen(forkedFrom(parent, atCut, { ...body, forkId, recoveryMode }, context.now)),
        outcomes,
      },
    ]);
    await this.eraseIfTooLate(forkScope, await this.sessions.loadCurrent(stream));
    return forked;
  }

  /** An erasure that began meanwhile did not see this fork, and nothing may be left to read. */
  private async eraseIfTooLate(scope: CommandScope, parent: SessionState): Promise<void> {
    if (parent.erasure === undefined) return;
    const keyId = await this.eraser.keyIdOf(scope);
    const own = { ...scope, idempotencyKey: undefined };
    const erasureId = derivedId('erasure', scope.tenantId, parent.sessionId, scope.sessionId);
    await this.handling.handle(own, ({ now }) => [
      {
        type: 'EraseSession',
        commandId: `erase:${erasureId}`,
        now,
        erasureId,
        reason: 'other',
        descendants: [],
        keyIds: keyId === undefined ? [] : [keyId],
        acknowledgeUnknown: true,
      },
    ]);
    throw sessionErased(parent);
  }

  /** What became known of the calls that were open at the cut; nothing if that is now. */
  private async outcomesSince(
    tenantId: string,
    parent: SessionState,
    atCut: SessionState,
  ): Promise<readonly EventOf<'InheritedOutcomeRecorded'>['data'][]> {
    if (atCut === parent) return [];
    const outcomes: EventOf<'InheritedOutcomeRecorded'>['data'][] = [];
    for (const call of unresolvedIn(atCut)) {
      if (call.status === 'requested') continue;
      const origin = call.originSessionId ?? atCut.sessionId;
      const learnt = (await this.inherit.learn(tenantId, call.callId, origin)).at(-1);
      if (learnt !== undefined) outcomes.push(learnt.data);
    }
    return outcomes;
  }
}
