import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, stat } from 'node:fs/promises';
import { Readable, pipeline } from 'node:stream';
import zlib from 'node:zlib';
import { ImportError } from './import-error.js';

export interface ReadProgress {
  readonly file: string;
  /** Of the file as it lies on disk. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

export interface OpenLogOptions {
  /** Read only so many bytes of the file: a file that grows is read as it was found. */
  readonly bytesMax?: number;
  readonly onProgress?: (progress: ReadProgress) => void;
}

type Compression = 'none' | 'gzip' | 'zstd';

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** Codes of decompression that ran into the end of a file that was cut. */
const CUT = new Set(['Z_BUF_ERROR', 'ZSTD_error_srcSize_wrong']);
const PROGRESS_BYTES = 256 * 1024;

/** Size of a regular file. @throws ImportError */
export async function sizeOfLog(file: string): Promise<number> {
  const found = await lstat(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  const target = found.isSymbolicLink() ? await stat(file) : found;
  if (!target.isFile()) {
    throw new ImportError('not_a_file', `${file} is neither a file nor a folder`, { file });
  }
  return target.size;
}

/** The bytes of a log, decompressed where its content says so, and the hash of what was read. */
export class LogBytes {
  private readonly digest = createHash('sha256');
  private bytesRead = 0;

  constructor(
    readonly file: string,
    private readonly bytesTotal: number,
    private readonly onProgress?: (progress: ReadProgress) => void,
  ) {}

  get isEmpty(): boolean {
    return this.bytesTotal === 0;
  }

  /** SHA-256 of the file's bytes, hex; whole only after `chunks` has ended. */
  hash(): string {
    return this.digest.copy().digest('hex');
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    if (this.bytesTotal === 0) return;
    const decoder = decoderOf(await compressionOf(this.file), this.file);
    if (decoder === undefined) return yield* this.raw();
    // What ends the reading ends the decoder too: nobody waits for bytes that never come.
    const decoded = pipeline(Readable.from(this.raw()), decoder, () => undefined);
    try {
      for await (const chunk of decoded) yield chunk as Uint8Array;
    } catch (error) {
      const code = codeOf(error);
      // The end of a compressed file that was cut off: what came before it counts.
      if (CUT.has(code)) return;
      throw code.startsWith('Z') ? damaged(this.file, error) : error;
    }
  }

  private async *raw(): AsyncGenerator<Uint8Array> {
    const stream = createReadStream(this.file, { end: this.bytesTotal - 1 });
    let told = 0;
    try {
      for await (const chunk of stream) {
        const bytes = chunk as Buffer;
        this.digest.update(bytes);
        this.bytesRead += bytes.length;
        if (this.bytesRead - told >= PROGRESS_BYTES) told = this.tell();
        yield bytes;
      }
    } catch (error) {
      // Whoever hears of the progress may end the reading.
      throw codeOf(error) === '' ? error : unreadable(this.file, error);
    }
    this.tell();
  }

  private tell(): number {
    const { file, bytesRead, bytesTotal } = this;
    this.onProgress?.({ file, bytesRead, bytesTotal });
    return bytesRead;
  }
}

export async function openLog(file: string, options: OpenLogOptions = {}): Promise<LogBytes> {
  const size = await sizeOfLog(file);
  return new LogBytes(file, Math.min(size, options.bytesMax ?? size), options.onProgress);
}

async function compressionOf(file: string): Promise<Compression> {
  const handle = await open(file, 'r').catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  try {
    const head = Buffer.alloc(4);
    const { bytesRead } = await handle.read(head, 0, 4, 0);
    const magic = head.subarray(0, bytesRead);
    if (magic.subarray(0, 2).equals(GZIP)) return 'gzip';
    return magic.equals(ZSTD) ? 'zstd' : 'none';
  } finally {
    await handle.close();
  }
}

interface MaybeZstd {
  readonly createZstdDecompress?: () => NodeJS.ReadWriteStream & NodeJS.WritableStream;
}

function decoderOf(compression: Compression, file: string) {
  if (compression === 'none') return undefined;
  if (compression === 'gzip') return zlib.createGunzip();
  const create = (zlib as MaybeZstd).createZstdDecompress;
  if (create !== undefined) return create();
  throw new ImportError(
    'unsupported_compression',
    `${file} is compressed with zstd, which Node.js ${process.versions.node} cannot read; ` +
      'decompress it first (zstd -d), or run Holdfast on Node.js 22.15 or later',
    { file },
  );
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function unreadable(file: string, cause: unknown): ImportError {
  const code = codeOf(cause);
  const why = code === 'ENOENT' ? 'it does not exist' : code === 'EACCES' ? 'not permitted' : code;
  return new ImportError('unreadable_path', `${file} cannot be read: ${why}`, { file }, { cause });
}

function damaged(file: string, cause: unknown): ImportError {
  const message = `${file} cannot be decompressed: ${codeOf(cause) || String(cause)}`;
  return new ImportError('unreadable_path', message, { file }, { cause });
}
