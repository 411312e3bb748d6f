import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { TenantRedaction } from '../commands/redaction/tenant-redaction.js';
import type { ReadyContext } from '../context/build-context.js';
import type { Json } from '../domain/content.js';
import type { SessionEventRecord } from '../domain/events.js';
import { type SessionState, type SessionStatus, callsOf, statusOf } from '../domain/state.js';
import { ContextProblemError } from '../history/context-problem.js';
import { HistoryReader } from '../history/history-reader.js';
import { ReadContext, ReadContextHandler } from '../history/read-context.js';
import { redactEvent } from '../redaction/redact-event.js';
import type { Redactor } from '../redaction/redactor.js';
import { GetSessionCost } from '../projections/cost-tree/cost-tree.query.js';
import type { Figures } from '../projections/cost-tree/figures.js';

/** A session right after one of its events. */
export interface ReplayStep {
  readonly version: number;
  readonly record: SessionEventRecord;
  readonly status: SessionStatus;
  readonly calls: readonly { readonly tool: string; readonly state: string }[];
  readonly pendingInputs: number;
  /** The model input without instructions and tools; a reason where none could be made. */
  readonly context:
    | {
        readonly messages: readonly Json[];
        readonly estimatedTokens: number;
        /** What was repaired for a provider, and why. */
        readonly repairs: ReadyContext['repairs'];
      }
    | { readonly impossible: string };
  /** What the session's own model calls had cost. */
  readonly cost?: Figures;
}

export interface Replay {
  /** The newest version when the replay began; the first one is 0. */
  readonly newest: number;
  step(version: number): Promise<ReplayStep>;
  /** Events in order, from a version on. */
  events(from: number): AsyncIterable<SessionEventRecord>;
}

/** Opens a session to be looked at version by version. Nothing of it is written. */
export class ReplaySession extends Query<Replay> {
  constructor(
    readonly scope: { readonly tenantId: string; readonly sessionId: string },
    /** Applies the rules of now to what was stored earlier. */
    readonly redact = false,
  ) {
    super();
  }
}

@QueryHandler(ReplaySession)
export class ReplaySessionHandler implements IQueryHandler<ReplaySession, Replay> {
  constructor(
    private readonly history: HistoryReader,
    private readonly contexts: ReadContextHandler,
    private readonly queries: QueryBus,
    private readonly redaction: TenantRedaction,
  ) {}

  /** @throws Rejection `not_found` */
  async execute({ scope, redact }: ReplaySession): Promise<Replay> {
    const { tenantId, sessionId } = scope;
    const { revision: newest } = await this.history.stateOf(tenantId, sessionId);
    const { history } = this;
    const redactor = redact ? await this.redaction.forReading(tenantId) : undefined;
    return {
      newest,
      step: async (version) => masked(await this.step(scope, version), redactor),
      async *events(from) {
        const segment = { sessionId, from, to: newest };
        for await (const page of history.pages(tenantId, segment)) {
          for (const record of page) yield maskedRecord(record, redactor);
        }
      },
    };
  }

  private async step(scope: ReplaySession['scope'], version: number): Promise<ReplayStep> {
    const { tenantId, sessionId } = scope;
    const state = await this.history.stateOf(tenantId, sessionId, version);
    const [record] = await this.history.recordsAt(tenantId, [{ sessionId, revision: version }]);
    const wish = { asOf: `version:${version}` };
    const { cost } = await this.queries.execute(new GetSessionCost(tenantId, sessionId, wish));
    return {
      version,
      record: record!,
      ...standing(state),
      context: await this.contextAt(scope, version),
      cost: cost?.own,
    };
  }

  private async contextAt(
    scope: ReplaySession['scope'],
    version: number,
  ): Promise<ReplayStep['context']> {
    try {
      const request = new ReadContext(scope, { format: 'neutral' }, version);
      const { context } = await this.contexts.build(request);
      const { messages, estimatedTokens, repairs } = context;
      return { messages, estimatedTokens, repairs };
    } catch (error) {
      if (error instanceof ContextProblemError) return { impossible: error.message };
      throw error;
    }
  }
}

function masked(step: ReplayStep, redactor: Redactor | undefined): ReplayStep {
  if (redactor === undefined) return step;
  const context = redactor.redact(step.context).value;
  return { ...step, record: maskedRecord(step.record, redactor), context };
}

function maskedRecord(
  record: SessionEventRecord,
  redactor: Redactor | undefined,
): SessionEventRecord {
  if (redactor === undefined) return record;
  return { ...record, event: redactEvent(record.event, redactor).event };
}

function standing(state: SessionState): Pick<ReplayStep, 'status' | 'calls' | 'pendingInputs'> {
  const calls = callsOf(state).map(({ tool, status }) => ({ tool, state: status }));
  return { status: statusOf(state), calls, pendingInputs: state.pendingInputs.length };
}
