import {
  type ProviderName,
  type Repair,
  legalIds,
  shortenToolName,
} from '@holdfast/provider-rules';
import { isReasoning, providerObject } from './content-guards.js';
import type { LeftOut } from './context-source.js';
import { type AssistantItem, type ShownBlock, type ShownCall, callsOf } from './history-items.js';
import { type JsonObject, type RenderInput, isBlank, wireId } from './render.js';

/** A call with the id and the name under which the provider takes it. */
export interface NamedCall {
  readonly call: ShownCall;
  readonly id: string;
  readonly name: string;
}

/** A block of an answer as a format writes it; `own` is what goes back as the provider made it. */
export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string; readonly own?: JsonObject }
  | { readonly kind: 'call'; readonly named: NamedCall; readonly own?: JsonObject }
  | { readonly kind: 'own'; readonly block: JsonObject };

export interface Answer {
  readonly parts: readonly AnswerPart[];
  readonly calls: readonly NamedCall[];
  /** Further fields of the message itself. */
  readonly fields: JsonObject;
}

/** What a recorded provider block is in this format; undefined where it is none of it. */
export type OwnBlockKind = 'part' | 'fieldsOfNextText' | 'fieldsOfMessage';

export interface OwnBlocks {
  readonly format: ProviderName;
  /** The rule that is named where a call id had to be rewritten. */
  readonly idRule: string;
  readonly kindOf: (block: JsonObject) => OwnBlockKind | undefined;
  /** True where the provider's block of a call may stand for the call. */
  readonly isCallBlock: (block: JsonObject, named: NamedCall) => boolean;
  /** Legal ids of one message's calls; by default unique inside the message. */
  readonly idsOf?: (wanted: readonly string[]) => readonly string[];
}

/** Reads answers for one rendering, and keeps what it left out or wrote otherwise. */
export class AnswerReader {
  readonly leftOut: LeftOut[] = [];
  readonly repairs: Repair[] = [];

  constructor(
    private readonly input: RenderInput,
    private readonly own: OwnBlocks,
  ) {}

  /** Undefined for an answer of which nothing can be sent. `position` is that of its message. */
  read(item: AssistantItem, position: number): Answer | undefined {
    const calls = this.namedCalls(callsOf(item), position);
    const answer = this.partsOf(item, calls);
    if (answer.parts.some((part) => part.kind !== 'own' || !isReasoning(part.block))) return answer;
    const { at, messageId } = item;
    const reason = 'the message has nothing that can be sent';
    this.leftOut.push({ kind: 'blank_message', reason, at, messageId });
    return undefined;
  }

  private namedCalls(calls: readonly ShownCall[], position: number): readonly NamedCall[] {
    const { format, idRule, idsOf = (wanted) => legalIds(format, wanted) } = this.own;
    const ids = idsOf(calls.map(wireId));
    return calls.map((call, index): NamedCall => {
      const id = ids[index]!;
      const name = shortenToolName(format, call.tool);
      if (id !== wireId(call)) {
        const reason = `call id "${wireId(call)}" is sent as "${id}"`;
        this.repairs.push({ rule: idRule, position, action: 'rewrite_ids', reason });
      }
      if (name !== call.tool) {
        const reason = 'the name of the tool is longer than the provider allows';
        this.repairs.push({ rule: 'X2', position, action: 'shorten_name', reason });
      }
      return { call, id, name };
    });
  }

  private partsOf(item: AssistantItem, calls: readonly NamedCall[]): Answer {
    const replays = this.input.replays(item);
    const waiting = [...calls];
    const parts: AnswerPart[] = [];
    let fields: JsonObject = {};
    item.blocks.forEach((block, index) => {
      if (block.type === 'call') {
        parts.push(this.callPart(waiting.shift()!, replays));
      } else if (block.type === 'text') {
        const own = replays ? this.textFields(item.blocks[index - 1]) : undefined;
        if (!isBlank(block.text)) parts.push({ kind: 'text', text: block.text, own });
      } else {
        const own = providerObject(block.block);
        const kind = replays && own !== undefined ? this.own.kindOf(own) : undefined;
        if (kind === 'part') parts.push({ kind: 'own', block: own! });
        else if (kind === 'fieldsOfMessage') fields = { ...fields, ...own };
        else if (kind === undefined || item.blocks[index + 1]?.type !== 'text') this.dropped(item);
      }
    });
    return { parts, calls, fields };
  }

  private textFields(before: ShownBlock | undefined): JsonObject | undefined {
    const own = before?.type === 'provider' ? providerObject(before.block) : undefined;
    return own !== undefined && this.own.kindOf(own) === 'fieldsOfNextText' ? own : undefined;
  }

  private callPart(named: NamedCall, replays: boolean): AnswerPart {
    const { block } = named.call;
    const own = replays && block !== undefined ? providerObject(block) : undefined;
    const isOwn = own !== undefined && this.own.isCallBlock(own, named);
    return { kind: 'call', named, ...(isOwn ? { own } : {}) };
  }

  private dropped({ at, messageId }: AssistantItem): void {
    const reason = 'only the provider and model that made this block can read it';
    this.leftOut.push({ kind: 'provider_block', reason, at, messageId });
  }
}
