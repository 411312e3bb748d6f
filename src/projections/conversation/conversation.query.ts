import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Rejection } from '../../domain/rejection.js';
import { CODEC, EVENT_STORE } from '../../tokens.js';
import type { EventCodec } from '../../storage/event-codec.js';
import type { EventStore } from '../../storage/event-store.js';
import { InvalidCursorError } from '../../storage/read-model-store.js';
import { type AsOf, type ProjectionReader, type ReadDemand, ReadModels } from '../read-models.js';
import type { ConversationHeader } from './conversation-document.js';
import { type ConversationItem, contentOf, isHidden, placesOf } from './conversation-page.js';
import { conversationProjection } from './conversation-projection.js';
import { EventContents } from './event-contents.js';
import { type PlacedItem, headerOf, itemsOf, sectionAt } from './item-sections.js';

export const ITEMS_PER_PAGE_MAX = 200;

export interface ItemsPage {
  /** In the order that was asked for. */
  readonly items: readonly ConversationItem[];
  readonly cursor?: string;
}

export interface FoundItems {
  /** undefined: there is no such session. */
  readonly page: ItemsPage | undefined;
  readonly asOf: AsOf;
}

export interface ItemsRequest {
  /** `forward` begins with the first item, `backward` with the last. */
  readonly direction?: 'forward' | 'backward';
  /** 1 to `ITEMS_PER_PAGE_MAX`; 50 when absent. */
  readonly limit?: number;
  readonly cursor?: string;
  /** Items that a revert took out, too. */
  readonly includeHidden?: boolean;
  /** False: the index only. */
  readonly contents?: boolean;
}

export class ListConversationItems extends Query<FoundItems> {
  constructor(
    readonly tenantId: string,
    readonly sessionId: string,
    readonly request: ItemsRequest = {},
    readonly demand: ReadDemand = {},
  ) {
    super();
  }
}

@QueryHandler(ListConversationItems)
export class ListConversationItemsHandler implements IQueryHandler<
  ListConversationItems,
  FoundItems
> {
  constructor(
    private readonly readModels: ReadModels,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
  ) {}

  /** @throws InvalidCursorError, MissingSegmentError */
  async execute(query: ListConversationItems): Promise<FoundItems> {
    const { tenantId, sessionId, request, demand } = query;
    let reader = await this.readModels.of(conversationProjection, demand);
    let header = await headerOf(reader, tenantId, sessionId);
    if (header === undefined && demand.atLeast === undefined) {
      reader = await this.readModels.atHead(conversationProjection);
      header = await headerOf(reader, tenantId, sessionId);
    }
    if (header === undefined) return { page: undefined, asOf: reader.asOf };
    if (header.erased === true) throw erased(sessionId);
    const { found, cursor } = await collect(reader, header, request);
    const wanted = request.contents === false ? [] : found.flatMap(placesOf);
    const contents = await EventContents.read(this.events, this.codec, tenantId, wanted);
    const items = found.map((placed): ConversationItem => ({
      ...placed.item,
      sessionId: placed.sessionId,
      hidden: isHidden(placed, header.hidden),
      conflicts: placed.conflicts,
      content: contentOf(placed, contents),
    }));
    return { page: { items, cursor }, asOf: reader.asOf };
  }
}

function erased(sessionId: string): Rejection {
  return new Rejection('session_erased', `the content of session ${sessionId} was erased`, {
    sessionId,
  });
}

/** The next item to read: a section's index and the item's number in its session. */
interface Place {
  readonly section: number;
  readonly number?: number;
}

async function collect(
  reader: ProjectionReader,
  header: ConversationHeader,
  request: ItemsRequest,
): Promise<{ found: PlacedItem[]; cursor?: string }> {
  const forward = request.direction !== 'backward';
  const limit = Math.min(Math.max(request.limit ?? 50, 1), ITEMS_PER_PAGE_MAX);
  const last = header.segments.length;
  const found: PlacedItem[] = [];
  const start = request.cursor === undefined ? undefined : decodePlace(request.cursor, last);
  let place: Place = start ?? { section: forward ? 0 : last };
  let section = await sectionAt(reader, header, place.section);
  for (;;) {
    const from: number = forward
      ? Math.max(place.number ?? section.first, section.first)
      : Math.max(section.first, backwardEnd(place, section.end) - limit);
    const to: number = forward
      ? Math.min(section.end, from + limit)
      : backwardEnd(place, section.end);
    const chunk = await itemsOf(reader, section, from, to);
    for (const placed of forward ? chunk : chunk.reverse()) {
      if (!request.includeHidden && isHidden(placed, header.hidden)) continue;
      if (found.length === limit) {
        return { found, cursor: encodePlace({ section: place.section, number: placed.number }) };
      }
      found.push(placed);
    }
    const next: Place = nextPlace(place.section, forward, from, to, section);
    if (next.section < 0 || next.section > last) return { found };
    if (next.section !== place.section) section = await sectionAt(reader, header, next.section);
    place = next;
  }
}

function backwardEnd({ number }: Place, end: number): number {
  return number === undefined ? end : Math.min(number + 1, end);
}

function nextPlace(
  section: number,
  forward: boolean,
  from: number,
  to: number,
  { first, end }: { readonly first: number; readonly end: number },
): Place {
  if (forward) return to < end ? { section, number: to } : { section: section + 1 };
  return from > first ? { section, number: from - 1 } : { section: section - 1 };
}

function encodePlace({ section, number }: Place): string {
  return Buffer.from(`${section}.${number}`).toString('base64url');
}

function decodePlace(cursor: string, lastSection: number): Place {
  const match = /^(\d{1,6})\.(\d{1,12})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const section = Number(match?.[1]);
  if (match === null || section > lastSection) throw new InvalidCursorError();
  return { section, number: Number(match[2]) };
}
