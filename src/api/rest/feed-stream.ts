import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { SessionEventRecord } from '../../domain/events.js';
import type { Feed, FeedPage } from '../../history/event-feed.js';
import { ProblemError } from '../problem.js';

export const EVENT_STREAM = 'text/event-stream';
export const NDJSON = 'application/x-ndjson';
/** Also how long a connection that is gone can go unnoticed. */
export const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2_000;
/** Who has not taken the rest of a feed that is over by then is hung up on. */
const REST_MS_MAX = 5_000;
/** Events of a page go out together up to about so many characters. */
const PIECE_CHARACTERS = 16 * 1_024;

export type FeedForm = 'page' | 'lines' | 'stream';

/** How one event is shown, and the place that a reader names to go on behind it. */
export interface FeedViews<View extends object = object> {
  readonly view: (record: SessionEventRecord) => View;
  readonly placeOf: (record: SessionEventRecord) => string;
}

/** What the `Accept` header asks for; a page where it names neither of the others. */
export function formOf(accept: string | undefined): FeedForm {
  const types = (accept ?? '').split(',').map((one) => one.split(';')[0]!.trim().toLowerCase());
  if (types.includes(EVENT_STREAM)) return 'stream';
  return types.includes(NDJSON) ? 'lines' : 'page';
}

/** @throws ProblemError for what no feed has sent as an id. */
export function lastEventIdOf(header: string | string[] | undefined): bigint | undefined {
  if (header === undefined || header === '') return undefined;
  if (typeof header === 'string' && /^(0|[1-9]\d{0,18})$/.test(header)) return BigInt(header);
  throw new ProblemError('invalid_request', 'Last-Event-ID must be an id that this feed has sent');
}

/** One JSON text per event and line. */
export function asLines(feed: Feed, views: FeedViews, reply: FastifyReply): Readable {
  return streamed(feed, linesOf(feed.pages, views), NDJSON, reply);
}

/** Server-sent events: the log's, a marker at its end, and a sign of life where nothing happens. */
export function asEventStream(
  feed: Feed,
  views: FeedViews,
  reply: FastifyReply,
  heartbeatMs: number = HEARTBEAT_MS,
): Readable {
  return streamed(feed, messagesOf(feed.pages, views, heartbeatMs), EVENT_STREAM, reply);
}

/** The pieces are made one by one, each when the connection has taken the one before. */
function streamed(
  feed: Feed,
  pieces: AsyncIterable<string>,
  type: string,
  reply: FastifyReply,
): Readable {
  // Its reader may have gone before there was an answer.
  if (reply.raw.closed) feed.end();
  else reply.raw.once('close', feed.end);
  const hangUp = (): void => void setTimeout(() => reply.raw.destroy(), REST_MS_MAX).unref();
  feed.signal.addEventListener('abort', hangUp, { once: true });
  void reply.headers({ 'Content-Type': `${type}; charset=utf-8`, 'X-Accel-Buffering': 'no' });
  return Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
}

async function* linesOf(
  pages: AsyncIterable<FeedPage>,
  { view }: FeedViews,
): AsyncGenerator<string> {
  for await (const { events } of pages) {
    yield* inPieces(events, (record) => `${JSON.stringify(view(record))}\n`);
  }
}

async function* messagesOf(
  pages: AsyncIterable<FeedPage>,
  views: FeedViews,
  heartbeatMs: number,
): AsyncGenerator<string> {
  yield `retry: ${RECONNECT_MS}\n\n`;
  const iterator = pages[Symbol.asyncIterator]();
  try {
    let isBehind = true;
    for (let next = iterator.next(); ;) {
      const page = await unlessSilent(next, heartbeatMs);
      if (page === undefined) {
        yield ': still here\n\n';
        continue;
      }
      if (page.done === true) return;
      const { events, next: place, caughtUp } = page.value;
      isBehind ||= events.length > 0;
      const marker = caughtUp && isBehind ? caughtUpMessage(place) : '';
      if (caughtUp) isBehind = false;
      yield* inPieces(events, (record) => message(record, views), marker);
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}

/** Each write to a connection costs more than what an event adds to it. */
function* inPieces(
  events: readonly SessionEventRecord[],
  textOf: (record: SessionEventRecord) => string,
  end = '',
): Generator<string> {
  let piece = '';
  for (const record of events) {
    piece += textOf(record);
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '' || end !== '') yield piece + end;
}

/** By the views and the record, which feeds that are equally far have from one another. */
const messages = new WeakMap<FeedViews, WeakMap<SessionEventRecord, string>>();

function message(record: SessionEventRecord, views: FeedViews): string {
  const known = messages.get(views) ?? new WeakMap<SessionEventRecord, string>();
  messages.set(views, known);
  const made = known.get(record) ?? messageOf(record, views);
  known.set(record, made);
  return made;
}

function messageOf(record: SessionEventRecord, { view, placeOf }: FeedViews): string {
  const data = JSON.stringify(view(record));
  return `id: ${placeOf(record)}\nevent: ${record.event.type}\ndata: ${data}\n\n`;
}

/** Nothing was there to be read at that moment: what comes now is new. */
function caughtUpMessage(place: bigint): string {
  // Before the first event of a session there is no place that could be named.
  const id = place < 0n ? '' : `id: ${place}\n`;
  return `${id}event: caughtUp\ndata: {"place":"${place}"}\n\n`;
}

/** undefined: nothing came for so long. */
async function unlessSilent<Value>(
  coming: Promise<Value>,
  silentMs: number,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), silentMs);
  });
  try {
    return await Promise.race([coming, silence]);
  } finally {
    clearTimeout(timer);
  }
}
