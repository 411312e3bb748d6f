import type { PriceCards } from '../../pricing/card-index.js';
import type { ChangedRecord, ImportedSession, LogReport } from '../import-report.js';
import type { SurveyedLog } from './survey-log.js';

/** What one file holds, and what of it was new. `before`: events of tries that began anew. */
export function logReport(
  log: SurveyedLog,
  sessions: readonly ImportedSession[],
  changed: readonly ChangedRecord[],
  of: { readonly cards: PriceCards; readonly before: number },
): LogReport {
  const { file, survey, counts, quarantine, native } = log;
  const quarantined = counts.bad + survey.noRecords;
  const values = counts.values + counts.bad;
  const appended = sessions.reduce((sum, session) => sum + session.eventsAppended, of.before);
  return {
    file,
    records: counts.values,
    lines: counts.lines,
    bad_lines: counts.badLines,
    ...survey.counts(of.cards),
    cost_in_file: '',
    notes: notesOf(log),
    format: 'claude-code',
    sessionId: sessions.find(({ nativeId }) => nativeId === native.nativeId)?.sessionId ?? '',
    sessions,
    events_appended: appended,
    values,
    accepted: values - quarantined - survey.repeated,
    quarantined,
    ignored: survey.repeated,
    by_type: Object.fromEntries(
      [...survey.byType].sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
    quarantine,
    changed,
  };
}

function notesOf({ survey, counts }: SurveyedLog): string {
  const notes: readonly (readonly [number, string])[] = [
    [survey.zoneAssumed, 'times without a zone, read as UTC'],
    [counts.invalidUtf8Lines, 'lines with bytes that are not UTF-8, replaced'],
    [counts.nulLines, 'lines with NUL bytes, left out'],
  ];
  return notes
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join('; ');
}
