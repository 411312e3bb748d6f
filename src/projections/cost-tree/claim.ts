import type { ReadModelDocument } from '../../storage/read-model-store.js';
import { type CallReport, type CountedUsage, betterReport } from './call-report.js';

/** Which session a provider request belongs to, tenant-wide, and the report that counts. */
export interface Claim {
  readonly owner: string;
  /**
   * What each session that holds the request says of it, sorted by session. What one session says
   * changes with its own stream only, so that the order among streams does not matter.
   */
  readonly reports: Readonly<Record<string, CallReport>>;
  /** The best of them. */
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
 * The owner among sessions that hold the same request: where one has made it, that one, and not one
 * whose log was only imported. Of several the one that is an ancestor of the others; else, of those without an ancestor among them, the one that started first; else the smallest id.
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
  if (before === undefined) return { owner: sessionId, reports: { [sessionId]: report }, report };
  const known = before.reports[sessionId];
  if (known === undefined) {
    const reports = sorted({ ...before.reports, [sessionId]: report });
    return { owner: ownerOf(reports, holderOf), reports, report: best(reports) };
  }
  const better = betterReport(known, report);
  if (better === known) return before;
  const after = withReport(before, sessionId, { ...better, credit: known.credit });
  return { ...after, owner: ownerOf(after.reports, holderOf) };
}

/** The claim after `sessionId` has given the request another price. */
export function claimRepriced(claim: Claim, sessionId: string, cost: CallReport['cost']): Claim {
  const known = claim.reports[sessionId];
  if (known === undefined || JSON.stringify(known.cost) === JSON.stringify(cost)) return claim;
  const recorded = known.repriced === undefined ? known.cost : known.repriced.recorded;
  return withReport(claim, sessionId, { ...known, cost, repriced: { recorded } });
}

/** The claim when `sessionId` turns out to hold another request. undefined: nobody holds it. */
export function claimWithout(
  claim: Claim,
  sessionId: string,
  holderOf: (sessionId: string) => Holder,
): Claim | undefined {
  const { [sessionId]: _gone, ...reports } = claim.reports;
  const left = Object.keys(reports);
  if (left.length === 0) return undefined;
  return { owner: ownerOf(reports, holderOf), reports, report: best(reports) };
}

function withReport(claim: Claim, sessionId: string, report: CallReport): Claim {
  const reports = { ...claim.reports, [sessionId]: report };
  return { owner: claim.owner, reports, report: best(reports) };
}

function ownerOf(reports: Claim['reports'], holderOf: (sessionId: string) => Holder): string {
  const ids = Object.keys(reports);
  if (ids.length === 1) return ids[0]!;
  const made = ids.filter((id) => reports[id]!.usage.source !== 'imported');
  return ownerAmong((made.length > 0 ? made : ids).map(holderOf));
}

/** What a session here has made is spent here, whoever knows most of it. */
function best(reports: Claim['reports']): CallReport {
  const all = Object.values(reports);
  const found = all.reduce(betterReport);
  const made = all.find(({ usage }) => usage.source !== 'imported');
  if (made === undefined || found.usage.source !== 'imported') return found;
  return { ...found, usage: { ...found.usage, source: made.usage.source } };
}

function sorted(reports: Claim['reports']): Claim['reports'] {
  const ids = Object.keys(reports).sort();
  return Object.fromEntries(ids.map((id) => [id, reports[id]!]));
}

const KNOWN_SPLITS = { cacheLife: 'known', reasoning: 'known' } as const;

/** There is one claim per provider request, so what is usual is left out. */
export function closeClaim({ owner, reports, report }: Claim): ReadModelDocument {
  const all = Object.entries(reports);
  if (all.length === 1) return { owner, ...closeReport(report) };
  return { owner, reports: Object.fromEntries(all.map(([id, one]) => [id, closeReport(one)])) };
}

function closeReport({ usage, ...told }: CallReport): ReadModelDocument {
  const { splits, flags, counts, source, ...used } = usage;
  const closed: Record<string, unknown> = { ...told, ...used };
  if (splits.cacheLife !== 'known' || splits.reasoning !== 'known') closed['splits'] = splits;
  if (flags.length > 0) closed['flags'] = flags;
  if (Object.keys(counts).length > 0) closed['counts'] = counts;
  if (source !== 'provider') closed['source'] = source;
  return closed;
}

export function openClaim(stored: ReadModelDocument): Claim {
  const { owner, reports: all } = stored as { owner: string; reports?: ReadModelDocument };
  if (all === undefined) {
    const report = openReport(stored);
    return { owner, reports: { [owner]: report }, report };
  }
  const entries = Object.entries(all as Readonly<Record<string, ReadModelDocument>>);
  const reports = Object.fromEntries(entries.map(([id, one]) => [id, openReport(one)]));
  return { owner, reports, report: best(reports) };
}

function openReport(stored: ReadModelDocument): CallReport {
  const document = stored as unknown as Omit<CallReport, 'usage'> &
    Pick<CountedUsage, 'state' | 'buckets'> &
    Partial<CountedUsage>;
  const { cost, repriced, purpose, provider, model, credit } = document;
  const { state, buckets, counts = {}, flags = [], source = 'provider' } = document;
  const splits = document.splits ?? KNOWN_SPLITS;
  const usage = { state, buckets, counts, splits, flags, source };
  const told = { usage, cost, purpose, provider, model, credit };
  return repriced === undefined ? told : { ...told, repriced };
}
