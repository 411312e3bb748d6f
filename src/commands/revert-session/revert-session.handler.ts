import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import type { CommandOf } from '../../domain/commands.js';
import { Rejection } from '../../domain/rejection.js';
import { shownBy } from '../../domain/shown.js';
import { type SessionState, exists } from '../../domain/state.js';
import { type LastingEffects, ReadEffects } from '../../history/read-effects.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type { CommandScope } from '../command-scope.js';
import { FindCut } from '../find-cut.js';
import { CommandHandling, type HandledCommand } from '../handle-command.js';
import { SessionRequest, identityOf, requiredKey } from '../session-command.js';
import { SessionRepository } from '../session-repository.js';
import type { RevertSessionBody } from './revert-session.dto.js';

export interface RevertedSession extends HandledCommand {
  /** What a revert does not undo. */
  readonly effects: LastingEffects;
}

export class RevertSession extends Command<RevertedSession> {
  constructor(
    readonly scope: CommandScope,
    readonly body: RevertSessionBody,
  ) {
    super();
  }
}

/** The session shows what a fork from that place would show. */
@CommandHandler(RevertSession)
export class RevertSessionHandler implements ICommandHandler<RevertSession, RevertedSession> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly sessions: SessionRepository,
    private readonly cuts: FindCut,
    private readonly queries: QueryBus,
  ) {}

  async execute({ scope, body }: RevertSession): Promise<RevertedSession> {
    const before = await loadExisting(this.sessions, scope);
    const cut = await this.cuts.find(scope.tenantId, before, body, 'before');
    if (cut === undefined) {
      throw new Rejection('invalid_request', 'say with `at` or `messageId` what to go back to');
    }
    const handled = await this.handling.handle(scope, (context) => [
      {
        type: 'RevertSession',
        ...identityOf(context, requiredKey(context, 'a revert'), body),
        to: cut.at,
        then: shownBy(cut.then),
        unseenInputs: body.unseenInputs,
      },
    ]);
    const then = { ...handled.state, revision: handled.receipt.revision };
    const query = new ReadEffects(scope.tenantId, then, cut.at);
    return { ...handled, effects: await this.queries.execute(query) };
  }
}

export class ClearRevert extends SessionRequest<object> {}

@CommandHandler(ClearRevert)
export class ClearRevertHandler implements ICommandHandler<ClearRevert, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly sessions: SessionRepository,
  ) {}

  async execute({ scope }: ClearRevert): Promise<HandledCommand> {
    const state = await loadExisting(this.sessions, scope);
    const before = await this.shownBefore(scope, state);
    const ownId = `clear:${before?.revertedAt ?? 'nothing'}`;
    return this.handling.handle(scope, (context) => [
      { type: 'ClearRevert', ...identityOf(context, ownId, {}), before },
    ]);
  }

  private async shownBefore(
    { tenantId, sessionId }: CommandScope,
    { revert }: SessionState,
  ): Promise<CommandOf<'ClearRevert'>['before']> {
    if (revert === undefined) return undefined;
    const revertedAt = revert.revision;
    const state = await this.sessions.loadAt(sessionStream(tenantId, sessionId), revertedAt - 1);
    return { revertedAt, shown: shownBy(state) };
  }
}

async function loadExisting(
  sessions: SessionRepository,
  { tenantId, sessionId }: CommandScope,
): Promise<SessionState> {
  const state = await sessions.loadCurrent(sessionStream(tenantId, sessionId));
  if (!exists(state)) throw new Rejection('not_found', `there is no session ${sessionId}`);
  return state;
}
