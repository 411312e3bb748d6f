/** What one log holds, by the rules of its format; the columns count the whole file. */
export interface LogCounts {
  readonly file: string;
  /** JSON values. */
  readonly records: number;
  /** Physical lines that are not blank. */
  readonly lines: number;
  /** Physical lines that are not exactly one JSON value. */
  readonly bad_lines: number;
  readonly session_ids: number;
  readonly user_inputs: number;
  /** Messages of the program and commands. */
  readonly other_inputs: number;
  readonly assistant_messages: number;
  /** Requests with usage. */
  readonly model_calls: number;
  readonly tool_calls: number;
  readonly tool_results: number;
  readonly dangling: number;
  readonly orphan_results: number;
  readonly rejected: number;
  readonly interrupts: number;
  readonly compactions: number;
  readonly sidechain_records: number;
  readonly input_fresh: number;
  readonly cache_read: number;
  readonly cache_write_5m: number;
  readonly cache_write_1h: number;
  readonly cache_write_unknown: number;
  /** Includes `reasoning`. */
  readonly output: number;
  readonly reasoning: number;
  /** Pico-USD (1e-12 USD) at list price, as decimal text; empty when no call has a price. */
  readonly cost_pusd: string;
  readonly unpriced_calls: number;
  /** As it stands in the sessions: with served tiers, regions, and calls inside calls. */
  readonly recorded_cost_pusd: string;
  /** In alphabetical order, with `|` between them. */
  readonly models: string;
}

type Columns = LogCounts & {
  /** What the log itself says that it cost; Claude Code says nothing. */
  readonly cost_in_file: string;
  readonly notes: string;
};

/** A record that could not be read; its text is kept in the session's log. */
export interface QuarantinedRecord {
  readonly index: number;
  readonly byteOffset: number;
  readonly reason: string;
  readonly excerpt: string;
}

/** A record that is in the session already with other content: the first one stays. */
export interface ChangedRecord {
  readonly key: string;
  readonly byteOffset: number;
}

export interface ImportedSession {
  readonly sessionId: string;
  readonly nativeId: string;
  readonly parentId?: string;
  readonly eventsAppended: number;
}

export interface LogReport extends Columns {
  readonly format: string;
  /** The session of the log itself; those of subagents inside it are in `sessions`. */
  readonly sessionId: string;
  readonly sessions: readonly ImportedSession[];
  readonly events_appended: number;
  /** accepted + quarantined + ignored = values: every piece of the file is one of them. */
  readonly values: number;
  readonly accepted: number;
  readonly quarantined: number;
  /** Exact repetitions of a record that stands earlier in the file. */
  readonly ignored: number;
  readonly by_type: Readonly<Record<string, number>>;
  readonly quarantine: readonly QuarantinedRecord[];
  readonly changed: readonly ChangedRecord[];
}

/** A file that was found in a folder and not imported. */
export interface RefusedFile {
  readonly file: string;
  readonly code: string;
  readonly message: string;
}

export interface ImportReport {
  readonly logs: readonly LogReport[];
  readonly refused: readonly RefusedFile[];
  readonly events_appended: number;
  /** With `newIds`: the id that a session would have had, and the one that it got. */
  readonly id_map: Readonly<Record<string, string>>;
}
