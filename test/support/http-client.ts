import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

/** What a server answered; `body` is the parsed JSON, or undefined when the answer is none. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  readonly body: Body;
}

export interface Sending {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`; a list is sent in chunks, without a content length. */
  readonly raw?: string | Buffer | readonly Buffer[];
  readonly headers?: OutgoingHttpHeaders;
  /** In place of the client's own key; null sends none. */
  readonly key?: string | null;
}

/** `node:http` and not `fetch`: a test must be able to send a foreign Host and an odd path. */
export class HttpClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(
    readonly url: string,
    readonly key: string,
  ) {}

  get<Body>(path: string, sending: Sending = {}): Promise<Answer<Body>> {
    return this.send<Body>('GET', path, sending);
  }

  post<Body>(
    path: string,
    body: unknown,
    headers: OutgoingHttpHeaders = {},
  ): Promise<Answer<Body>> {
    return this.send<Body>('POST', path, { body, headers });
  }

  /** @throws when there is no answer: refused, reset, or the server died. */
  send<Body>(method: string, path: string, sending: Sending = {}): Promise<Answer<Body>> {
    const { raw = textOf(sending.body), key = this.key } = sending;
    const headers: OutgoingHttpHeaders = {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(raw === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(typeof raw === 'string' || Buffer.isBuffer(raw)
        ? { 'Content-Length': Buffer.byteLength(raw) }
        : {}),
      ...sending.headers,
    };
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const sent = request(
        { hostname, port, method, path, headers, agent: this.agent },
        (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('error', reject);
          reply.on('end', () => {
            const bytes = Buffer.concat(chunks);
            const text = bytes.toString('utf8');
            const { statusCode: status = 0, headers: received } = reply;
            resolve({ status, headers: received, text, bytes, body: parsed(text) as Body });
          });
        },
      );
      sent.on('error', reject);
      if (Array.isArray(raw)) for (const chunk of raw as readonly Buffer[]) sent.write(chunk);
      sent.end(Array.isArray(raw) ? undefined : (raw as string | Buffer | undefined));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function textOf(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
