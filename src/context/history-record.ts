import type { SessionEvent, SessionEventType } from '../domain/events.js';
import type { ToolEvents } from '../domain/events/tool-events.js';

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
const VERDICTS = {
  verdict: ['completed', 'failed', 'applied', 'notApplied', 'abandoned', 'compensated'],
};

/** What this folder reads of an event without asking again. Logs from elsewhere can hold junk. */
const SHAPES: Partial<Record<SessionEventType, Shape>> = {
  SessionStarted: { lists: ['tools'] },
  Forked: {
    lists: ['facts', 'inherited', 'hidden', 'segments', 'ancestors', 'tools'],
    objects: ['cut'],
  },
  FactsRecorded: { lists: ['facts'] },
  Reverted: { lists: ['facts', 'hidden'], objects: ['to'] },
  RevertCleared: { lists: ['facts', 'hidden'] },
  InputAccepted: { texts: ['inputId'] },
  InputDelivered: { texts: ['inputId', 'messageId'] },
  InputDeliveryChanged: { texts: ['inputId'] },
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
  ToolApprovalRequested: { texts: ['callId', 'to'] },
  ToolApprovalDecided: { texts: ['callId'] },
  ToolEffectLowered: { texts: ['callId'] },
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
  ToolCompensationRequested: {
    texts: ['callId', 'compensationCallId', 'tool'],
    objects: ['manifest'],
  },
  ToolCompensationRecorded: { texts: ['callId', 'compensationCallId'] },
  ToolOutcomeResolved: { texts: ['callId'], words: VERDICTS },
  ToolLateResultReceived: { texts: ['callId'], words: RESULT_STATUS, objects: ['result'] },
  InheritedOutcomeRecorded: { texts: ['callId'], words: { state: VERDICTS.verdict } },
  ToolConflictDetected: { texts: ['callId'] },
  Compacted: { texts: ['summary', 'compactionId'], objects: ['keptFrom'] },
};

export interface ReadableRecords {
  readonly records: readonly HistoryRecord[];
  /** Records that no reader can make sense of; they stay in the log. */
  readonly unreadable: readonly { readonly sessionId: string; readonly revision: number }[];
}

const judged = new WeakMap<readonly HistoryRecord[], ReadableRecords & { readonly of: number }>();

/**
 * Leaves out what is malformed, and what stands at a place that was read already. One list is asked
 * about several times for one context, so what was found is kept with it.
 */
export function readableRecords(given: readonly HistoryRecord[]): ReadableRecords {
  const known = judged.get(given);
  if (known?.of === given.length) return known;
  const found = judge(given);
  judged.set(given, { ...found, of: given.length });
  return found;
}

function judge(given: readonly HistoryRecord[]): ReadableRecords {
  const records: HistoryRecord[] = [];
  const unreadable: { sessionId: string; revision: number }[] = [];
  const places = new PlacesRead(records);
  for (const record of given) {
    if (!isReadable(record)) {
      unreadable.push({
        sessionId: textOr(record?.sessionId, ''),
        revision: numberOr(record?.revision, -1),
      });
    } else if (places.isNew(record)) {
      records.push(record);
    }
  }
  return { records, unreadable };
}

/** Streams are read in order, so a set of places is made only when one goes back. */
class PlacesRead {
  private readonly newest = new Map<string, number>();
  private places: Set<string> | undefined;

  constructor(private readonly read: readonly HistoryRecord[]) {}

  isNew(record: HistoryRecord): boolean {
    const { sessionId, revision } = record;
    const newest = this.newest.get(sessionId) ?? -Infinity;
    const isAhead = revision > newest;
    if (isAhead) this.newest.set(sessionId, revision);
    if (isAhead && this.places === undefined) return true;
    this.places ??= new Set(this.read.map(placeKey));
    const key = placeKey(record);
    if (this.places.has(key)) return false;
    this.places.add(key);
    return true;
  }
}

/** Index of the record at a place; -1 where there is none. */
export function placeOf(
  records: readonly HistoryRecord[],
  at: { readonly sessionId: string; readonly revision: number } | undefined,
): number {
  if (at === undefined) return -1;
  return records.findIndex(
    ({ sessionId, revision }) => sessionId === at.sessionId && revision === at.revision,
  );
}

/** Names a place in the streams of several sessions. */
export function placeKey(at: { readonly sessionId: string; readonly revision: number }): string {
  return `${at.sessionId}\u0000${at.revision}`;
}

function isReadable(record: HistoryRecord): boolean {
  if (!isObject(record) || !isObject(record.event)) return false;
  if (typeof record.sessionId !== 'string' || !Number.isSafeInteger(record.revision)) return false;
  const { type, data } = record.event as { type: unknown; data: unknown };
  if (typeof type !== 'string' || !isObject(data)) return false;
  for (const [name, isSound] of CHECKS.get(type) ?? []) {
    if (!isSound(data[name])) return false;
  }
  return true;
}

type Check = readonly [name: string, isSound: (value: unknown) => boolean];

const CHECKS: ReadonlyMap<string, readonly Check[]> = new Map(
  Object.entries(SHAPES).map(([type, shape]) => [type, checksOf(shape)]),
);

function checksOf(shape: Shape): readonly Check[] {
  return [
    ...(shape.texts ?? []).map((name): Check => [name, isText]),
    ...(shape.textsIfGiven ?? []).map((name): Check => [name, isTextOrAbsent]),
    ...(shape.lists ?? []).map((name): Check => [name, isListOfValues]),
    ...(shape.objects ?? []).map((name): Check => [name, isObject]),
    ...Object.entries(shape.words ?? {}).map(([name, words]): Check => [
      name,
      (value) => words.some((word) => word === value),
    ]),
  ];
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
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

export type CallEvent = Exclude<ToolEvents, { type: 'ToolCallRequested' }>;

export function isCallEvent(event: SessionEvent): event is CallEvent {
  if (event.type === 'InheritedOutcomeRecorded') return true;
  return event.type.startsWith('Tool') && event.type !== 'ToolCallRequested';
}
