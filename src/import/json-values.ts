import { isUtf8 } from 'node:buffer';
import { type LinePiece, isBlankByte, splitLine, splitStart } from './split-line.js';

export interface JsonValueRead {
  /** Counts values and bad pieces alike, from 0. */
  readonly index: number;
  /** In the bytes that were read, after decompression. */
  readonly byteOffset: number;
  readonly text: string;
  readonly value: unknown;
  readonly bad?: undefined;
}

/** What could not be read as a value; the records before and after it count. */
export interface BadValue {
  readonly bad: true;
  readonly index: number;
  readonly byteOffset: number;
  /** All of it, or its beginning when it was over the limit. */
  readonly text: string;
  readonly reason: string;
}

export type JsonRead = JsonValueRead | BadValue;

export interface JsonReadCounts {
  readonly values: number;
  readonly bad: number;
  /** Physical lines that are not blank, and those that are not exactly one value. */
  readonly lines: number;
  readonly badLines: number;
  readonly invalidUtf8Lines: number;
  readonly nulLines: number;
}

export const VALUE_BYTES_MAX = 64 * 1024 * 1024;
const EXCERPT_BYTES = 64 * 1024;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads JSON Lines by value, whatever a crash has left of them. Memory holds one line at most, and
 * never more than `valueBytesMax` and one chunk; an unfinished last line is a bad piece.
 */
export class JsonValueReader {
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  /** Offset of the first pending byte. */
  private offset = 0;
  /** The beginning of a value over the limit, whose end has not come yet. */
  private oversize: Buffer | undefined;
  private oversizeAt = 0;
  private tally = { values: 0, bad: 0, lines: 0, badLines: 0, invalidUtf8Lines: 0, nulLines: 0 };
  private index = 0;

  constructor(private readonly valueBytesMax = VALUE_BYTES_MAX) {}

  get counts(): JsonReadCounts {
    return this.tally;
  }

  async *read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonRead> {
    for await (const chunk of chunks) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      yield* this.take(bytes);
    }
    yield* this.endLine(false);
  }

  private *take(bytes: Buffer): Generator<JsonRead> {
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, from)) {
      this.hold(bytes.subarray(from, end));
      yield* this.endLine(true);
      from = end + 1;
    }
    this.hold(bytes.subarray(from));
    if (this.pendingBytes > this.valueBytesMax) yield* this.relieve();
  }

  private hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.pendingBytes === 0 && this.oversize === undefined && isBlank(bytes)) {
      this.offset += bytes.length;
      return;
    }
    if (this.oversize !== undefined) {
      this.offset += bytes.length;
      return;
    }
    // A copy: the chunk's memory may be shared with a larger buffer that is read into again.
    this.pending.push(Buffer.from(bytes));
    this.pendingBytes += bytes.length;
  }

  /** Over the limit: what is complete at the start is given out; else the value is too large. */
  private *relieve(): Generator<JsonRead> {
    const line = this.joined();
    const { pieces, rest } = splitStart(line);
    for (const piece of pieces) yield this.numbered(piece, this.offset);
    this.offset += rest;
    this.pending = rest < line.length ? [line.subarray(rest)] : [];
    this.pendingBytes = line.length - rest;
    if (this.pendingBytes <= this.valueBytesMax) return;
    this.oversize = Buffer.from(line.subarray(rest, rest + EXCERPT_BYTES));
    this.oversizeAt = this.offset;
    this.offset += this.pendingBytes;
    this.pending = [];
    this.pendingBytes = 0;
  }

  private *endLine(hasBreak: boolean): Generator<JsonRead> {
    if (this.oversize !== undefined) {
      const text = this.oversize.toString('utf8');
      const reason = `it is larger than ${this.valueBytesMax} bytes`;
      this.tally.lines += 1;
      this.tally.badLines += 1;
      yield this.numbered({ start: 0, end: 0, text, reason }, this.oversizeAt);
      this.oversize = undefined;
    } else if (this.pendingBytes > 0) {
      yield* this.line(this.joined());
      this.offset += this.pendingBytes;
    }
    this.pending = [];
    this.pendingBytes = 0;
    if (hasBreak) this.offset += 1;
  }

  private *line(read: Buffer): Generator<JsonRead> {
    const { line, skipped } = this.withoutMarks(read);
    const pieces = splitLine(line);
    if (pieces.length === 0) return;
    this.tally.lines += 1;
    if (pieces.length > 1 || 'reason' in pieces[0]!) this.tally.badLines += 1;
    if (!isUtf8(line)) this.tally.invalidUtf8Lines += 1;
    for (const piece of pieces) yield this.numbered(piece, this.offset + skipped);
  }

  /** Without a byte order mark, and without NUL bytes, which crashes leave in files. */
  private withoutMarks(read: Buffer): { readonly line: Buffer; readonly skipped: number } {
    const marked = this.offset === 0 && read.subarray(0, 3).equals(BOM);
    const bom = marked ? BOM.length : 0;
    const line = read.subarray(bom);
    let leading = 0;
    while (leading < line.length && line[leading] === 0) leading += 1;
    const rest = line.subarray(leading);
    if (!rest.includes(0)) return { line: rest, skipped: bom + leading };
    this.tally.nulLines += 1;
    return { line: Buffer.from(rest.filter((byte) => byte !== 0)), skipped: bom + leading };
  }

  private joined(): Buffer {
    return this.pending.length === 1 ? this.pending[0]! : Buffer.concat(this.pending);
  }

  private numbered(piece: LinePiece, lineOffset: number): JsonRead {
    const place = { index: this.index, byteOffset: lineOffset + piece.start, text: piece.text };
    this.index += 1;
    if ('value' in piece) {
      this.tally.values += 1;
      return { ...place, value: piece.value };
    }
    this.tally.bad += 1;
    return { ...place, bad: true, reason: piece.reason };
  }
}

/** A loop over indexes: files of zeros are read at gigabytes per second. */
function isBlank(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte !== 0 && !isBlankByte(byte)) return false;
  }
  return true;
}
