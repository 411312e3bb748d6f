/** What somebody has to look at: each is counted in `/metrics` and is one line of the log. */
export const ALARMS_KNOWN = [
  'session_unaccounted',
  'session_failing',
  'tool_conflict',
  'verification_failed',
  'clock_jump',
  'redaction_overflow',
] as const;

export type Alarm = (typeof ALARMS_KNOWN)[number];

/** Counts one; the line of the log is written where it happens. */
export type Alarms = (alarm: Alarm) => void;

export const ALARMS = Symbol('Alarms');
