import type { SessionEventRecord } from '../domain/events.js';
import type { StreamPosition } from '../domain/events/positions.js';
import { type Amount, addAmounts } from '../domain/money.js';
import { callsIn } from '../domain/past.js';
import type { CallStatus } from '../domain/state.js';

export const PREVIEW_CHARACTERS_MAX = 200;

/** One step of a branch, in a few words. */
export interface BranchItem {
  readonly kind: 'user' | 'assistant' | 'toolCall' | 'facts' | 'compaction' | 'revert' | 'cleared';
  readonly at: StreamPosition;
  /** Of the message, the call or the compaction. */
  readonly id?: string;
  readonly tool?: string;
  readonly state?: CallStatus;
  /** At most `PREVIEW_CHARACTERS_MAX` characters. */
  readonly text: string;
}

export interface BranchCounts {
  readonly events: number;
  readonly messages: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
}

/** What the model calls of a branch have cost, as it was recorded when they were settled. */
export interface BranchCost {
  readonly amounts: readonly Amount[];
  readonly unpricedCalls: number;
}

/** Reads the events of a branch, in order, and says what happened in it. */
export class BranchDigest {
  private readonly items: BranchItem[] = [];
  private readonly ofCalls: SessionEventRecord[] = [];
  private readonly inputs = new Map<string, string>();
  private readonly amounts: Amount[] = [];
  private unpricedCalls = 0;
  private events = 0;
  private modelCalls = 0;

  /** @param textOfInput the words of inputs that were accepted before the branch began. */
  constructor(private readonly textOfInput: (inputId: string) => string | undefined) {}

  read(record: SessionEventRecord): void {
    const { sessionId, revision, event } = record;
    this.events += 1;
    if ('callId' in event.data) this.ofCalls.push(record);
    const add = (item: Omit<BranchItem, 'at'>) =>
      this.items.push({ ...item, at: { sessionId, revision }, text: shortened(item.text) });
    switch (event.type) {
      case 'InputAccepted':
        this.inputs.set(event.data.inputId, textIn(event.data.content));
        return;
      case 'InputDelivered': {
        const { inputId, messageId } = event.data;
        const text = this.inputs.get(inputId) ?? this.textOfInput(inputId) ?? '';
        add({ kind: 'user', id: messageId, text });
        return;
      }
      case 'AssistantMessageRecorded':
        add({ kind: 'assistant', id: event.data.messageId, text: textIn(event.data.blocks) });
        return;
      case 'ToolCallRequested': {
        const { callId, tool, args, argsText } = event.data;
        add({ kind: 'toolCall', id: callId, tool, text: argsText ?? JSON.stringify(args ?? {}) });
        return;
      }
      case 'FactsRecorded':
        add({ kind: 'facts', text: event.data.facts.map(({ text }) => text).join('\n') });
        return;
      case 'Compacted':
        add({ kind: 'compaction', id: event.data.compactionId, text: event.data.summary });
        return;
      case 'Reverted':
        add({ kind: 'revert', text: `to ${event.data.to.sessionId} at ${event.data.to.revision}` });
        return;
      case 'RevertCleared':
        add({ kind: 'cleared', text: `the revert at ${event.data.revertedAt}` });
        return;
      case 'ModelCallSettled':
        this.settle(event.data.cost);
        return;
      default:
        return;
    }
  }

  counts(): BranchCounts {
    const { events, modelCalls } = this;
    const of = (kinds: readonly string[]) =>
      this.items.filter(({ kind }) => kinds.includes(kind)).length;
    return { events, messages: of(['user', 'assistant']), modelCalls, toolCalls: of(['toolCall']) };
  }

  cost(): BranchCost {
    return { amounts: addAmounts(this.amounts), unpricedCalls: this.unpricedCalls };
  }

  /** Calls with the state that the branch leaves them in. */
  page(from: number, count: number): readonly BranchItem[] {
    const calls = callsIn(this.ofCalls);
    return this.items
      .slice(from, from + count)
      .map((item) =>
        item.kind === 'toolCall' ? { ...item, state: calls.get(item.id!)?.status } : item,
      );
  }

  get size(): number {
    return this.items.length;
  }

  private settle(
    cost: { readonly currency: string; readonly amountPico: string | null } | undefined,
  ): void {
    this.modelCalls += 1;
    if (cost === undefined || cost.amountPico === null) this.unpricedCalls += 1;
    else this.amounts.push({ currency: cost.currency, amountPico: cost.amountPico });
  }
}

function textIn(blocks: readonly { readonly type: string }[]): string {
  return blocks
    .flatMap((block) => ('text' in block && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

function shortened(text: string): string {
  return text.length <= PREVIEW_CHARACTERS_MAX
    ? text
    : `${text.slice(0, PREVIEW_CHARACTERS_MAX - 1)}…`;
}
