import type { StreamPosition } from '../domain/events/positions.js';
import type { SessionState } from '../domain/state.js';
import type { HistoryRecord } from './history-record.js';

/**
 * What a reader brings: the state at the session's newest event, the window from the watermark's
 * `keptFrom` on (the whole stream without one; ancestors' segments first), and single events that
 * lie before the window. `missingFrom` says which these are.
 */
export interface SourceParts {
  readonly state: SessionState;
  readonly window: readonly HistoryRecord[];
  readonly found: readonly HistoryRecord[];
}

/** Events before the window that a source cannot do without. */
export interface MissingEvents {
  /** Events at known places: the `Compacted` event, the current words of facts. */
  readonly positions: readonly StreamPosition[];
  /** `InputAccepted` of inputs that the window delivers, or that are pending. */
  readonly inputs: readonly { readonly sessionId: string; readonly inputId: string }[];
  /** `ToolCallRequested` of calls that the summary lists as open, or that the window speaks of. */
  readonly calls: readonly { readonly callId: string }[];
  /** The newest `FactsRecorded` of the fact up to this place, if there is one. */
  readonly factsBefore: readonly { readonly factId: string; readonly upTo: StreamPosition }[];
}
