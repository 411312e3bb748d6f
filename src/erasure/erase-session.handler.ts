import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandScope } from '../commands/command-scope.js';
import { refuseUnknown } from '../domain/decide-erasure.js';
import { Rejection } from '../domain/rejection.js';
import { exists } from '../domain/state.js';
import { derivedId } from '../identity/derived-ids.js';
import type { EventStore } from '../storage/event-store.js';
import type { SessionEraser } from '../storage/session-eraser.js';
import { ERASER, EVENT_STORE } from '../tokens.js';
import type { EraseSessionBody } from './erase-session.dto.js';
import { type ErasureReport, ReportErasure } from './erasure-report.js';
import { Erasures } from './erasures.js';
import { type Descendant, FindDescendants } from './find-descendants.js';

export class EraseSession extends Command<ErasureReport> {
  constructor(
    readonly scope: CommandScope,
    readonly body: EraseSessionBody,
  ) {
    super();
  }
}

@CommandHandler(EraseSession)
export class EraseSessionHandler implements ICommandHandler<EraseSession, ErasureReport> {
  constructor(
    private readonly erasures: Erasures,
    private readonly descendants: FindDescendants,
    private readonly report: ReportErasure,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(ERASER) private readonly eraser: SessionEraser,
  ) {}

  /**
   * Doing it again goes on with it, destroys keys that came back from a backup, and answers the same.
   * @throws Rejection `not_found`, `has_descendants`, `unknown_outcomes`, `invalid_state`.
   */
  async execute({ scope, body }: EraseSession): Promise<ErasureReport> {
    const { sessionId } = scope;
    const state = await this.erasures.stateOf(scope);
    if (!exists(state)) throw new Rejection('not_found', `there is no session ${sessionId}`);
    if (state.erasure === undefined) await this.begin(scope, body);
    if (state.erasure?.completedAt !== undefined) {
      for (const erased of [...state.erasure.descendants, sessionId]) {
        await this.erasures.destroyAgain(scope.tenantId, erased);
      }
    }
    const done = await this.erasures.carryOut(scope);
    const { erasure } = await this.erasures.stateOf(scope);
    return this.report.of(scope, done === undefined ? 'pending' : 'done', erasure!);
  }

  private async begin(scope: CommandScope, body: EraseSessionBody): Promise<void> {
    const { tenantId, sessionId } = scope;
    const { reason, acknowledgeUnknown } = body;
    await this.refuseUnsealed(scope);
    const head = await this.events.headPosition();
    const found = await this.descendants.of(tenantId, sessionId, head);
    if (body.descendants === 'refuse') refuseForks(found);
    const erased = body.descendants === 'erase' ? found.map((one) => one.sessionId) : [];
    for (const descendant of erased) {
      const below = { ...scope, sessionId: descendant };
      await this.refuseUnsealed(below);
      refuseUnknown(await this.erasures.stateOf(below), acknowledgeUnknown);
    }
    const erasureId = derivedId('erasure', tenantId, sessionId);
    await this.erasures.begin(scope, {
      erasureId,
      reason,
      descendants: erased,
      acknowledgeUnknown,
    });
  }

  /** What was never encrypted cannot be made unreadable. */
  private async refuseUnsealed({ tenantId, sessionId }: CommandScope): Promise<void> {
    if ((await this.eraser.keyIdOf({ tenantId, sessionId })) !== undefined) return;
    throw new Rejection(
      'invalid_state',
      `session ${sessionId} was begun by an older version of Holdfast, without a key of its own: its ` +
        'content is not encrypted and cannot be erased',
      { sessionId },
    );
  }
}

function refuseForks(found: readonly Descendant[]): void {
  const forks = found.filter(({ edge }) => edge === 'fork');
  if (forks.length === 0) return;
  throw new Rejection(
    'has_descendants',
    'forks read the beginning of this session: erase them with it (descendants: erase), or first',
    { descendants: forks.map(({ sessionId }) => sessionId) },
  );
}
