import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { HASHER, type SessionHasher } from '../app/tokens.js';
import { type ContextRequest, type ReadyContext, buildContext } from '../context/build-context.js';
import type { SessionState } from '../domain/state.js';
import { ContextProblemError } from './context-problem.js';
import { HistoryReader } from './history-reader.js';

export interface ReadContextAnswer {
  readonly state: SessionState;
  readonly context: ReadyContext;
}

/** The exact next model input of a session, now or as it was at a revision. */
export class ReadContext extends Query<ReadContextAnswer> {
  constructor(
    readonly scope: { readonly tenantId: string; readonly sessionId: string },
    readonly request: ContextRequest,
    readonly at?: number,
  ) {
    super();
  }
}

@QueryHandler(ReadContext)
export class ReadContextHandler implements IQueryHandler<ReadContext, ReadContextAnswer> {
  constructor(
    private readonly history: HistoryReader,
    @Inject(HASHER) private readonly hasher: SessionHasher,
  ) {}

  /** @throws ContextProblemError when no input can be made that its provider would take. */
  async execute({ scope, request, at }: ReadContext): Promise<ReadContextAnswer> {
    const { state, source } = await this.history.read(scope.tenantId, scope.sessionId, at);
    const hash = (text: string) => this.hasher(scope.tenantId, scope.sessionId, text);
    const context = buildContext(source, request, { hash });
    if ('problem' in context) throw new ContextProblemError(context);
    return { state, context };
  }
}
