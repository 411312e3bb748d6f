import type { PriceCards } from '../pricing/card-index.js';
import type { Redactor } from '../redaction/redactor.js';
import type { ArtifactOwner, ArtifactStore } from '../storage/artifact-store.js';
import type { SessionHasher } from '../tokens.js';
import type { JsonRead } from './json-values.js';
import { JsonValueReader } from './json-values.js';
import { ImportError } from './import-error.js';
import type { LogReport } from './import-report.js';
import { type ReadProgress, openLog } from './open-log.js';
import type { SessionIds } from './session-ids.js';
import type { WriterPorts } from './session-writer.js';

/** What a log is written with. */
export interface ImportPorts extends WriterPorts {
  readonly artifacts: ArtifactStore;
  /** HMAC-SHA-256 with the session's own key, hex. */
  readonly hasher: SessionHasher;
  readonly cards: PriceCards;
  readonly ids: SessionIds;
  readonly redactorOf?: RedactorOf;
  readonly onProgress?: (progress: ReadProgress) => void;
}

/** What masks secrets of a session; undefined: nothing does. */
export type RedactorOf = (owner: ArtifactOwner) => Promise<Redactor | undefined>;

/** A file that was read once. */
export interface ReadableLog {
  /** Of all sessions in it, its own first. */
  readonly nativeIds: readonly string[];
  /** Appends what the sessions of the file do not hold yet. @throws ImportError */
  import(ports: ImportPorts): Promise<LogReport>;
}

/** What recognising and reading a format takes. */
export interface LogFormat {
  readonly name: string;
  readonly title: string;
  /** In words: what a file of this format has. */
  readonly looksFor: string;
  /** 0: not this format; 1: certainly. */
  readonly score: (values: readonly unknown[]) => number;
  /** The id that a session of such a log gets here. */
  readonly sessionIdOf: (tenantId: string, nativeId: string) => string;
  /** @throws ImportError when nothing of it can be imported. */
  readonly read: (
    file: string,
    onProgress?: (progress: ReadProgress) => void,
  ) => Promise<ReadableLog>;
}

const SAMPLE_BYTES = 64 * 1024;
/** A first record larger than the sample is still read to its end, up to this. */
const FIRST_VALUE_BYTES_MAX = 64 * 1024 * 1024;
/** So many unreadable pieces before the first value: this is no JSON. */
const BAD_PIECES_MAX = 100;
const SCORE_MIN = 0.4;

/**
 * The format of a file by its content, never by its name. `named`: the caller says which format it
 * is, and a file with anything of it will do. @throws ImportError
 */
export async function recognise(
  file: string,
  formats: readonly LogFormat[],
  named = false,
): Promise<LogFormat> {
  const values = await sampleOf(file);
  const scored = formats
    .map((format) => ({ format, score: format.score(values) }))
    .filter(({ score }) => score > 0 && (named || score >= SCORE_MIN))
    .sort((one, other) => other.score - one.score);
  const [best, second] = scored;
  if (best !== undefined && best.score !== second?.score) return best.format;
  const looked = formats.map(({ title, looksFor }) => `${title} (${looksFor})`).join('; ');
  const found =
    best === undefined
      ? values.length === 0
        ? 'it has no JSON value'
        : 'its records have another form'
      : `${best.format.title} and ${second!.format.title} fit equally; name one with format`;
  throw new ImportError(
    'unknown_format',
    `${file} is not a log that Holdfast can import: ${found}. Looked for: ${looked}`,
    { file },
  );
}

/** The values in the first 64 KiB, and at least one if the file begins with one. */
async function sampleOf(file: string): Promise<readonly unknown[]> {
  const log = await openLog(file, { bytesMax: FIRST_VALUE_BYTES_MAX });
  if (log.isEmpty) {
    throw new ImportError('empty_file', `${file} is empty: there is nothing to import`, { file });
  }
  const values: unknown[] = [];
  let bad = 0;
  for await (const read of new JsonValueReader().read(untilSampled(log.chunks()))) {
    if (isPastSample(read, values)) break;
    if (read.bad === undefined) values.push(read.value);
    else bad += 1;
    if (values.length === 0 && bad > BAD_PIECES_MAX) break;
  }
  return values;
}

function isPastSample(read: JsonRead, values: readonly unknown[]): boolean {
  return read.byteOffset > SAMPLE_BYTES && (values.length > 0 || read.bad === true);
}

/** Ends early for a file that does not begin like JSON: a picture, an archive, zeros. */
async function* untilSampled(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let begins = false;
  for await (const chunk of chunks) {
    begins ||= chunk.includes(0x7b) || chunk.includes(0x5b);
    bytes += chunk.length;
    yield chunk;
    if (bytes > SAMPLE_BYTES && !begins) return;
  }
}
