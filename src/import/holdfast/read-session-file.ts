import { createHash } from 'node:crypto';
import { ImportError } from '../import-error.js';
import { type ReadProgress, openLog } from '../open-log.js';
import { SESSION_FILE_VERSION, type SessionFileLine } from './session-file.js';

const LINE_BYTES_MAX = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

export interface ReadLines {
  readonly lines: AsyncIterable<{ readonly line: SessionFileLine; readonly number: number }>;
  /** SHA-256 of the file, hex; whole once all lines were read. */
  readonly fileHash: () => string;
}

/**
 * The lines of an exported session. The last one is its end, and the bytes before it are those that
 * it names, or reading throws. @throws ImportError
 */
export async function readSessionFile(
  file: string,
  onProgress?: (progress: ReadProgress) => void,
): Promise<ReadLines> {
  const log = await openLog(file, { onProgress });
  return { lines: checkedLines(file, log.chunks()), fileHash: () => log.hash() };
}

async function* checkedLines(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly line: SessionFileLine; readonly number: number }> {
  const digest = createHash('sha256');
  let number = 0;
  let isEnded = false;
  for await (const bytes of linesOf(file, chunks)) {
    number += 1;
    if (isEnded) throw damaged(file, `something follows its end, in line ${number}`);
    const line = parsed(file, bytes, number);
    if (number === 1) checkHeader(file, line);
    else if ('holdfast' in line) throw damaged(file, `line ${number} is another header`);
    if ('end' in line) {
      isEnded = true;
      if (line.end.sha256 !== digest.digest('hex')) {
        throw damaged(file, 'its bytes are not those that were written');
      }
    } else {
      digest.update(bytes).update('\n');
    }
    yield { line, number };
  }
  if (!isEnded) throw damaged(file, 'it has no end, so a part of it is missing');
}

/** Split at line feeds alone: contents may hold whatever else ends a line elsewhere. */
async function* linesOf(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, void> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk);
    for (let at = rest.indexOf(LINE_FEED); at >= 0; at = rest.indexOf(LINE_FEED)) {
      yield Buffer.concat([...pieces, rest.subarray(0, at)]);
      pieces = [];
      bytes = 0;
      rest = rest.subarray(at + 1);
    }
    if (rest.length > 0) pieces.push(rest);
    bytes += rest.length;
    if (bytes > LINE_BYTES_MAX) throw damaged(file, `a line has more than ${LINE_BYTES_MAX} bytes`);
  }
  if (bytes > 0) throw damaged(file, 'its last line was cut off');
}

const KINDS = ['holdfast', 'artifact', 'event', 'end'] as const;

function parsed(file: string, bytes: Buffer, number: number): SessionFileLine {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    value = undefined;
  }
  const held = KINDS.some((kind) => isRecord(isRecord(value) ? value[kind] : undefined));
  if (held) return value as SessionFileLine;
  throw damaged(file, `line ${number} cannot be read`);
}

function checkHeader(file: string, line: SessionFileLine): void {
  if (!('holdfast' in line)) throw damaged(file, 'its first line is no header');
  const { version } = line.holdfast;
  if (version === SESSION_FILE_VERSION) return;
  throw new ImportError(
    'unsupported_version',
    `${file} is an exported session of version ${String(version)}, and this Holdfast reads ` +
      `${SESSION_FILE_VERSION}; use the Holdfast that wrote it, or a newer one`,
    { file, version },
  );
}

/** 1 for any version: a newer one is recognised, and refused as what it is. */
export function scoreSessionFile(values: readonly unknown[]): number {
  const [first] = values;
  const header: unknown = isRecord(first) ? first['holdfast'] : undefined;
  return isRecord(header) && 'version' in header && 'sessionId' in header ? 1 : 0;
}

export function damaged(file: string, why: string, cause?: unknown): ImportError {
  const message = `${file} is damaged: ${why}; export the session again`;
  return new ImportError('damaged_file', message, { file }, { cause });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
