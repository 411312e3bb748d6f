import type { EventOf, SessionEvent } from '../domain/events.js';
import { isHidden } from '../domain/shown.js';
import type { ContextSource, LeftOut } from './context-source.js';
import { inputBlocks } from './content-guards.js';
import { changedFactsBlock } from './facts-block.js';
import { HistoryCalls, type Visibility } from './history-calls.js';
import { ErasedParts } from './erased-parts.js';
import type { ContextItem, History, HistoryItem, UserItem } from './history-items.js';
import {
  type MessageView,
  addPart,
  assistantItem,
  decide,
  newMessage,
} from './history-messages.js';
import { type HistoryRecord, isCallEvent, placeOf, readableRecords } from './history-record.js';
import {
  type Asked,
  type ReadingCall,
  asksOther,
  inSession,
  prefixPeriodStart,
  readingCalls,
} from './model-calls-read.js';

type FactChange = EventOf<'FactsRecorded'>['data']['facts'][number];

/**
 * From stored facts to the conversation (reconciliation protocol, §16 and §17). Total: any list of
 * records gives a conversation in which every call has exactly one result; what does not fit in is
 * named in `leftOut`. Asking another model than before begins a prefix period: the facts are then
 * told as a whole, not as changes.
 */
export function buildHistory(source: ContextSource, asked: Asked = {}): History {
  const { records, unreadable } = readableRecords(source.records);
  const walk = new HistoryWalk(source, records, asked);
  walk.run();
  return walk.result(
    unreadable.map((at) => ({ kind: 'unreadable_record', reason: 'the record is malformed', at })),
  );
}

class HistoryWalk {
  private readonly users: UserItem[] = [];
  private readonly contexts: ContextItem[] = [];
  private readonly messages = new Map<string, MessageView>();
  private readonly undecided = new Set<string>();
  private readonly calls: HistoryCalls;
  private readonly erased: ErasedParts;
  private readonly leftOut: LeftOut[] = [];
  private readonly purposes = new Map<string, string>();
  private readonly models = new Map<string, string>();
  private readonly completed = new Set<string>();
  private readonly foreign = new Set<string>();
  private readonly undos = new Set<string>();
  private readonly contents: ReadonlyMap<string, UserItem['content']>;
  private readonly delivered = new Set<string>();
  private readonly reads = new Map<number, ReadingCall[]>();
  private readonly isNewPeriod: boolean;
  private readonly factsFrom: number;
  private factChanges: FactChange[] = [];

  constructor(
    private readonly source: ContextSource,
    private readonly records: readonly HistoryRecord[],
    asked: Asked,
  ) {
    this.calls = new HistoryCalls(source);
    this.erased = new ErasedParts(records);
    this.contents = new Map(
      source.acceptedInputs.map(({ sessionId, inputId, content }) => [
        inSession(sessionId, inputId),
        inputBlocks(content),
      ]),
    );
    const reading = readingCalls(records, source.hidden);
    for (const call of reading) {
      this.reads.set(call.seen, [...(this.reads.get(call.seen) ?? []), call]);
    }
    const start = prefixPeriodStart(reading, placeOf(records, source.summary?.at));
    this.isNewPeriod = start === undefined || asksOther(reading.at(-1)!, asked);
    this.factsFrom = this.isNewPeriod ? Infinity : start!.seen + 1;
  }

  run(): void {
    const hiddenRanges = new Set<string>();
    this.records.forEach((record, place) => {
      if (this.erased.take(record, place)) {
        // Nothing of it is left to show.
      } else if (isHidden(record, this.source.hidden)) {
        hiddenRanges.add(record.sessionId);
        this.applyHidden(record, place);
      } else {
        this.apply(record, place);
      }
      for (const call of this.reads.get(place) ?? []) this.read(call.sessionId, call.place);
    });
    if (hiddenRanges.size > 0) {
      this.leftOut.push({ kind: 'hidden', reason: 'a revert took a part out of the conversation' });
    }
    for (const { inputId, content } of this.source.deliverNext) {
      const tail = { place: Infinity, from: Infinity, to: Infinity };
      this.users.push({ kind: 'user', inputId, content: inputBlocks(content), ...tail });
    }
    this.read(this.source.sessionId, Infinity);
  }

  result(unreadable: readonly LeftOut[]): History {
    const contexts = [...this.contexts, ...this.erased.markers];
    const items: HistoryItem[] = [...this.users, ...this.assistants(), ...contexts];
    items.sort((one, other) => (one.place < other.place ? -1 : one.place > other.place ? 1 : 0));
    return {
      records: this.records,
      items,
      leftOut: [...unreadable, ...this.leftOut],
      unresolved: this.calls.unresolved(),
      isNewPeriod: this.isNewPeriod,
      summarisedOpen: this.calls.summarisedOpen(),
      hiddenOpen: this.calls.hiddenOpen(),
    };
  }

  private assistants(): HistoryItem[] {
    return [...this.messages.values()].flatMap((message) => {
      if (message.decision === 'omitted') return [];
      const shown = message.callIds
        .filter((callId) => !message.incomplete.has(callId))
        .map((callId) => this.calls.shown(callId));
      const to = Math.max(message.to, ...shown.map((call) => call.to));
      const requested = this.models.get(inSession(message.at.sessionId, message.modelCallId));
      const { item, leftOut } = assistantItem(message, shown, to, requested);
      this.leftOut.push(...leftOut);
      return [item];
    });
  }

  private apply(record: HistoryRecord, place: number): void {
    const { sessionId, event } = record;
    switch (event.type) {
      case 'InputDelivered':
        return this.deliver(record, event, place);
      case 'FactsRecorded':
        return this.changeFacts(event, place);
      case 'ModelCallStarted':
        return this.startModelCall(sessionId, event);
      case 'ModelCallSettled':
        return this.settle(sessionId, event);
      case 'AssistantMessageRecorded':
        return this.recordPart(record, event, place);
      case 'ToolCallRequested':
        return this.requestCall(record, event, place);
      default:
        return this.changeCall(record, event, place);
    }
  }

  /** A revert hides a part of the conversation, never what is known about the world. */
  private applyHidden(record: HistoryRecord, place: number): void {
    const { event } = record;
    if (event.type === 'ToolCallRequested') this.calls.hide(record, event, place);
    else this.changeCall(record, event, place);
  }

  private deliver(record: HistoryRecord, event: EventOf<'InputDelivered'>, place: number): void {
    const { inputId, messageId } = event.data;
    const at = { sessionId: record.sessionId, revision: record.revision };
    const key = inSession(record.sessionId, inputId);
    if (this.delivered.has(key)) return;
    const content = this.contents.get(key);
    if (content === undefined) {
      const reason = 'the input was delivered, but its content is not in the log';
      this.leftOut.push({ kind: 'input_without_content', reason, at, inputId });
      return;
    }
    this.delivered.add(key);
    this.users.push({
      kind: 'user',
      inputId,
      messageId,
      at,
      content,
      place,
      from: place,
      to: place,
    });
  }

  private changeFacts(event: EventOf<'FactsRecorded'>, place: number): void {
    if (place >= this.factsFrom) this.factChanges.push(...event.data.facts);
  }

  private startModelCall(sessionId: string, { data }: EventOf<'ModelCallStarted'>): void {
    const key = inSession(sessionId, data.modelCallId);
    this.purposes.set(key, data.purpose);
    if (data.requestedModel !== undefined) this.models.set(key, data.requestedModel);
  }

  private settle(sessionId: string, { data }: EventOf<'ModelCallSettled'>): void {
    const key = inSession(sessionId, data.modelCallId);
    if (typeof data.purpose === 'string') this.purposes.set(key, data.purpose);
    if (data.outcome === 'completed') this.completed.add(key);
  }

  private recordPart(
    record: HistoryRecord,
    { data }: EventOf<'AssistantMessageRecorded'>,
    place: number,
  ): void {
    const message = this.message(record, data, place);
    if (message.decision === undefined) return addPart(message, data, place);
    const reason = 'this part was recorded after a later model call had read the message';
    const { messageId } = data;
    const at = { sessionId: record.sessionId, revision: record.revision };
    this.leftOut.push({ kind: 'late_part', reason, at, messageId });
  }

  private message(
    record: HistoryRecord,
    data: { readonly messageId: string; readonly modelCallId: string },
    place: number,
  ): MessageView {
    const key = inSession(record.sessionId, data.messageId);
    const known = this.messages.get(key);
    if (known !== undefined) return known;
    const message = newMessage(record, place, data);
    this.messages.set(key, message);
    this.undecided.add(key);
    return message;
  }

  private requestCall(
    record: HistoryRecord,
    event: EventOf<'ToolCallRequested'>,
    place: number,
  ): void {
    const message = this.message(record, event.data, place);
    const key = inSession(record.sessionId, event.data.messageId);
    if (!this.calls.request(record, event, place, key)) return;
    message.callIds.push(event.data.callId);
    message.to = place;
  }

  private changeCall(record: HistoryRecord, event: SessionEvent, place: number): void {
    if (event.type === 'ToolCompensationRequested') this.undos.add(event.data.compensationCallId);
    if (!isCallEvent(event) || this.undos.has(event.data.callId)) return;
    if (this.calls.change(event, place)) return;
    const { callId } = event.data;
    if (event.type !== 'ToolResultRecorded' && event.type !== 'ToolLateResultReceived') return;
    if (this.calls.isEarlier(callId)) return;
    const at = { sessionId: record.sessionId, revision: record.revision };
    const reason = 'the call of this result is not in the conversation';
    this.leftOut.push({ kind: 'orphan_result', reason, at, callId });
  }

  /** A model reads everything up to here; notes and changed facts keep the place of its call. */
  private read(reader: string, place: number): void {
    for (const key of this.undecided) this.decideMessage(key, this.messages.get(key)!);
    this.undecided.clear();
    if (this.factChanges.length > 0) {
      const text = changedFactsBlock(this.factChanges);
      this.contexts.push({ kind: 'context', about: 'facts', place, from: Infinity, to: -1, text });
      this.factChanges = [];
    }
    this.contexts.push(
      ...this.calls.read(reader, place, (callId, key) => this.visibility(callId, key)),
    );
  }

  private visibility(callId: string, messageKey: string): Visibility {
    const message = this.messages.get(messageKey)!;
    if (this.foreign.has(messageKey)) return 'foreign';
    return message.decision === 'omitted' || message.incomplete.has(callId) ? 'omitted' : 'shown';
  }

  private decideMessage(key: string, message: MessageView): void {
    const modelCall = inSession(message.at.sessionId, message.modelCallId);
    const purpose = this.purposes.get(modelCall) ?? 'turn';
    const { at, messageId } = message;
    if (purpose !== 'turn') {
      message.decision = 'omitted';
      this.foreign.add(key);
      const reason = `the model call had another purpose: ${purpose}`;
      this.leftOut.push({ kind: 'other_purpose', reason, at, messageId });
      return;
    }
    const calls = message.callIds.flatMap((callId) => this.calls.view(callId) ?? []);
    decide(message, calls, this.completed.has(modelCall));
    if (message.decision === 'omitted') {
      const reason = 'the model call was interrupted before any of its tool calls was started';
      this.leftOut.push({ kind: 'partial_message', reason, at, messageId });
    }
    for (const callId of message.incomplete) {
      const reason = 'the arguments of the call were cut off';
      this.leftOut.push({ kind: 'incomplete_call', reason, at, messageId, callId });
    }
  }
}
