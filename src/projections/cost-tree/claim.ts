import type { ReadModelDocument } from '../../storage/read-model-store.js';
import { type CallReport, type CountedUsage, betterReport } from './call-report.js';

/** Which session a provider request belongs to, tenant-wide, and the report that counts. */
export interface Claim {
  readonly owner: string;
  /** All sessions that hold the request, sorted. */
  readonly holders: readonly string[];
  readonly report: CallReport;
}

export interface Holder {
  readonly sessionId: string;
  /** ISO 8601. */
  readonly startedAt: string | undefined;
  /** As the session's first event names them, in any order. */
  readonly ancestors: readonly string[];
}

/**
 * The owner among sessions that hold the same request: the one that is an ancestor of the others;
 * else, of those without an ancestor among them, the one that started first; else the smallest id.
 * It depends on the set only (usage specification, §8.1).
 */
export function ownerAmong(holders: readonly Holder[]): string {
  const ids = new Set(holders.map(({ sessionId }) => sessionId));
  const first = holders.filter(({ ancestors }) => !ancestors.some((id) => ids.has(id)));
  const candidates = first.length > 0 ? first : holders;
  return candidates.reduce((one, other) => (isEarlier(other, one) ? other : one)).sessionId;
}

function isEarlier(one: Holder, other: Holder): boolean {
  const [oneMs, otherMs] = [startMs(one), startMs(other)];
  return oneMs === otherMs ? one.sessionId < other.sessionId : oneMs < otherMs;
}

function startMs({ startedAt }: Holder): number {
  const parsed = Date.parse(startedAt ?? '');
  return Number.isNaN(parsed) ? Number.POSITIVE_INFINITY : parsed;
}

/**
 * The claim after `sessionId` has reported the request. The same object when nothing changes.
 * `holderOf` is asked only when several sessions hold it.
 */
export function claimAfter(
  before: Claim | undefined,
  sessionId: string,
  report: CallReport,
  holderOf: (sessionId: string) => Holder,
): Claim {
  if (before === undefined) return { owner: sessionId, holders: [sessionId], report };
  const better = betterReport(before.report, report);
  if (before.holders.includes(sessionId)) {
    return better === before.report ? before : { ...before, report: better };
  }
  const holders = [...before.holders, sessionId].sort();
  return { owner: ownerAmong(holders.map(holderOf)), holders, report: better };
}

const KNOWN_SPLITS = { cacheLife: 'known', reasoning: 'known' } as const;

/** There is one claim per provider request, so what is usual is left out. */
export function closeClaim({ owner, holders, report }: Claim): ReadModelDocument {
  const { usage, ...told } = report;
  const { splits, flags, counts, source, ...used } = usage;
  const usualSplits = splits.cacheLife === 'known' && splits.reasoning === 'known';
  return {
    owner,
    ...(holders.length > 1 ? { holders } : {}),
    ...told,
    ...used,
    ...(usualSplits ? {} : { splits }),
    ...(flags.length > 0 ? { flags } : {}),
    ...(Object.keys(counts).length > 0 ? { counts } : {}),
    ...(source === 'provider' ? {} : { source }),
  };
}

export function openClaim(stored: ReadModelDocument): Claim {
  const document = stored as unknown as Pick<Claim, 'owner'> &
    Partial<Claim> &
    Omit<CallReport, 'usage'> &
    Pick<CountedUsage, 'state' | 'buckets'> &
    Partial<CountedUsage>;
  const { owner, holders = [owner], cost, purpose, provider, model } = document;
  const { state, buckets, counts = {}, flags = [], source = 'provider' } = document;
  const splits = document.splits ?? KNOWN_SPLITS;
  const usage = { state, buckets, counts, splits, flags, source };
  return { owner, holders, report: { usage, cost, purpose, provider, model } };
}
