import type { EventOf } from '../domain/events.js';
import type { FactPointer, StreamPosition } from '../domain/events/positions.js';
import type { SessionState } from '../domain/state.js';
import { isHidden } from '../domain/shown.js';
import { inputBlocks } from './content-guards.js';
import { isErased } from './erased-parts.js';
import type { AcceptedInput, CurrentFact, OpenCall } from './context-source.js';
import { type HistoryRecord, isCallEvent, placeKey, readableRecords } from './history-record.js';
import { inSession, prefixPeriodStart, readingCalls } from './model-calls-read.js';
import type { MissingEvents, SourceParts } from './source-parts.js';

type RecordedFact = EventOf<'FactsRecorded'>['data']['facts'][number];
interface PlacedFact {
  readonly at: StreamPosition;
  readonly fact: RecordedFact;
}

/** The events of a window and of what was found before it, by what is looked up in them. */
export class EventPool {
  readonly window: readonly HistoryRecord[];
  private readonly state: SessionState;
  private readonly readable: readonly HistoryRecord[];
  private readonly byPlace = new Map<string, HistoryRecord>();
  private readonly inputs = new Map<string, AcceptedInput['content']>();
  private readonly calls = new Map<
    string,
    { readonly call: OpenCall; readonly at: StreamPosition }
  >();
  private readonly facts = new Map<string, PlacedFact[]>();

  constructor(parts: SourceParts) {
    this.state = parts.state;
    this.window = parts.window;
    this.readable = readableRecords(parts.window).records;
    for (const record of readableRecords(parts.found).records) this.add(record);
    for (const record of this.readable) this.add(record);
  }

  at(position: StreamPosition): HistoryRecord | undefined {
    return this.byPlace.get(placeKey(position));
  }

  input(sessionId: string, inputId: string): AcceptedInput['content'] | undefined {
    return this.inputs.get(inSession(sessionId, inputId));
  }

  call(callId: string): OpenCall | undefined {
    return this.calls.get(callId)?.call;
  }

  /** Undefined also for a call that a revert has taken out of the conversation. */
  visibleCall(callId: string): OpenCall | undefined {
    const known = this.calls.get(callId);
    return known === undefined || isHidden(known.at, this.state.hidden) ? undefined : known.call;
  }

  /** Calls that the window's events speak of, and whose request lies before the window. */
  earlierCallIds(): readonly string[] {
    if (this.state.watermark === undefined) return [];
    const requested = new Set<string>();
    const earlier = new Set<string>();
    for (const { event } of this.readable) {
      if (event.type === 'ToolCallRequested') requested.add(event.data.callId);
      else if (isCallEvent(event) && !requested.has(event.data.callId)) {
        earlier.add(event.data.callId);
      }
    }
    return [...earlier];
  }

  fact({ factId, at }: FactPointer): CurrentFact | undefined {
    const found = this.facts.get(factId)?.find((known) => placeKey(known.at) === placeKey(at));
    return found && currentFact(found.fact);
  }

  deliveredInputs(): readonly { readonly sessionId: string; readonly inputId: string }[] {
    return this.readable.flatMap(({ sessionId, event }) =>
      event.type === 'InputDelivered' ? [{ sessionId, inputId: event.data.inputId }] : [],
    );
  }

  /** The facts as they stood when the running prefix period began. */
  prefixFacts(current: readonly CurrentFact[]): readonly CurrentFact[] {
    const start = this.periodStart();
    if (start === undefined) return current;
    return [...this.facts.keys()].sort().flatMap((factId) => {
      const fact = this.factUpTo(factId, start);
      return fact === undefined || fact.retired === true ? [] : [currentFact(fact)];
    });
  }

  /** Facts that were changed in the running prefix period, with words from before the window. */
  factsBefore(): MissingEvents['factsBefore'] {
    const upTo = this.periodStart();
    if (upTo === undefined) return [];
    return [...this.facts].flatMap(([factId, known]) => {
      const oldest = Math.min(...known.map(({ fact }) => fact.version));
      return oldest > 1 && this.factUpTo(factId, upTo) === undefined ? [{ factId, upTo }] : [];
    });
  }

  private add(record: HistoryRecord): void {
    const { sessionId, revision, event } = record;
    this.byPlace.set(placeKey(record), record);
    switch (event.type) {
      case 'InputAccepted': {
        const key = inSession(sessionId, event.data.inputId);
        if (!this.inputs.has(key)) this.inputs.set(key, inputBlocks(event.data.content));
        return;
      }
      case 'ToolCallRequested': {
        const { callId, tool, effect, opKey } = event.data;
        const call = { sessionId, callId, tool, effect, opKey };
        if (!this.calls.has(callId)) this.calls.set(callId, { call, at: { sessionId, revision } });
        return;
      }
      case 'FactsRecorded':
        if (isHidden(record, this.state.hidden) || isErased(event)) return;
        for (const fact of event.data.facts) {
          const known = this.facts.get(fact.factId) ?? [];
          known.push({ at: { sessionId, revision }, fact });
          this.facts.set(fact.factId, known);
        }
        return;
      default:
        return;
    }
  }

  private factUpTo(factId: string, limit: StreamPosition): RecordedFact | undefined {
    let best: RecordedFact | undefined;
    for (const { at, fact } of this.facts.get(factId) ?? []) {
      if (!this.isUpTo(at, limit)) continue;
      if (best === undefined || fact.version >= best.version) best = fact;
    }
    return best;
  }

  /**
   * Up to where the first model call of the running prefix period has read. Only facts are held
   * against it: without any, the window is not searched for it.
   */
  private periodStart(): StreamPosition | undefined {
    if (this.facts.size === 0) return undefined;
    const { watermark, hidden } = this.state;
    const compacted = this.readable.findIndex(
      ({ sessionId, revision }) =>
        revision === watermark?.at.revision && sessionId === watermark.at.sessionId,
    );
    const start = prefixPeriodStart(readingCalls(this.readable, hidden), compacted);
    if (start === undefined) return undefined;
    const last = this.readable[start.seen] ?? { sessionId: start.sessionId, revision: -1 };
    return { sessionId: last.sessionId, revision: last.revision };
  }

  private isUpTo(at: StreamPosition, limit: StreamPosition): boolean {
    if (at.sessionId === limit.sessionId) return at.revision <= limit.revision;
    return this.sessionOrder(at.sessionId) < this.sessionOrder(limit.sessionId);
  }

  /** A fork's segments stand in the order of its history; its own events come last. */
  private sessionOrder(sessionId: string): number {
    if (sessionId === this.state.sessionId) return Infinity;
    return this.state.segments.findIndex((segment) => segment.sessionId === sessionId);
  }
}

function currentFact({ factId, kind, version, text }: RecordedFact): CurrentFact {
  return { factId, kind, version, text };
}
