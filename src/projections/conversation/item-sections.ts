import { sessionDocumentId } from '../projection.js';
import type { ProjectionReader } from '../read-models.js';
import {
  type ConversationHeader,
  type ItemDocument,
  type LateChange,
  type ToolCallItem,
  itemId,
  lateChangeId,
} from './conversation-document.js';
import { HEADERS, ITEMS, LATE_CHANGES } from './conversation-projection.js';
import { withOutcome } from './evolve-calls.js';

/** Items of one session that a conversation consists of: an inherited part, or the own ones. */
export interface Section {
  readonly header: ConversationHeader;
  /** Last revision that the conversation has of it. */
  readonly cut: number;
  /** First item, and the one behind the last. */
  readonly first: number;
  readonly end: number;
}

export interface PlacedItem {
  readonly sessionId: string;
  /** Number of the item in its session. */
  readonly number: number;
  readonly item: ItemDocument;
  readonly conflicts: LateChange['conflicts'];
}

/** The log says that a fork reads this session, and the read model does not have it. */
export class MissingSegmentError extends Error {
  constructor(readonly sessionId: string) {
    super(`session ${sessionId}, of which this conversation is a fork, is not there`);
    this.name = 'MissingSegmentError';
  }
}

export async function headerOf(
  reader: ProjectionReader,
  tenantId: string,
  sessionId: string,
): Promise<ConversationHeader | undefined> {
  return reader.get<ConversationHeader>(HEADERS, sessionDocumentId(tenantId, sessionId));
}

/** @throws MissingSegmentError */
export async function sectionAt(
  reader: ProjectionReader,
  header: ConversationHeader,
  index: number,
): Promise<Section> {
  const segment = header.segments[index];
  if (segment === undefined) {
    return { header, cut: header.revision, first: 0, end: header.items };
  }
  const origin = await headerOf(reader, header.tenantId, segment.sessionId);
  if (origin === undefined) throw new MissingSegmentError(segment.sessionId);
  return {
    header: origin,
    cut: segment.to,
    first: await firstItemFrom(reader, origin, segment.from),
    end: await firstItemFrom(reader, origin, segment.to + 1),
  };
}

/** Number of the first item at or behind `revision`: items are numbered in the order of the log. */
async function firstItemFrom(
  reader: ProjectionReader,
  header: ConversationHeader,
  revision: number,
): Promise<number> {
  const id = sessionDocumentId(header.tenantId, header.sessionId);
  let [low, high] = [0, revision === 0 ? 0 : header.items];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = await reader.get<ItemDocument>(ITEMS, itemId(id, middle));
    if (item !== undefined && item.revision < revision) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Items `from` to `to`, the latter exclusive, as they stand for a reader of this section. */
export async function itemsOf(
  reader: ProjectionReader,
  section: Section,
  from: number,
  to: number,
): Promise<PlacedItem[]> {
  const { header } = section;
  const id = sessionDocumentId(header.tenantId, header.sessionId);
  const numbers = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  const found = await reader.getMany<ItemDocument>(
    ITEMS,
    numbers.map((number) => itemId(id, number)),
  );
  const late = await lateChangesOf(reader, header, id, [...found.values()]);
  return numbers.flatMap((number) => {
    const document = found.get(itemId(id, number));
    if (document === undefined) return [];
    const { sessionId } = header;
    const change = document.kind === 'toolCall' ? late.get(document.callId) : undefined;
    const conflicts = (change?.conflicts ?? []).filter(({ revision }) => revision <= section.cut);
    return [{ sessionId, number, item: asOfCut(document, section, change), conflicts }];
  });
}

async function lateChangesOf(
  reader: ProjectionReader,
  header: ConversationHeader,
  id: string,
  items: readonly ItemDocument[],
): Promise<ReadonlyMap<string, LateChange>> {
  if (header.lateChanges === 0) return new Map();
  const calls = items.flatMap((item) => (item.kind === 'toolCall' ? [item.callId] : []));
  const ids = calls.map((callId) => lateChangeId(id, callId));
  const found = await reader.getMany<LateChange>(LATE_CHANGES, ids);
  return new Map(
    calls.flatMap((callId) => {
      const change = found.get(lateChangeId(id, callId));
      return change === undefined ? [] : [[callId, change] as const];
    }),
  );
}

function asOfCut(
  item: ItemDocument,
  { header, cut }: Section,
  change: LateChange | undefined,
): ItemDocument {
  if (item.kind === 'assistant') {
    const parts = item.parts.filter((revision) => revision <= cut);
    return parts.length === item.parts.length ? item : { ...item, parts, final: false };
  }
  if (item.kind !== 'toolCall') return item;
  const open = header.openCalls[item.callId];
  return callAsOfCut(open === undefined ? item : withOutcome(item, open), cut, change);
}

/**
 * A call that was running at the cut shows what its origin knows of it now, since only the origin
 * can find out; one that was settled stays as it was; one that had not begun is not started here.
 */
function callAsOfCut(
  call: ToolCallItem,
  cut: number,
  change: LateChange | undefined,
): ToolCallItem {
  const started = call.startedRevision !== undefined && call.startedRevision <= cut;
  if (call.statusRevision > cut && !started) {
    const { revision, callId, messageId, tool, kind, bytes, preview } = call;
    const status = 'requested';
    const statusRevision = revision;
    return { revision, callId, messageId, tool, kind, bytes, preview, status, statusRevision };
  }
  const wasOpen = call.statusRevision > cut;
  if (change?.status === undefined || change.statusRevision === undefined) return call;
  if (!wasOpen && change.statusRevision > cut) return call;
  const { status, statusRevision, resultRevision = call.resultRevision } = change;
  return { ...call, status, statusRevision, resultRevision };
}
