import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { HttpClient } from './http-client.js';

export interface FeedMessage {
  /** The id of the newest message that had one, as a browser keeps it. */
  readonly lastId: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** Reads server-sent events over a connection of its own; only whole messages count. */
export class FeedReader {
  readonly messages: FeedMessage[] = [];
  comments = 0;
  lastId: string | undefined;
  isEnded = false;
  private text = '';
  private wake: () => void = () => undefined;

  private constructor(
    private readonly sent: ClientRequest,
    readonly answer: IncomingMessage,
    lastId: string | undefined,
  ) {
    this.lastId = lastId;
    answer.setEncoding('utf8');
    answer.on('data', (piece: string) => this.take(piece));
    const end = (): void => {
      this.isEnded = true;
      this.wake();
    };
    answer.on('end', end).on('error', end).on('close', end);
  }

  /** With an id: goes on behind it. */
  static open({ url, key }: HttpClient, path: string, lastId?: string): Promise<FeedReader> {
    const { hostname, port } = new URL(url);
    const headers = {
      Authorization: `Bearer ${key}`,
      Accept: 'text/event-stream',
      ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
    };
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, headers, agent: false }, (answer) =>
        resolve(new FeedReader(sent, answer, lastId)),
      );
      sent.on('error', reject).end();
    });
  }

  get events(): readonly FeedMessage[] {
    return this.messages.filter(({ event }) => event !== 'caughtUp');
  }

  /** Resolves when this holds, or the feed has ended. */
  async until(holds: (reader: FeedReader) => boolean): Promise<void> {
    while (!this.isEnded && !holds(this)) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  close(): void {
    this.sent.on('error', () => undefined).destroy();
  }

  private take(piece: string): void {
    this.text += piece;
    for (let end = this.text.indexOf('\n\n'); end >= 0; end = this.text.indexOf('\n\n')) {
      this.read(this.text.slice(0, end).split('\n'));
      this.text = this.text.slice(end + 2);
    }
    this.wake();
  }

  private read(lines: readonly string[]): void {
    const fields = new Map(lines.map((line) => [line.split(':')[0]!, valueOf(line)]));
    if (fields.has('')) this.comments += 1;
    this.lastId = fields.get('id') ?? this.lastId;
    const data = fields.get('data');
    if (data === undefined) return;
    const event = fields.get('event') ?? 'message';
    this.messages.push({ lastId: this.lastId, event, data: JSON.parse(data) });
  }
}

function valueOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).trimStart();
}
