import type { Redactor } from './redactor.js';

/** Text is searched in pieces of about this size, cut where no secret can lie across. */
const PIECE_CHARACTERS = 256 * 1024;
/** Behind this no end of line is waited for. */
const PIECE_CHARACTERS_MAX = 1024 * 1024;
const KEY_BEGINS = '-----BEGIN ';
const KEY_ENDS = '-----END ';

/** The bytes of a text without its secrets, as they come. */
export async function* withoutSecrets(
  bytes: AsyncIterable<Uint8Array>,
  redactor: Redactor,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const masked = (text: string): Uint8Array => Buffer.from(redactor.redact(text).value);
  let waiting = '';
  for await (const chunk of bytes) {
    waiting += decoder.decode(chunk, { stream: true });
    if (waiting.length < PIECE_CHARACTERS) continue;
    const end = cutIn(waiting);
    if (end === 0) continue;
    yield masked(waiting.slice(0, end));
    waiting = waiting.slice(end);
  }
  waiting += decoder.decode();
  if (waiting.length > 0) yield masked(waiting);
}

/** Behind a line, and not inside a private key. 0: there is no such place yet. */
function cutIn(text: string): number {
  let end = text.lastIndexOf('\n') + 1;
  const begins = text.lastIndexOf(KEY_BEGINS, end);
  if (begins >= 0 && text.indexOf(KEY_ENDS, begins) < 0) end = begins;
  if (end > 0) return end;
  return text.length > PIECE_CHARACTERS_MAX ? text.length : 0;
}
