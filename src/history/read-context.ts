import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { HASHER, type SessionHasher, TOKENIZER } from '../tokens.js';
import { type ContextRequest, type ReadyContext, buildContext } from '../context/build-context.js';
import { contextIdOf, isContentOf, originOf } from '../context/context-id.js';
import type { Tokenizer } from '../context/tokenizer.js';
import { frozen } from '../domain/frozen.js';
import { Rejection } from '../domain/rejection.js';
import type { SessionState } from '../domain/state.js';
import { TenantRedaction } from '../commands/redaction/tenant-redaction.js';
import { ContextLostError, ContextProblemError } from './context-problem.js';
import { HistoryReader } from './history-reader.js';
import { Renderings } from './renderings.js';

interface SessionScope {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** A context that can be shown again under its id. */
export interface KeptContext extends ReadyContext {
  readonly contextId: string;
}

export interface ReadContextAnswer {
  readonly state: SessionState;
  readonly context: KeptContext;
}

interface BuiltContext {
  readonly state: SessionState;
  readonly context: ReadyContext;
}

/** The exact next model input of a session, now or as it was at a revision. */
export class ReadContext extends Query<ReadContextAnswer> {
  constructor(
    readonly scope: SessionScope,
    readonly request: ContextRequest,
    readonly at?: number,
  ) {
    super();
  }
}

/** A model input as it was handed out once, byte for byte. */
export class ReadPastContext extends Query<ReadContextAnswer> {
  constructor(
    readonly scope: SessionScope,
    readonly contextId: string,
  ) {
    super();
  }
}

@QueryHandler(ReadContext)
export class ReadContextHandler implements IQueryHandler<ReadContext, ReadContextAnswer> {
  constructor(
    private readonly history: HistoryReader,
    private readonly renderings: Renderings,
    @Inject(HASHER) private readonly hasher: SessionHasher,
    @Inject(TOKENIZER) private readonly tokenizer: Tokenizer | undefined,
    private readonly redaction: TenantRedaction,
  ) {}

  /** @throws ContextProblemError when no input can be made that its provider would take. */
  async execute(query: ReadContext): Promise<ReadContextAnswer> {
    const { tenantId, sessionId } = query.scope;
    const request = await this.withoutSecrets(query.scope, query.request);
    const { state, context } = await this.build({ ...query, request });
    const renderingHash = await this.renderings.keep({ tenantId, sessionId }, request);
    const { revision } = state;
    const { contentHash } = context;
    const contextId = contextIdOf({ revision, renderingHash, contentHash });
    return { state, context: { contextId, ...context } };
  }

  /** What is kept of a rendering is what the model gets. */
  private async withoutSecrets(
    scope: SessionScope,
    request: ContextRequest,
  ): Promise<ContextRequest> {
    if (request.instructions === undefined && request.tools === undefined) return request;
    const redactor = await this.redaction.beforeAppend(scope);
    const { instructions, tools } = request;
    const { value } = redactor?.redact({ instructions, tools }) ?? { value: {} };
    return { ...request, ...value };
  }

  /** Without a trace: nothing is kept of it. */
  async build({
    scope,
    request,
    at,
  }: Pick<ReadContext, 'scope' | 'request' | 'at'>): Promise<BuiltContext> {
    const { tenantId, sessionId } = scope;
    const { state, source } = await this.history.read(tenantId, sessionId, at);
    const hash = await this.hasher(tenantId, sessionId);
    const { tokenizer } = this;
    const context = buildContext(source, request, { hash, tokenizer });
    if ('problem' in context) throw new ContextProblemError(context);
    // Its contents are those of the events in memory, which other branches read as well.
    return { state, context: frozen(context) };
  }
}

@QueryHandler(ReadPastContext)
export class ReadPastContextHandler implements IQueryHandler<ReadPastContext, ReadContextAnswer> {
  constructor(
    private readonly history: HistoryReader,
    private readonly renderings: Renderings,
    private readonly contexts: ReadContextHandler,
  ) {}

  /**
   * @throws Rejection `not_found` for an id that no context of this session has.
   * @throws ContextLostError when it cannot be built again as it was.
   */
  async execute({ scope, contextId }: ReadPastContext): Promise<ReadContextAnswer> {
    const { tenantId, sessionId } = scope;
    const { revision: newest } = await this.history.readable(tenantId, sessionId);
    const origin = originOf(contextId);
    const request =
      origin === undefined || origin.revision > newest
        ? undefined
        : await this.renderings.find({ tenantId, sessionId }, origin.renderingHash);
    if (origin === undefined || request === undefined) {
      throw new Rejection('not_found', `session ${sessionId} has no context with this id`);
    }
    const { state, context } = await this.again(new ReadContext(scope, request, origin.revision));
    if (!isContentOf(origin, context.contentHash)) throw new ContextLostError();
    return { state, context: { contextId, ...context } };
  }

  private async again(query: ReadContext): Promise<BuiltContext> {
    try {
      return await this.contexts.build(query);
    } catch (error) {
      if (error instanceof ContextProblemError) throw new ContextLostError();
      throw error;
    }
  }
}
