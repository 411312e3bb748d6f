import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import type { SessionEventRecord } from '../../domain/events.js';
import type { Feed, FeedPage } from '../../history/event-feed.js';
import { asEventStream, formOf } from './feed-stream.js';

const VIEWS = { view: ({ event }: SessionEventRecord) => event.data, placeOf: () => '7' };

function reply(): { readonly raw: ServerResponse; readonly reply: FastifyReply } {
  const raw = new ServerResponse(new IncomingMessage(new Socket()));
  return { raw, reply: { raw, headers: () => undefined } as unknown as FastifyReply };
}

/** What Node does with the answer when its connection closes. */
async function gone(raw: ServerResponse): Promise<void> {
  Object.assign(raw, { destroyed: true, _closed: true }).emit('close');
  await soon();
}

function feedOf(pages: AsyncIterable<FeedPage>): Feed {
  return { pages, signal: new AbortController().signal, end: () => undefined };
}

const record = { event: { type: 'RunCompleted', data: { runId: 'r\n1' } } } as SessionEventRecord;

describe('a live feed', () => {
  it('gives a sign of life while nothing happens, and says when its reader is gone', async () => {
    let go: (page: FeedPage) => void = () => undefined;
    const coming = new Promise<FeedPage>((resolve) => (go = resolve));
    const pages = async function* () {
      yield await coming;
    };
    let ended = 0;
    const { raw, reply: answer } = reply();
    const feed = { ...feedOf(pages()), end: () => (ended += 1) };
    const stream = asEventStream(feed, VIEWS, answer, 20);
    const pieces: string[] = [];
    for await (const piece of stream) {
      pieces.push(piece as string);
      if (pieces.length === 3) go({ events: [record], next: 7n, caughtUp: true });
    }
    expect(pieces.slice(0, 3)).toEqual(['retry: 2000\n\n', ': still here\n\n', ': still here\n\n']);
    expect(pieces.filter((piece) => !piece.startsWith(': ')).slice(1)).toEqual([
      'id: 7\nevent: RunCompleted\ndata: {"runId":"r\\n1"}\n\n' +
        'id: 7\nevent: caughtUp\ndata: {"place":"7"}\n\n',
    ]);
    await gone(raw);
    expect(ended).toBe(1);
  });

  it('is over at once where its reader has gone before there was an answer', async () => {
    let ended = 0;
    const { raw, reply: answer } = reply();
    await gone(raw);
    const pages = async function* () {};
    asEventStream({ ...feedOf(pages()), end: () => (ended += 1) }, VIEWS, answer);
    await soon();
    expect(ended).toBe(1);
  });

  it('sends small events of a page together and large ones alone', async () => {
    const large = { event: { type: 'RunCompleted', data: { text: 'x'.repeat(20_000) } } };
    const events = [record, record, large as unknown as SessionEventRecord, record];
    const pages = async function* () {
      yield { events, next: 7n, caughtUp: true };
    };
    const feed = feedOf(pages());
    const sizes: number[] = [];
    for await (const piece of asEventStream(feed, VIEWS, reply().reply)) {
      sizes.push(String(piece).split('event: ').length - 1);
    }
    expect(sizes).toEqual([0, 3, 2]);
  });

  it('is asked for its next page only when the connection has taken the one before', async () => {
    let read = 0;
    const pages = async function* () {
      for (; read < 1_000; read += 1) yield { events: [record], next: 1n, caughtUp: false };
    };
    const feed = feedOf(pages());
    const stream = asEventStream(feed, VIEWS, reply().reply);
    const pieces = stream[Symbol.asyncIterator]();
    for (let taken = 0; taken < 10; taken += 1) await pieces.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(read).toBeLessThan(15);
    stream.destroy();
  });
});

it.each([
  [undefined, 'page'],
  ['*/*', 'page'],
  ['application/json', 'page'],
  ['text/event-stream', 'stream'],
  ['application/json;q=0.5, Text/Event-Stream; charset=utf-8', 'stream'],
  ['application/x-ndjson', 'lines'],
  ['text/html', 'page'],
])('Accept: %s is answered with a %s', (accept, form) => {
  expect(formOf(accept)).toBe(form);
});
