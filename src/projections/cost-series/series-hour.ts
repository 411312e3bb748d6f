import type { ReadModelDocument } from '../../storage/read-model-store.js';
import type { Documents } from '../projection.js';
import type { Credit } from '../cost-tree/attribution.js';
import type { Part } from '../cost-tree/call-report.js';
import { Cells, type StoredCells } from '../cost-tree/cells.js';
import { cellKey } from '../cost-tree/cost-node.js';

/** What was used and spent by the hour: per tenant, user, session and label. */
export const SERIES_HOURS = 'hours';

/** What series are kept of; each is split by purpose, provider and model. */
export type SeriesKind = 'tenant' | 'user' | 'session' | 'label';

/** In place of an hour: calls of which nobody said when they began. */
export const HOUR_UNKNOWN = 'unknown';

const SLOT_MINUTES = 15;

/**
 * One hour of one series, UTC. Its slots of a quarter make days exact in every zone: offsets are
 * multiples of 15 minutes everywhere since 1972.
 */
export interface SeriesHourDocument {
  /** From `seriesOf`: which thing this is about. */
  readonly series: string;
  /** From `dimensionOf`: all series of one kind, or of one label's name. */
  readonly dimension: string;
  /** The user, the session or the label's value; absent: calls without a known user. */
  readonly value?: string;
  /** `2026-01-31T23`, or `HOUR_UNKNOWN`. */
  readonly hour: string;
  /** `<minute of the slot>|<purpose, provider, model>`: the parts of that figure. */
  readonly cells: StoredCells;
}

export class SeriesHour {
  readonly cells: Cells;

  constructor(
    private readonly head: Omit<SeriesHourDocument, 'cells'>,
    stored: StoredCells = {},
  ) {
    this.cells = Cells.open(stored);
  }

  static open(stored: ReadModelDocument): SeriesHour {
    const { cells, ...head } = stored as unknown as SeriesHourDocument;
    return new SeriesHour(head, cells);
  }

  close(): ReadModelDocument {
    return { ...this.head, cells: this.cells.close() };
  }
}

/** All series of one kind; labels are told apart by their name. */
export function dimensionOf(tenantId: string, kind: SeriesKind, labelName?: string): string {
  return JSON.stringify(labelName === undefined ? [tenantId, kind] : [tenantId, kind, labelName]);
}

export function seriesOf(dimension: string, value: string | undefined): string {
  return value === undefined ? `${dimension}null` : `${dimension}${JSON.stringify(value)}`;
}

/** Where a call stands in one of its series. */
export interface SeriesPlace {
  readonly id: string;
  readonly head: Omit<SeriesHourDocument, 'cells'>;
  readonly minute: string;
  /** Absent: the hour's first call. */
  readonly hour?: SeriesHour;
}

/** The call in all series that it belongs to. Nothing is changed by this. */
export function seriesPlaces(
  documents: Documents,
  tenantId: string,
  sessionId: string,
  { user, labels, startedAt }: Credit,
): readonly SeriesPlace[] {
  const { hour, minute } = slotOf(startedAt);
  const place = (kind: SeriesKind, value: string | undefined, labelName?: string): SeriesPlace => {
    const dimension = dimensionOf(tenantId, kind, labelName);
    const series = seriesOf(dimension, value);
    const id = `${series}${hour}`;
    const found = documents.get(SERIES_HOURS, id) as SeriesHour | undefined;
    return { id, head: { series, dimension, value, hour }, minute, hour: found };
  };
  return [
    place('tenant', undefined),
    place('user', user),
    place('session', sessionId),
    ...Object.entries(labels).map(([name, value]) => place('label', value, name)),
  ];
}

/** The places that are known before the call's credit is: those of its tenant and its session. */
export function likelySeriesIds(
  tenantId: string,
  sessionId: string,
  startedAt: string | undefined,
): readonly string[] {
  const { hour } = slotOf(startedAt);
  const whole = seriesOf(dimensionOf(tenantId, 'tenant'), undefined);
  const own = seriesOf(dimensionOf(tenantId, 'session'), sessionId);
  return [`${whole}${hour}`, `${own}${hour}`];
}

export function addToSeries(
  documents: Documents,
  places: readonly SeriesPlace[],
  kind: string,
  parts: readonly Part[],
  sign: 1n | -1n,
): void {
  for (const { id, head, minute, hour: known } of places) {
    // What the same event has added before may have begun the hour.
    const begun = known ?? (documents.get(SERIES_HOURS, id) as SeriesHour | undefined);
    const hour = begun ?? new SeriesHour(head);
    hour.cells.add(cellKey(minute, kind), parts, sign);
    documents.set(SERIES_HOURS, id, hour);
  }
}

interface Slot {
  readonly hour: string;
  readonly minute: string;
}

let latestSlot: Slot & { readonly startedAt?: string } = { hour: HOUR_UNKNOWN, minute: '00' };

/** One call asks several times in a row. */
function slotOf(startedAt: string | undefined): Slot {
  if (latestSlot.startedAt !== startedAt) latestSlot = { startedAt, ...newSlot(startedAt) };
  return latestSlot;
}

function newSlot(startedAt: string | undefined): Slot {
  const startMs = Date.parse(startedAt ?? '');
  const text = Number.isNaN(startMs) ? '' : new Date(startMs).toISOString();
  if (!/^\d{4}-/.test(text)) return { hour: HOUR_UNKNOWN, minute: '00' };
  const minute = Math.floor(Number(text.slice(14, 16)) / SLOT_MINUTES) * SLOT_MINUTES;
  return { hour: text.slice(0, 13), minute: String(minute).padStart(2, '0') };
}
