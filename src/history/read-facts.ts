import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { FactKind } from '../domain/content.js';
import type { SessionEventRecord } from '../domain/events.js';
import type { FactPointer, StreamPosition } from '../domain/events/positions.js';
import { factKey } from '../domain/past.js';
import { Rejection } from '../domain/rejection.js';
import { isHidden } from '../domain/shown.js';
import type { SessionState } from '../domain/state.js';
import { HistoryReader } from './history-reader.js';
import { own } from '../domain/own.js';

/** The words of a fact, and where they stand. */
export interface FactVersion {
  readonly factId: string;
  readonly version: number;
  readonly kind: FactKind;
  readonly text: string;
  readonly retired: boolean;
  /** The event; of an ancestor for what a fork has inherited. */
  readonly at: StreamPosition;
  readonly recordedAt: string;
  readonly actor: string;
}

export interface FactHistory {
  readonly factId: string;
  /** What holds now; absent if the fact was retired, or a revert has hidden it. */
  readonly current?: FactVersion;
  /** The newest first. */
  readonly versions: readonly (FactVersion & { readonly hidden: boolean })[];
  /** How many older ones there are. */
  readonly more: number;
}

interface OfSession {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** The facts that a session's next context shows, now or at a revision. */
export class ListFacts extends Query<readonly FactVersion[]> {
  constructor(
    readonly scope: OfSession,
    readonly request: { readonly at?: number; readonly includeRetired?: boolean } = {},
  ) {
    super();
  }
}

@QueryHandler(ListFacts)
export class ListFactsHandler implements IQueryHandler<ListFacts, readonly FactVersion[]> {
  constructor(private readonly history: HistoryReader) {}

  async execute({ scope, request }: ListFacts): Promise<readonly FactVersion[]> {
    const state = await this.history.readable(scope.tenantId, scope.sessionId, request.at);
    return factsOf(this.history, scope.tenantId, state, request.includeRetired === true);
  }
}

/** One fact with all its words, the ones that a revert has hidden too. */
export class ReadFact extends Query<FactHistory> {
  constructor(
    readonly scope: OfSession,
    readonly factId: string,
    readonly versionsMax: number,
  ) {
    super();
  }
}

@QueryHandler(ReadFact)
export class ReadFactHandler implements IQueryHandler<ReadFact, FactHistory> {
  constructor(private readonly history: HistoryReader) {}

  async execute({ scope, factId, versionsMax }: ReadFact): Promise<FactHistory> {
    const state = await this.history.readable(scope.tenantId, scope.sessionId);
    const records = await this.history.byKeys(scope.tenantId, state, [factKey(factId)]);
    const versions = records.flatMap((record) =>
      factsIn(record)
        .filter((fact) => fact.factId === factId)
        .map((fact) => ({ ...fact, hidden: isHidden(record, state.hidden) })),
    );
    if (versions.length === 0) {
      throw new Rejection('not_found', `session ${scope.sessionId} has no fact ${factId}`);
    }
    const pointer = own(state.facts, factId);
    const found = versions.find((version) => isAt(version, pointer));
    const newest = versions.reverse().slice(0, versionsMax);
    return {
      factId,
      current: pointer?.retired === true ? undefined : found && withoutHidden(found),
      versions: newest,
      more: versions.length - newest.length,
    };
  }
}

export async function factsOf(
  history: HistoryReader,
  tenantId: string,
  state: SessionState,
  includeRetired = false,
): Promise<readonly FactVersion[]> {
  const pointers = Object.values(state.facts).filter((fact) => includeRetired || !fact.retired);
  const records = await history.recordsAt(
    tenantId,
    pointers.map(({ at }) => at),
  );
  const words = records.flatMap(factsIn);
  return pointers.flatMap((pointer) => {
    const found = words.find((fact) => isAt(fact, pointer));
    return found === undefined ? [] : [{ ...found, retired: pointer.retired === true }];
  });
}

function factsIn(record: SessionEventRecord): readonly FactVersion[] {
  const { sessionId, revision, recordedAt, metadata, event } = record;
  if (event.type !== 'FactsRecorded') return [];
  const place = { at: { sessionId, revision }, recordedAt, actor: metadata.actor };
  return event.data.facts.map(({ factId, version, kind, text, retired = false }) => ({
    factId,
    version,
    kind,
    text,
    retired,
    ...place,
  }));
}

function isAt(fact: FactVersion, pointer: FactPointer | undefined): boolean {
  return (
    fact.factId === pointer?.factId &&
    fact.at.sessionId === pointer.at.sessionId &&
    fact.at.revision === pointer.at.revision
  );
}

function withoutHidden({ hidden: _hidden, ...fact }: FactHistory['versions'][number]): FactVersion {
  return fact;
}
