import { Rejection } from '../../domain/rejection.js';
import type { SeriesGroup, SeriesSubject, SeriesWish } from './cost-series.query.js';
import type { RangeWish } from './time-range.js';

/** A question for series as people write it. */
export interface WrittenWish extends RangeWish {
  /** `total`, `day`, `model`, `user`, `label`, `session`, or `day` and one of these with a comma. */
  readonly groupBy: string;
  readonly user?: string;
  readonly model?: string;
  readonly session?: string;
  /** `name=value`, or a name to group by. */
  readonly label?: string;
}

const GROUPS = 'model|user|label|session';
/** What `groupBy` may be. */
export const GROUP_BY_PATTERN = new RegExp(`^(total|day|${GROUPS}|day,(${GROUPS}))$`);

export function isGroupBy(text: string): boolean {
  return GROUP_BY_PATTERN.test(text);
}

/** @throws Rejection when it names more than one thing to sum up. */
export function seriesWishOf(written: WrittenWish): SeriesWish {
  const { from, to, zone, model } = written;
  const groups = written.groupBy.split(',');
  const by = groups.find((group) => group !== 'day' && group !== 'total');
  const byDay = groups.includes('day');
  const { subject, label } = subjectOf(written, by === 'label');
  return { from, to, zone, model, subject, byDay, by: by as SeriesGroup | undefined, label };
}

function subjectOf(
  { user, session, label }: WrittenWish,
  isGroupedByLabel: boolean,
): { readonly subject: SeriesSubject; readonly label?: string } {
  const subjects: SeriesSubject[] = [];
  if (user !== undefined) subjects.push({ kind: 'user', value: user });
  if (session !== undefined) subjects.push({ kind: 'session', value: session });
  if (label !== undefined && !isGroupedByLabel) subjects.push(labelSubject(label));
  if (subjects.length > 1) {
    throw new Rejection(
      'invalid_request',
      `series are kept of one thing at a time: ask for ${subjects.map(({ kind }) => kind).join(' or ')}`,
      { parameter: subjects[1]!.kind },
    );
  }
  return {
    subject: subjects[0] ?? { kind: 'tenant' },
    label: isGroupedByLabel ? label : undefined,
  };
}

function labelSubject(text: string): SeriesSubject {
  const end = text.indexOf('=');
  if (end > 0) return { kind: 'label', name: text.slice(0, end), value: text.slice(end + 1) };
  throw new Rejection('invalid_request', 'label is name=value unless rows are grouped by it', {
    parameter: 'label',
  });
}
