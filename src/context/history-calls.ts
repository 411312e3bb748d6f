import type { EventOf } from '../domain/events.js';
import { hiddenCallNote, outcomeNote, resultOf } from './call-texts.js';
import {
  type CallView,
  type OutcomeKind,
  evolveCallView,
  isOpenStatus,
  outcomeKind,
  requestedView,
  summarisedView,
} from './call-view.js';
import { isShallow } from './canonical-json.js';
import type { ContextSource, OpenCall } from './context-source.js';
import type { ContextItem, ShownCall, ShownResult, UnresolvedCall } from './history-items.js';
import { type CallEvent, type HistoryRecord, numberOr } from './history-record.js';

/** A call while the log is read, with what the models have been told of it so far. */
interface TrackedCall {
  view: CallView;
  /** Undefined for a call of the summarised part, and of a part that a revert has hidden. */
  readonly messageKey?: string;
  /** Indexes of the first event since the models were told, and of the last one. */
  from: number;
  to: number;
  told?: { kind: OutcomeKind; conflicts: number };
  readonly isHidden?: boolean;
  /** Made by a model call that is no part of the conversation: nothing is ever told of it. */
  isForeign?: boolean;
  shown?: { readonly result: ShownResult; readonly to: number };
}

/** What becomes of a call's message: it is shown, left out, or no part of the conversation. */
export type Visibility = 'shown' | 'omitted' | 'foreign';
export type VisibilityOf = (callId: string, messageKey: string) => Visibility;

/** The tool calls of a window: their states, and when a model learnt what. */
export class HistoryCalls {
  private readonly calls = new Map<string, TrackedCall>();
  /** Calls with events that no model has read yet, in the order of the first of these. */
  private readonly news = new Set<string>();
  private readonly earlier: ReadonlyMap<string, OpenCall>;

  constructor(private readonly source: ContextSource) {
    this.earlier = new Map(source.earlierCalls.map((call) => [call.callId, call]));
    for (const call of source.openCalls) {
      const view = summarisedView(call, 'abandoned');
      this.track(view, { from: Infinity, to: -1, told: { kind: 'abandoned', conflicts: 0 } });
    }
  }

  /** False if the call is known already: the first request counts. */
  request(
    record: HistoryRecord,
    event: EventOf<'ToolCallRequested'>,
    place: number,
    messageKey: string,
  ): boolean {
    if (this.calls.has(event.data.callId)) return false;
    const view = requestedView(record.sessionId, event);
    this.track(view, { messageKey, from: place, to: place });
    this.news.add(event.data.callId);
    return true;
  }

  /** A revert took the call out of the conversation; what it did in the world stands. */
  hide(record: HistoryRecord, event: EventOf<'ToolCallRequested'>, place: number): void {
    const { callId } = event.data;
    if (this.calls.has(callId)) return;
    const view = requestedView(record.sessionId, event);
    const told = { kind: 'notStarted' as const, conflicts: 0 };
    this.track(view, { from: place, to: place, told, isHidden: true });
    this.news.add(callId);
  }

  /** False if the window does not hold the call, and the event says nothing about an earlier one. */
  change(event: CallEvent, place: number): boolean {
    const { callId } = event.data;
    const call = this.calls.get(callId) ?? this.summarised(event, place);
    if (call === undefined) return false;
    call.view = evolveCallView(call.view, event);
    call.to = place;
    if (!this.news.has(callId)) {
      this.news.add(callId);
      call.from = place;
    }
    return true;
  }

  /** The call was requested before the window, and its first result is in the summary. */
  isEarlier(callId: string): boolean {
    return this.earlier.has(callId);
  }

  view(callId: string): CallView | undefined {
    return this.calls.get(callId)?.view;
  }

  /**
   * A model of session `reader` reads the conversation now: results take their final form, and
   * notes follow where a model was told otherwise before.
   */
  read(reader: string, place: number, visibilityOf: VisibilityOf): readonly ContextItem[] {
    const notes: ContextItem[] = [];
    for (const callId of this.news) {
      const call = this.calls.get(callId)!;
      const note = this.tell(call, reader, place, visibilityOf);
      if (note !== undefined) notes.push(note);
    }
    this.news.clear();
    return notes;
  }

  shown(callId: string): {
    readonly ordinal: number;
    readonly to: number;
    readonly call: ShownCall;
  } {
    const { view, shown, to } = this.calls.get(callId)!;
    const { state } = view;
    const call = {
      callId,
      providerCallId: state.providerCallId,
      tool: state.tool,
      ...argumentsOf(view),
      status: this.statusFor(view),
      effect: state.effect,
      result: shown?.result ?? resultOf(view, this.source.sessionId),
    };
    return { ordinal: numberOr(state.ordinal, 0), to: shown?.to ?? to, call };
  }

  unresolved(): readonly UnresolvedCall[] {
    return [...this.calls.values()].flatMap(({ view, messageKey, isHidden }) => {
      if (messageKey === undefined && isHidden !== true) return [];
      const status = this.statusFor(view);
      if (!isOpenStatus(status)) return [];
      const { callId, tool, effect, opKey, escalation, approval } = view.state;
      const asked = escalation ?? (approval?.decision === undefined ? approval : undefined);
      return [{ callId, tool, status, effect, opKey, waitsFor: asked?.to, dueAt: asked?.dueAt }];
    });
  }

  /** Of the calls that the summary lists as open: those still without an outcome. */
  summarisedOpen(): readonly string[] {
    return this.source.openCalls
      .map(({ callId }) => callId)
      .filter((callId) => this.view(callId)?.state.status === 'abandoned');
  }

  /** Writes of a hidden part without a final outcome: a summary must go on naming them. */
  hiddenOpen(): ReadonlySet<string> {
    const open = [...this.calls.values()].filter(({ view: { state }, isHidden }) => {
      const isUncertain = outcomeKind(state.status) === 'open' || state.status === 'abandoned';
      return isHidden === true && state.effect !== 'readOnly' && isUncertain;
    });
    return new Set(open.map(({ view }) => view.state.callId));
  }

  private track(view: CallView, rest: Omit<TrackedCall, 'view'>): TrackedCall {
    const call = { view, ...rest };
    this.calls.set(view.state.callId, call);
    return call;
  }

  /** An outcome that became known after its call was summarised still has to be told. */
  private summarised(event: CallEvent, place: number): TrackedCall | undefined {
    const known = this.earlier.get(event.data.callId);
    if (known === undefined) return undefined;
    return this.track(summarisedView(known, 'running'), {
      from: place,
      to: place,
      told: { kind: wasNotStarted(event) ? 'notStarted' : 'open', conflicts: 0 },
    });
  }

  private tell(
    call: TrackedCall,
    reader: string,
    place: number,
    visibilityOf: VisibilityOf,
  ): ContextItem | undefined {
    const { view, messageKey } = call;
    const { callId } = view.state;
    const kind = outcomeKind(view.state.status);
    if (messageKey !== undefined && call.told === undefined) {
      const visibility = visibilityOf(callId, messageKey);
      call.isForeign = visibility === 'foreign';
      if (visibility === 'shown') call.shown = { result: resultOf(view, reader), to: call.to };
      // A call that no model was shown is news only if something happened in the world after all.
      call.told = { kind: call.shown === undefined ? 'notStarted' : kind, conflicts: 0 };
    }
    if (call.isForeign === true) return undefined;
    const told = call.told!;
    const contradicts = view.conflicts > told.conflicts;
    if (kind === told.kind && !contradicts) return undefined;
    call.told = { kind, conflicts: view.conflicts };
    if (call.isHidden === true && told.kind === 'notStarted') {
      const text = hiddenCallNote(view, resultOf(view, reader));
      if (text === undefined) return undefined;
      return {
        kind: 'context',
        about: 'outcome',
        callId,
        place,
        from: call.from,
        to: call.to,
        text,
      };
    }
    const text = outcomeNote(view, resultOf(view, reader), contradicts);
    return { kind: 'context', about: 'outcome', callId, place, from: call.from, to: call.to, text };
  }

  /** A fork never starts what its parent had only requested, and does not settle the rest. */
  private statusFor(view: CallView): CallView['state']['status'] {
    const { status } = view.state;
    if (view.sessionId === this.source.sessionId || !isOpenStatus(status)) return status;
    return status === 'requested' ? 'skipped' : 'inherited';
  }
}

/** What the models were told of a call of which this is the first event in the window. */
function wasNotStarted(event: CallEvent): boolean {
  if (event.type === 'ToolCallStarted') return event.data.basis === 'first';
  return event.type === 'ToolCallSkipped';
}

function argumentsOf({ args, argsText }: CallView): Pick<ShownCall, 'args' | 'argsText'> {
  if (argsText !== undefined) return { argsText };
  return isShallow(args) ? { args } : { argsText: '(nested too deeply to be shown)' };
}
