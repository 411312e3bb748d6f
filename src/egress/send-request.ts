import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { EgressError } from './egress-error.js';
import type { EgressPolicy } from './egress-policy.js';
import { type Resolver, isAllowed, notAllowed, pinnedLookup } from './pinned-lookup.js';
import { readAnswer } from './read-answer.js';

export interface CheckedRequest {
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface EgressAnswer {
  readonly status: number;
  readonly isJson: boolean;
  readonly body: Buffer;
}

/** From the name's resolution to the last byte. */
const TOTAL_MS = 5_000;
const HEADER_BYTES_MAX = 16 * 1024;

/**
 * One request to an allowed origin on a connection of its own: no redirect is followed, no proxy
 * variable, cookie or agent of the process takes part.
 * @throws EgressError
 */
export async function sendRequest(
  request: CheckedRequest,
  policy: EgressPolicy,
  resolver: Resolver,
): Promise<EgressAnswer> {
  const { url } = request;
  const rules = { openedBlocks: policy.openedBlocks, openedOnly: url.protocol === 'http:' };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A connection to a literal address asks no resolver.
  if (isIP(host) !== 0 && !isAllowed(host, rules)) throw notAllowed(host);
  const stopped = AbortSignal.timeout(TOTAL_MS);
  try {
    const answer = await exchange(request, {
      lookup: pinnedLookup(resolver, rules),
      signal: stopped,
    });
    const peer = answer.socket.remoteAddress ?? '';
    if (!isAllowed(peer, rules)) {
      answer.destroy();
      throw notAllowed(host);
    }
    return await settled(answer);
  } catch (error) {
    throw inWords(error, stopped.aborted);
  }
}

function exchange(
  { url, method, headers, body }: CheckedRequest,
  options: Pick<RequestOptions, 'lookup' | 'signal'>,
): Promise<IncomingMessage> {
  const client = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = client.request(
      url,
      {
        ...options,
        method,
        agent: false,
        maxHeaderSize: HEADER_BYTES_MAX,
        headers: { Accept: 'application/json, text/*;q=0.5', ...headers, Connection: 'close' },
      },
      resolve,
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

async function settled(answer: IncomingMessage): Promise<EgressAnswer> {
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    answer.destroy();
    throw new EgressError('redirect', `status ${status}`);
  }
  const body = await readAnswer(answer);
  const isJson = /\bjson\b/i.test(answer.headers['content-type'] ?? '');
  return { status, isJson, body };
}

function inWords(error: unknown, timedOut: boolean): EgressError {
  if (timedOut) return new EgressError('timeout', `no whole answer in ${TOTAL_MS} ms`);
  if (error instanceof EgressError) return error;
  return new EgressError('network', String(error), { cause: error });
}
