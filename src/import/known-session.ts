import type { ArtifactLink } from '../domain/content.js';
import type { EventMetadata, EventOf, SessionEvent } from '../domain/events.js';
import { evolve } from '../domain/evolve.js';
import { type SessionState, initialState } from '../domain/state.js';
import { shownAgain } from '../domain/shown.js';
import type { Usage } from '../domain/usage.js';
import { readReference } from './source-reference.js';

export interface KnownUnit {
  readonly digest: string;
  /** Revision of its last event. */
  readonly revision: number;
}

export interface KnownMessage {
  readonly modelCallId: string;
  parts: number;
  calls: number;
}

export interface KnownCall {
  readonly callId: string;
  readonly tool: string;
  outcome: 'none' | 'unknown' | 'result';
  readonly started: boolean;
}

/**
 * What a session's stream holds already, as far as an import has to know it to add only what is
 * new. It grows with every event that is read or about to be appended; content is not kept.
 */
export class KnownSession {
  state: SessionState = initialState;
  readonly units = new Map<string, KnownUnit>();
  readonly messages = new Map<string, KnownMessage>();
  /** By the id that the provider, or the log, gave the call. */
  readonly calls = new Map<string, KnownCall>();
  readonly settled = new Map<string, Usage | undefined>();
  /** Results whose call was not in the stream: the record's own artifact. */
  readonly orphans = new Map<string, ArtifactLink>();
  /** Texts of inputs that wait, by input id. */
  readonly waitingTexts = new Map<string, string>();
  /** The conversation ends with an assistant's words, not with a call, a result or an input. */
  endsWithAnswer = false;
  private readonly providerIds = new Map<string, string>();
  /** The watermark from a revision on, the newest last. */
  private readonly watermarks: [revision: number, watermark: SessionState['watermark']][] = [];

  get revision(): number {
    return this.state.revision;
  }

  get exists(): boolean {
    return this.revision >= 0;
  }

  apply(event: SessionEvent, metadata: Pick<EventMetadata, 'source'>): void {
    const { watermark } = this.state;
    this.state = evolve(this.state, event);
    if (this.state.watermark !== watermark) {
      this.watermarks.push([this.revision, this.state.watermark]);
    }
    const reference = readReference(metadata.source?.record);
    if (reference !== undefined) {
      this.units.set(reference.key, { digest: reference.digest, revision: this.revision });
      if (event.type === 'ImportedRecordKept') this.keepOrphan(reference.key, event);
    }
    this.note(event);
  }

  /** Goes back to a revision that is visible now; imported logs have no facts. */
  revertTo(revision: number): EventOf<'Reverted'> {
    const { sessionId, facts, hidden } = this.state;
    const to = { sessionId, revision };
    const then = {
      watermark: this.watermarks.findLast(([from]) => from <= revision)?.[1],
      facts: Object.values(facts),
      hidden: hidden.filter((range) => range.to < revision),
    };
    return { type: 'Reverted', data: { to, ...shownAgain(this.state, to, then) } };
  }

  callOf(callId: string): KnownCall | undefined {
    const providerId = this.providerIds.get(callId);
    return providerId === undefined ? undefined : this.calls.get(providerId);
  }

  private keepOrphan(key: string, { data }: EventOf<'ImportedRecordKept'>): void {
    if (data.kind === ORPHAN_RESULT && data.raw !== undefined) this.orphans.set(key, data.raw);
  }

  private note(event: SessionEvent): void {
    switch (event.type) {
      case 'InputAccepted':
        this.waitingTexts.set(event.data.inputId, textOf(event.data.content));
        return;
      case 'InputDelivered':
        this.endsWithAnswer = false;
        this.waitingTexts.delete(event.data.inputId);
        return;
      case 'InputWithdrawn':
        this.waitingTexts.delete(event.data.inputId);
        return;
      case 'ModelCallStarted':
        this.messages.set(event.data.messageId, {
          modelCallId: event.data.modelCallId,
          parts: 0,
          calls: 0,
        });
        return;
      case 'AssistantMessageRecorded':
        return this.notePart(event);
      case 'ModelCallSettled':
        this.settled.set(event.data.modelCallId, event.data.usage);
        return;
      case 'ToolCallRequested':
        return this.noteCall(event);
      default:
        this.noteOutcome(event);
    }
  }

  private notePart({ data }: EventOf<'AssistantMessageRecorded'>): void {
    const message = this.messages.get(data.messageId);
    if (message !== undefined) message.parts = Math.max(message.parts, data.part + 1);
    const isThoughtOnly =
      data.blocks.length > 0 && data.blocks.every((block) => block.type === 'provider');
    const calls = data.blocks.some((block) => block.type === 'toolCall');
    this.endsWithAnswer = !isThoughtOnly && !calls;
  }

  private noteCall({ data }: EventOf<'ToolCallRequested'>): void {
    const message = this.messages.get(data.messageId);
    if (message !== undefined) message.calls = Math.max(message.calls, data.ordinal + 1);
    const providerId = data.providerCallId ?? data.callId;
    this.providerIds.set(data.callId, providerId);
    this.calls.set(providerId, {
      callId: data.callId,
      tool: data.tool,
      outcome: 'none',
      started: false,
    });
  }

  private noteOutcome(event: SessionEvent): void {
    if (!('callId' in event.data)) return;
    const call = this.callOf(event.data.callId);
    if (call === undefined) return;
    const providerId = this.providerIds.get(event.data.callId)!;
    switch (event.type) {
      case 'ToolCallStarted':
        this.calls.set(providerId, { ...call, started: true });
        return;
      case 'ToolOutcomeUnknown':
        this.calls.set(providerId, { ...call, outcome: 'unknown' });
        return;
      case 'ToolResultRecorded':
      case 'ToolLateResultReceived':
        this.endsWithAnswer = false;
        this.calls.set(providerId, { ...call, outcome: 'result' });
        return;
      default:
        return;
    }
  }
}

export const ORPHAN_RESULT = 'orphanResult';

function textOf(content: EventOf<'InputAccepted'>['data']['content']): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
