import type { SessionEvent, SessionEventType } from '../domain/events.js';
import type { Segment } from '../domain/events/positions.js';

/** An event at its place; a `SessionEventRecord` is one. */
export interface HistoryRecord {
  readonly sessionId: string;
  readonly revision: number;
  readonly event: SessionEvent;
}

interface Shape {
  readonly texts?: readonly string[];
  readonly textsIfGiven?: readonly string[];
  /** Fields that name one of a few words. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  readonly lists?: readonly string[];
  readonly objects?: readonly string[];
}

const RESULT_STATUS = { status: ['completed', 'noEffect'] };
const VERDICTS = { verdict: ['completed', 'failed', 'applied', 'notApplied', 'abandoned'] };

/** What this folder reads of an event without asking again. Logs from elsewhere can hold junk. */
const SHAPES: Partial<Record<SessionEventType, Shape>> = {
  SessionStarted: { lists: ['tools'] },
  Forked: {
    lists: ['facts', 'inherited', 'hidden', 'segments', 'ancestors', 'tools'],
    objects: ['cut'],
  },
  FactsRecorded: { lists: ['facts'] },
  Reverted: { objects: ['hidden'] },
  InputAccepted: { texts: ['inputId'] },
  InputDelivered: { texts: ['inputId', 'messageId'] },
  InputWithdrawn: { texts: ['inputId'] },
  RunClaimed: { texts: ['runId'] },
  ModelCallStarted: {
    texts: ['modelCallId', 'messageId', 'purpose'],
    textsIfGiven: ['provider', 'requestedModel'],
  },
  AssistantMessageRecorded: {
    texts: ['modelCallId', 'messageId'],
    textsIfGiven: ['provider', 'api', 'model'],
  },
  ModelCallSettled: { texts: ['modelCallId'] },
  ToolCallRequested: {
    texts: ['callId', 'messageId', 'tool', 'effect'],
    textsIfGiven: ['providerCallId', 'opKey', 'argsText'],
    objects: ['timing'],
  },
  ToolCallStarted: { texts: ['callId'] },
  ToolCallProgressed: { texts: ['callId'] },
  ToolResultRecorded: { texts: ['callId'], words: RESULT_STATUS, objects: ['result'] },
  ToolOutcomeUnknown: { texts: ['callId'] },
  ToolCallSkipped: { texts: ['callId'] },
  ToolProbeRecorded: { texts: ['callId'], objects: ['evidence'] },
  ToolRetryAuthorized: { texts: ['callId'] },
  ToolRetryExpired: { texts: ['callId'] },
  ToolEscalated: { texts: ['callId', 'to'] },
  ToolEscalationDecided: { texts: ['callId'] },
  ToolOutcomeResolved: { texts: ['callId'], words: VERDICTS },
  ToolLateResultReceived: { texts: ['callId'], words: RESULT_STATUS, objects: ['result'] },
  ToolConflictDetected: { texts: ['callId'] },
  Compacted: { texts: ['summary', 'compactionId'], objects: ['keptFrom'] },
};

export interface ReadableRecords {
  readonly records: readonly HistoryRecord[];
  /** Records that no reader can make sense of; they stay in the log. */
  readonly unreadable: readonly { readonly sessionId: string; readonly revision: number }[];
}

/** Leaves out what is malformed, and what stands at a place that was read already. */
export function readableRecords(given: readonly HistoryRecord[]): ReadableRecords {
  const records: HistoryRecord[] = [];
  const unreadable: { sessionId: string; revision: number }[] = [];
  const seen = new Map<string, Set<number>>();
  for (const record of given) {
    if (!isReadable(record)) {
      unreadable.push({
        sessionId: textOr(record?.sessionId, ''),
        revision: numberOr(record?.revision, -1),
      });
      continue;
    }
    const places = seen.get(record.sessionId) ?? new Set<number>();
    if (places.has(record.revision)) continue;
    places.add(record.revision);
    seen.set(record.sessionId, places);
    records.push(record);
  }
  return { records, unreadable };
}

function isReadable(record: HistoryRecord): boolean {
  if (!isObject(record) || !isObject(record.event)) return false;
  if (typeof record.sessionId !== 'string' || !Number.isSafeInteger(record.revision)) return false;
  const { type, data } = record.event as { type: unknown; data: unknown };
  if (typeof type !== 'string' || !isObject(data)) return false;
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type as SessionEventType] : undefined;
  return (
    (shape?.texts ?? []).every((name) => typeof data[name] === 'string') &&
    (shape?.textsIfGiven ?? []).every((name) => isTextOrAbsent(data[name])) &&
    Object.entries(shape?.words ?? {}).every(([name, words]) =>
      words.includes(data[name] as string),
    ) &&
    (shape?.lists ?? []).every((name) => isListOfValues(data[name])) &&
    (shape?.objects ?? []).every((name) => isObject(data[name]))
  );
}

function isListOfValues(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => item !== null && item !== undefined);
}

export function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

export function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

export function isHidden(
  place: { readonly sessionId: string; readonly revision: number },
  hidden: readonly Segment[],
): boolean {
  return hidden.some(
    ({ sessionId, from, to }) =>
      sessionId === place.sessionId && from <= place.revision && place.revision <= to,
  );
}
