import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Json } from '../domain/content.js';
import type { SessionEventRecord } from '../domain/events.js';
import { callKey, callsIn } from '../domain/past.js';
import { Rejection } from '../domain/rejection.js';
import type { CallState, CallStatus, SessionState } from '../domain/state.js';
import { ContextProblemError } from '../history/context-problem.js';
import { HistoryReader } from '../history/history-reader.js';
import { ReadContextHandler, ReadContext } from '../history/read-context.js';
import { type FactVersion, factsOf } from '../history/read-facts.js';
import { GetSessionCost } from '../projections/cost-tree/cost-tree.query.js';
import type { Figures } from '../projections/cost-tree/figures.js';
import { type ChangedField, changedFields } from './state-fields.js';

/** Events between two versions that are read; a longer stretch is compared in parts. */
export const VERSIONS_APART_MAX = 10_000;
/** Messages that are shown of each side; what is over is counted. */
export const MESSAGES_SHOWN_MAX = 200;

export interface ChangedCall {
  readonly callId: string;
  readonly tool: string;
  /** Absent: it had not been requested. */
  readonly before?: CallStatus;
  readonly after: CallStatus;
  readonly attempts: number;
}

export interface ChangedContext {
  /** Messages at the beginning that are the same, byte for byte. */
  readonly same: number;
  /** What stood behind them, and what stands there now; at most `MESSAGES_SHOWN_MAX` each. */
  readonly removed: readonly Json[];
  readonly added: readonly Json[];
  readonly removedCount: number;
  readonly addedCount: number;
  readonly tokensBefore: number | null;
  /** null: at that version no input could be made that a provider takes. */
  readonly tokensAfter: number | null;
}

interface TreeCost {
  readonly own?: Figures;
  readonly inclusive?: Figures;
}

export interface VersionDifference {
  readonly sessionId: string;
  readonly from: number;
  readonly to: number;
  readonly events: {
    readonly count: number;
    readonly byType: Readonly<Record<string, number>>;
    readonly byActor: Readonly<Record<string, number>>;
  };
  readonly state: readonly ChangedField[];
  readonly calls: readonly ChangedCall[];
  readonly facts: readonly {
    readonly factId: string;
    readonly before?: FactVersion;
    readonly after?: FactVersion;
  }[];
  readonly context: ChangedContext;
  readonly cost: { readonly before: TreeCost; readonly after: TreeCost };
}

/** What changed in a session between two of its versions. */
export class CompareVersions extends Query<VersionDifference> {
  constructor(
    readonly scope: { readonly tenantId: string; readonly sessionId: string },
    readonly from: number,
    /** The newest when absent. */
    readonly to?: number,
  ) {
    super();
  }
}

@QueryHandler(CompareVersions)
export class CompareVersionsHandler implements IQueryHandler<CompareVersions, VersionDifference> {
  constructor(
    private readonly history: HistoryReader,
    private readonly contexts: ReadContextHandler,
    private readonly queries: QueryBus,
  ) {}

  /** @throws Rejection `not_found`, `invalid_request`. */
  async execute({ scope, from, to: wanted }: CompareVersions): Promise<VersionDifference> {
    const { tenantId, sessionId } = scope;
    const after = await this.history.stateOf(tenantId, sessionId, wanted);
    const to = after.revision;
    refuseRange(from, to);
    const before = await this.history.stateOf(tenantId, sessionId, from);
    const records = await this.recordsBetween(tenantId, { sessionId, from: from + 1, to });
    return {
      sessionId,
      from,
      to,
      events: countsOf(records),
      state: changedFields(before, after),
      calls: await this.callsChanged(tenantId, after, from, records),
      facts: await this.factsChanged(tenantId, before, after),
      context: await this.contextChanged(scope, from, to),
      cost: { before: await this.costAt(scope, from), after: await this.costAt(scope, to) },
    };
  }

  private async recordsBetween(
    tenantId: string,
    segment: { readonly sessionId: string; readonly from: number; readonly to: number },
  ): Promise<readonly SessionEventRecord[]> {
    const records: SessionEventRecord[] = [];
    for await (const page of this.history.pages(tenantId, segment)) records.push(...page);
    return records;
  }

  private async callsChanged(
    tenantId: string,
    after: SessionState,
    from: number,
    records: readonly SessionEventRecord[],
  ): Promise<readonly ChangedCall[]> {
    const ids = new Set(records.flatMap(({ event: { data } }) => callIdIn(data)));
    if (ids.size === 0) return [];
    const found = await this.history.byKeys(tenantId, after, [...ids].map(callKey));
    const isLater = ({ sessionId, revision }: SessionEventRecord): boolean =>
      sessionId === after.sessionId && revision > from;
    const then = callsIn(found.filter((record) => !isLater(record)));
    const now = callsIn(found);
    return [...ids].flatMap((callId) => changedCall(then.get(callId), now.get(callId)));
  }

  private async factsChanged(
    tenantId: string,
    before: SessionState,
    after: SessionState,
  ): Promise<VersionDifference['facts']> {
    const then = new Map(
      (await factsOf(this.history, tenantId, before)).map((fact) => [fact.factId, fact]),
    );
    const now = new Map(
      (await factsOf(this.history, tenantId, after)).map((fact) => [fact.factId, fact]),
    );
    return [...new Set([...then.keys(), ...now.keys()])]
      .map((factId) => ({ factId, before: then.get(factId), after: now.get(factId) }))
      .filter((fact) => fact.before?.version !== fact.after?.version);
  }

  private async contextChanged(
    scope: CompareVersions['scope'],
    from: number,
    to: number,
  ): Promise<ChangedContext> {
    const before = await this.messagesAt(scope, from);
    const after = await this.messagesAt(scope, to);
    const same = sameAtBeginning(before.messages, after.messages);
    const [removed, added] = [before.messages.slice(same), after.messages.slice(same)];
    return {
      same,
      removed: removed.slice(0, MESSAGES_SHOWN_MAX),
      added: added.slice(0, MESSAGES_SHOWN_MAX),
      removedCount: removed.length,
      addedCount: added.length,
      tokensBefore: before.tokens,
      tokensAfter: after.tokens,
    };
  }

  private async messagesAt(
    scope: CompareVersions['scope'],
    at: number,
  ): Promise<{ readonly messages: readonly Json[]; readonly tokens: number | null }> {
    try {
      const { context } = await this.contexts.build(
        new ReadContext(scope, { format: 'neutral' }, at),
      );
      return { messages: context.messages, tokens: context.estimatedTokens };
    } catch (error) {
      if (error instanceof ContextProblemError) return { messages: [], tokens: null };
      throw error;
    }
  }

  private async costAt(
    { tenantId, sessionId }: CompareVersions['scope'],
    version: number,
  ): Promise<TreeCost> {
    const wish = { asOf: `version:${version}` };
    const { cost } = await this.queries.execute(new GetSessionCost(tenantId, sessionId, wish));
    return { own: cost?.own, inclusive: cost?.inclusive };
  }
}

function refuseRange(from: number, to: number): void {
  if (from > to) {
    throw new Rejection('invalid_request', `from is ${from}, behind ${to}: the older one is from`, {
      revision: to,
    });
  }
  if (to - from <= VERSIONS_APART_MAX) return;
  throw new Rejection(
    'invalid_request',
    `${to - from} events lie between the versions; compare at most ${VERSIONS_APART_MAX} at once`,
    { limit: 'versionsApartMax' },
  );
}

function callIdIn(data: object): readonly string[] {
  return 'callId' in data && typeof data.callId === 'string' ? [data.callId] : [];
}

function changedCall(
  then: CallState | undefined,
  now: CallState | undefined,
): readonly ChangedCall[] {
  if (now === undefined) return [];
  const { callId, tool, status, attempts } = now;
  if (then?.status === status && then.attempts.length === attempts.length) return [];
  return [{ callId, tool, before: then?.status, after: status, attempts: attempts.length }];
}

function countsOf(records: readonly SessionEventRecord[]): VersionDifference['events'] {
  return {
    count: records.length,
    byType: tally(records.map(({ event }) => event.type)),
    byActor: tally(records.map(({ metadata }) => metadata.actor)),
  };
}

function tally(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function sameAtBeginning(one: readonly Json[], other: readonly Json[]): number {
  const end = Math.min(one.length, other.length);
  for (let index = 0; index < end; index += 1) {
    if (JSON.stringify(one[index]) !== JSON.stringify(other[index])) return index;
  }
  return end;
}
