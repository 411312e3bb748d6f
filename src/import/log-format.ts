import type { JsonRead } from './json-values.js';
import { JsonValueReader } from './json-values.js';
import { ImportError } from './import-error.js';
import { openLog } from './open-log.js';

/** What recognising a format needs to know of it. */
export interface LogFormat {
  readonly name: string;
  readonly title: string;
  /** In words: what a file of this format has. */
  readonly looksFor: string;
  /** 0: not this format; 1: certainly. */
  readonly score: (values: readonly unknown[]) => number;
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
