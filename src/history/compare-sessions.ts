import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { SessionEventRecord } from '../domain/events.js';
import type { Segment, StreamPosition } from '../domain/events/positions.js';
import { idKey } from '../domain/past.js';
import { commonPrefix, segmentsBehind, segmentsOf } from '../domain/shown.js';
import type { SessionState } from '../domain/state.js';
import {
  type BranchCost,
  type BranchCounts,
  BranchDigest,
  type BranchItem,
} from './branch-digest.js';
import { HistoryReader } from './history-reader.js';
import { type FactVersion, factsOf } from './read-facts.js';

/** Events that are read of each branch; what comes later is neither listed nor counted. */
export const EVENTS_COMPARED_MAX = 20_000;

export interface Branch {
  readonly sessionId: string;
  readonly revision: number;
  /** What it has and the other one has not, in order. */
  readonly items: readonly BranchItem[];
  /** Give it as `from` for the next page. */
  readonly next?: number;
  readonly counts: BranchCounts;
  readonly cost: BranchCost;
  /** False if the branch is longer than what is read of it. */
  readonly complete: boolean;
}

export interface Comparison {
  readonly related: boolean;
  readonly common: {
    readonly events: number;
    /** The last event that both have. */
    readonly upTo?: StreamPosition;
    readonly segments: readonly Segment[];
  };
  readonly one: Branch;
  readonly other: Branch;
  /** Facts that do not have the same words in both. */
  readonly facts: readonly {
    readonly factId: string;
    readonly one?: FactVersion;
    readonly other?: FactVersion;
  }[];
}

export interface ComparisonPage {
  /** Items of each branch. */
  readonly first: number;
  /** Items to pass over. */
  readonly from: { readonly one: number; readonly other: number };
}

/** Two sessions from their common prefix on. */
export class CompareSessions extends Query<Comparison> {
  constructor(
    readonly tenantId: string,
    readonly sessionId: string,
    readonly withSessionId: string,
    readonly page: ComparisonPage,
  ) {
    super();
  }
}

@QueryHandler(CompareSessions)
export class CompareSessionsHandler implements IQueryHandler<CompareSessions, Comparison> {
  constructor(private readonly history: HistoryReader) {}

  async execute(query: CompareSessions): Promise<Comparison> {
    const { tenantId, page } = query;
    const one = await this.history.readable(tenantId, query.sessionId);
    const other = await this.history.readable(tenantId, query.withSessionId);
    const segments = commonPrefix(segmentsOf(one), segmentsOf(other));
    const last = segments.at(-1);
    const upTo = last && { sessionId: last.sessionId, revision: last.to };
    const events = segments.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    return {
      related: events > 0,
      common: { events, upTo, segments },
      one: await this.branch(tenantId, one, upTo, page.first, page.from.one),
      other: await this.branch(tenantId, other, upTo, page.first, page.from.other),
      facts: differing(
        await factsOf(this.history, tenantId, one),
        await factsOf(this.history, tenantId, other),
      ),
    };
  }

  private async branch(
    tenantId: string,
    state: SessionState,
    upTo: StreamPosition | undefined,
    first: number,
    from: number,
  ): Promise<Branch> {
    const { records, complete } = await this.read(tenantId, state, upTo);
    const earlier = await this.earlierInputs(tenantId, state, records);
    const digest = new BranchDigest((inputId) => earlier.get(inputId));
    for (const record of records) digest.read(record);
    const items = digest.page(from, first);
    const end = from + items.length;
    return {
      sessionId: state.sessionId,
      revision: state.revision,
      items,
      next: end < digest.size ? end : undefined,
      counts: digest.counts(),
      cost: digest.cost(),
      complete,
    };
  }

  private async read(
    tenantId: string,
    state: SessionState,
    upTo: StreamPosition | undefined,
  ): Promise<{ readonly records: readonly SessionEventRecord[]; readonly complete: boolean }> {
    const segments = upTo === undefined ? segmentsOf(state) : segmentsBehind(state, upTo);
    const records: SessionEventRecord[] = [];
    for (const segment of segments) {
      for await (const page of this.history.pages(tenantId, segment)) {
        for (const record of page) {
          if (records.length === EVENTS_COMPARED_MAX) return { records, complete: false };
          records.push(record);
        }
      }
    }
    return { records, complete: true };
  }

  /** Words of inputs that were accepted before the branch and delivered in it. */
  private async earlierInputs(
    tenantId: string,
    state: SessionState,
    records: readonly SessionEventRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    const accepted = new Set<string>();
    const missing: string[] = [];
    for (const { event } of records) {
      if (event.type === 'InputAccepted') accepted.add(event.data.inputId);
      if (event.type !== 'InputDelivered' || accepted.has(event.data.inputId)) continue;
      missing.push(event.data.inputId);
    }
    const texts = new Map<string, string>();
    if (missing.length === 0) return texts;
    const found = await this.history.byKeys(tenantId, state, missing.map(idKey));
    for (const { event } of found) {
      if (event.type !== 'InputAccepted') continue;
      const said = event.data.content.flatMap((block) => ('text' in block ? [block.text] : []));
      texts.set(event.data.inputId, said.join('\n'));
    }
    return texts;
  }
}

function differing(
  one: readonly FactVersion[],
  other: readonly FactVersion[],
): Comparison['facts'] {
  const others = new Map(other.map((fact) => [fact.factId, fact]));
  const ones = new Set(one.map(({ factId }) => factId));
  const ofOne = one.map((fact) => ({
    factId: fact.factId,
    one: fact,
    other: others.get(fact.factId),
  }));
  const ofOther = other.filter(({ factId }) => !ones.has(factId));
  return [...ofOne, ...ofOther.map((fact) => ({ factId: fact.factId, other: fact }))].filter(
    (pair) => !('one' in pair) || !haveSameWords(pair.one, pair.other),
  );
}

function haveSameWords(one: FactVersion, other: FactVersion | undefined): boolean {
  return one.text === other?.text && one.kind === other.kind;
}
