import type { IncomingMessage } from 'node:http';
import { type Readable, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { EgressError } from './egress-error.js';

const ANSWER_BYTES_MAX = 64 * 1024;

/** The body, decompressed and counted while it comes: no more than the limit is ever held. */
export async function readAnswer(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const body = decompressed(answer);
  try {
    for await (const chunk of body) {
      bytes += (chunk as Buffer).byteLength;
      if (bytes > ANSWER_BYTES_MAX) {
        throw new EgressError('tooLarge', `more than ${ANSWER_BYTES_MAX} bytes`);
      }
      chunks.push(chunk as Buffer);
    }
  } finally {
    body.destroy();
    answer.destroy();
  }
  const whole = Buffer.concat(chunks);
  refuseOtherContent(answer, whole);
  return whole;
}

function decompressed(answer: IncomingMessage): Readable {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const noop = () => undefined;
  switch (encoding) {
    case 'identity':
      return answer;
    case 'gzip':
    case 'x-gzip':
      return pipeline(answer, createGunzip(), noop);
    case 'deflate':
      return pipeline(answer, createInflate(), noop);
    case 'br':
      return pipeline(answer, createBrotliDecompress(), noop);
    default:
      throw new EgressError('badContent', 'an unknown content encoding');
  }
}

function refuseOtherContent({ headers }: IncomingMessage, body: Buffer): void {
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  const isReadable = /^(text\/[\w.+-]+|application\/(json|[\w.+-]+\+json))$/.test(type);
  if (body.byteLength > 0 && !isReadable) {
    throw new EgressError('badContent', 'neither JSON nor text');
  }
}
