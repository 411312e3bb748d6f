import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Rejection } from '../../domain/rejection.js';
import { type Part } from '../cost-tree/call-report.js';
import { Cells, openParts } from '../cost-tree/cells.js';
import { costTreeProjection } from '../cost-tree/cost-tree-projection.js';
import { type Figures, figuresOf } from '../cost-tree/figures.js';
import { type AsOf, type ProjectionReader, type ReadDemand, ReadModels } from '../read-models.js';
import {
  HOUR_UNKNOWN,
  SERIES_HOURS,
  type SeriesHourDocument,
  dimensionOf,
  seriesOf,
} from './series-hour.js';
import { type RangeWish, type TimeRange, timeRangeOf } from './time-range.js';

/** Most hours of series that one answer is added up from: eleven years of one series. */
export const SERIES_HOURS_MAX = 100_000;

export const SERIES_GROUPS = ['model', 'user', 'label', 'session'] as const;
export type SeriesGroup = (typeof SERIES_GROUPS)[number];

/** All of the tenant's calls, or those of one user, session or label. */
export type SeriesSubject =
  | { readonly kind: 'tenant' }
  | { readonly kind: 'user'; readonly value: string }
  | { readonly kind: 'session'; readonly value: string }
  | { readonly kind: 'label'; readonly name: string; readonly value: string };

export interface SeriesWish extends RangeWish {
  readonly subject: SeriesSubject;
  /** One row per day of the zone; else one for the whole range. */
  readonly byDay: boolean;
  readonly by?: SeriesGroup;
  /** Name of the label to group by. */
  readonly label?: string;
  /** Only calls that this model answered. */
  readonly model?: string;
}

/** `user`, `session`, `label` with `value`, or `provider` with `model`; null: not known, or none. */
export interface SeriesRow extends Figures {
  /** null: calls of which nobody said when they began. */
  readonly day?: string | null;
  /** The instant at which the day begins in its zone. */
  readonly dayStart?: string | null;
  readonly provider?: string | null;
  readonly model?: string | null;
  readonly user?: string | null;
  readonly session?: string | null;
  readonly label?: string;
  readonly value?: string | null;
}

export interface CostSeries {
  readonly zone: string;
  /** Version of the time zone data that the days were counted with. */
  readonly zoneData: string;
  /** Beginning and end in use: whole quarters of an hour. */
  readonly from?: string;
  readonly to?: string;
  /** By day, then by group. */
  readonly rows: readonly SeriesRow[];
  /** Exactly the sum of the rows. */
  readonly total: Figures;
  readonly asOf: AsOf;
}

export class GetCostSeries extends Query<CostSeries> {
  constructor(
    readonly tenantId: string,
    readonly wish: SeriesWish,
    readonly demand: ReadDemand = {},
  ) {
    super();
  }
}

@QueryHandler(GetCostSeries)
export class GetCostSeriesHandler implements IQueryHandler<GetCostSeries, CostSeries> {
  constructor(private readonly readModels: ReadModels) {}

  /** @throws Rejection */
  async execute({ tenantId, wish, demand }: GetCostSeries): Promise<CostSeries> {
    refuseWhatIsNotKept(wish);
    const range = timeRangeOf(wish);
    const reader = await this.readModels.of(costTreeProjection, demand);
    const sums = new SeriesSums(wish, range);
    for (const { filter, sign } of stretchesOf(tenantId, wish)) {
      for await (const hour of hoursOf(reader, filter, range)) sums.add(hour, sign);
    }
    const { fromMs, toMs, isOpen, days } = range;
    const iso = (ms: number): string | undefined =>
      isOpen || !Number.isFinite(ms) ? undefined : new Date(ms).toISOString();
    return {
      zone: days.zone,
      zoneData: days.dataVersion,
      from: iso(fromMs),
      to: iso(toMs),
      ...sums.close(),
      asOf: reader.asOf,
    };
  }
}

function refuseWhatIsNotKept({ subject, by, label }: SeriesWish): void {
  if (by === 'label' && label === undefined) {
    throw new Rejection('invalid_request', 'a series by label names the label', {
      parameter: 'label',
    });
  }
  if (by === undefined || by === 'model' || subject.kind === 'tenant') return;
  throw new Rejection(
    'invalid_request',
    `series are kept of one thing at a time, each by model: ${subject.kind} and ${by} do not go ` +
      'together; leave one of them out, or ask for the cost of a session tree',
    { parameter: 'groupBy' },
  );
}

interface Stretch {
  readonly filter: { readonly field: 'series' | 'dimension'; readonly equals: string };
  readonly sign: 1n | -1n;
}

/**
 * What lacks the label is what the tenant has and no value of the label has: added as the tenant's
 * own series under no value, from which every value is taken away again.
 */
function stretchesOf(tenantId: string, { subject, by, label }: SeriesWish): readonly Stretch[] {
  const stretch = (field: 'series' | 'dimension', equals: string): Stretch => ({
    filter: { field, equals },
    sign: 1n,
  });
  const { kind } = subject;
  const whole = dimensionOf(tenantId, 'tenant');
  if (kind === 'user' || kind === 'session') {
    return [stretch('series', seriesOf(dimensionOf(tenantId, kind), subject.value))];
  }
  if (kind === 'label') {
    return [stretch('series', seriesOf(dimensionOf(tenantId, kind, subject.name), subject.value))];
  }
  if (by === 'user' || by === 'session') return [stretch('dimension', dimensionOf(tenantId, by))];
  if (by !== 'label') return [stretch('series', seriesOf(whole, undefined))];
  const labels = dimensionOf(tenantId, 'label', label);
  return [stretch('series', seriesOf(whole, undefined)), stretch('dimension', labels)];
}

/** @throws Rejection (limit_exceeded) */
async function* hoursOf(
  reader: ProjectionReader,
  filter: Stretch['filter'],
  range: TimeRange,
): AsyncGenerator<SeriesHourDocument> {
  const hour = (ms: number): string => new Date(ms).toISOString().slice(0, 13);
  const lastMs = range.toMs - 1;
  const filters = [
    filter,
    ...(range.fromMs > Number.NEGATIVE_INFINITY
      ? [{ field: 'hour', atLeast: hour(range.fromMs) }]
      : []),
    ...(range.isOpen
      ? []
      : [{ field: 'hour', below: Number.isFinite(lastMs) ? `${hour(lastMs)}~` : HOUR_UNKNOWN }]),
  ];
  const sort = { field: 'hour', direction: 'ascending' } as const;
  let cursor: string | undefined;
  let seen = 0;
  do {
    const page = await reader.find(SERIES_HOURS, { filters, sort, limit: 200, cursor });
    seen += page.documents.length;
    if (seen > SERIES_HOURS_MAX) throw tooLong();
    for (const { document } of page.documents) yield document as unknown as SeriesHourDocument;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

function tooLong(): Rejection {
  return new Rejection(
    'limit_exceeded',
    `the answer is added up from more than ${SERIES_HOURS_MAX} hours; ask for a shorter time, or ` +
      'for one user, label or session',
    { limit: 'seriesHoursMax', max: SERIES_HOURS_MAX },
  );
}

type Head = Pick<
  SeriesRow,
  'day' | 'dayStart' | 'provider' | 'model' | 'user' | 'session' | 'label' | 'value'
>;

class SeriesSums {
  private readonly rows = new Map<string, Head>();
  private readonly cells = new Cells();

  constructor(
    private readonly wish: SeriesWish,
    private readonly range: TimeRange,
  ) {}

  add(document: SeriesHourDocument, sign: 1n | -1n): void {
    const { hour, cells } = document;
    for (const [key, stored] of Object.entries(cells)) {
      const minute = key.slice(0, 2);
      const kind = key.slice(3);
      const slotMs = hour === HOUR_UNKNOWN ? undefined : Date.parse(`${hour}:${minute}:00Z`);
      if (slotMs !== undefined && !this.contains(slotMs)) continue;
      const [, provider, model] = JSON.parse(kind) as (string | null)[];
      if (this.wish.model !== undefined && this.wish.model !== model) continue;
      const day = this.dayOf(slotMs);
      const parts = openParts(stored);
      const group = this.groupOf(document, provider ?? null, model ?? null);
      this.addTo({ ...day, ...group }, parts, sign);
      if (this.wish.by === 'label' && group.value !== null) {
        this.addTo({ ...day, ...group, value: null }, parts, -1n);
      }
    }
  }

  close(): Pick<CostSeries, 'rows' | 'total'> {
    const closed = Object.entries(this.cells.close());
    closed.sort(([one], [other]) => (one < other ? -1 : 1));
    const rows = closed.map(([name, parts]) => ({
      ...this.rows.get(name)!,
      ...figuresOf([{ parts }]),
    }));
    return { rows, total: figuresOf(closed.map(([, parts]) => ({ parts }))) };
  }

  private addTo(head: Head, parts: readonly Part[], sign: 1n | -1n): void {
    // The unknown day and the unknown group come last.
    const name = JSON.stringify(Object.values(head).map((value) => value ?? '\u{10ffff}'));
    if (!this.rows.has(name)) this.rows.set(name, head);
    this.cells.add(name, parts, sign);
  }

  private contains(slotMs: number): boolean {
    return slotMs >= this.range.fromMs && slotMs < this.range.toMs;
  }

  private dayOf(slotMs: number | undefined): Pick<Head, 'day' | 'dayStart'> {
    if (!this.wish.byDay) return {};
    if (slotMs === undefined) return { day: null, dayStart: null };
    const { days } = this.range;
    const day = days.dayOf(slotMs);
    return { day, dayStart: new Date(days.startMs(day)).toISOString() };
  }

  private groupOf(
    { value: known, dimension }: SeriesHourDocument,
    provider: string | null,
    model: string | null,
  ): Omit<Head, 'day' | 'dayStart'> {
    const value = known ?? null;
    switch (this.wish.by) {
      case undefined:
        return {};
      case 'model':
        return { provider, model };
      case 'user':
        return { user: value };
      case 'session':
        return { session: value };
      case 'label':
        return { label: this.wish.label!, value: isLabel(dimension) ? value : null };
    }
  }
}

function isLabel(dimension: string): boolean {
  return (JSON.parse(dimension) as string[])[1] === 'label';
}
