import { NumberTooLargeError, parseExact } from '../commands/dto/exact-json.js';
import { isShallow } from '../context/canonical-json.js';

/** A piece of a line, in bytes from its start: a value, or what could not be read as one. */
export type LinePiece =
  | { readonly start: number; readonly end: number; readonly text: string; readonly value: unknown }
  | {
      readonly start: number;
      readonly end: number;
      readonly text: string;
      readonly reason: string;
    };

const OPENERS = new Set([0x7b, 0x5b]);
const CLOSERS = new Set([0x7d, 0x5d]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const RECOVERIES_MAX = 200;

export function isBlankByte(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a || byte === 0x00;
}

/**
 * All values of one line, by value: programs that were killed left `}{` without a line break, and
 * half a record with the next one behind it.
 */
export function splitLine(line: Buffer): readonly LinePiece[] {
  const start = skipBlank(line, 0);
  if (start === line.length) return [];
  const whole = pieceOf(line, start, endWithoutBlanks(line, start));
  return 'value' in whole ? [whole] : splitByValue(line, start);
}

/** The values that stand complete at the start of a line of which more is to come. */
export function splitStart(line: Buffer): { readonly pieces: LinePiece[]; readonly rest: number } {
  const pieces: LinePiece[] = [];
  let at = skipBlank(line, 0);
  while (at < line.length) {
    const end = endOfValue(line, at);
    if (end === undefined) break;
    const piece = pieceOf(line, at, end);
    if (!('value' in piece)) break;
    pieces.push(piece);
    at = skipBlank(line, end);
  }
  return { pieces, rest: at };
}

function splitByValue(line: Buffer, start: number): readonly LinePiece[] {
  const { pieces, rest } = splitStart(line.subarray(start));
  const found: LinePiece[] = pieces.map((piece) => ({
    ...piece,
    start: piece.start + start,
    end: piece.end + start,
  }));
  const from = start + rest;
  if (from >= line.length) return found;
  const recovered = recoveredAt(line, from);
  const end = recovered?.from ?? endWithoutBlanks(line, from);
  found.push(pieceOf(line, from, end), ...(recovered?.pieces ?? []));
  return found;
}

/** Behind a torn record: the first place from which everything up to the end can be read. */
function recoveredAt(
  line: Buffer,
  from: number,
): { readonly from: number; readonly pieces: readonly LinePiece[] } | undefined {
  let at = from;
  for (let tries = 0; tries < RECOVERIES_MAX; tries += 1) {
    at = line.indexOf('{"', at + 1);
    if (at === -1) return undefined;
    const { pieces, rest } = splitStart(line.subarray(at));
    if (pieces.length === 0 || at + rest < line.length) continue;
    const shift = at;
    return {
      from: at,
      pieces: pieces.map((piece) => ({
        ...piece,
        start: piece.start + shift,
        end: piece.end + shift,
      })),
    };
  }
  return undefined;
}

function skipBlank(line: Buffer, from: number): number {
  let at = from;
  while (at < line.length && isBlankByte(line[at]!)) at += 1;
  return at;
}

function endWithoutBlanks(line: Buffer, from: number): number {
  let end = line.length;
  while (end > from && isBlankByte(line[end - 1]!)) end -= 1;
  return end;
}

/** Index behind the value that begins at `start`; undefined when it is not complete. */
function endOfValue(line: Buffer, start: number): number | undefined {
  if (!OPENERS.has(line[start]!)) return endOfScalar(line, start);
  let depth = 0;
  for (let at = start; at < line.length; at += 1) {
    const byte = line[at]!;
    if (byte === QUOTE) {
      const end = endOfString(line, at);
      if (end === undefined) return undefined;
      at = end;
    } else if (OPENERS.has(byte)) {
      depth += 1;
    } else if (CLOSERS.has(byte)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function endOfScalar(line: Buffer, start: number): number | undefined {
  if (line[start] === QUOTE) {
    const end = endOfString(line, start);
    return end === undefined ? undefined : end + 1;
  }
  let end = start;
  while (end < line.length && !isBlankByte(line[end]!) && !OPENERS.has(line[end]!)) end += 1;
  return end;
}

/** Index of the closing quote. */
function endOfString(line: Buffer, start: number): number | undefined {
  for (let at = start + 1; at < line.length; at += 1) {
    if (line[at] === BACKSLASH) at += 1;
    else if (line[at] === QUOTE) return at;
  }
  return undefined;
}

function pieceOf(line: Buffer, start: number, end: number): LinePiece {
  const text = line.toString('utf8', start, end);
  try {
    const value = parseExact(text);
    if (isShallow(value)) return { start, end, text, value };
    return { start, end, text, reason: 'its values are nested too deeply' };
  } catch (error) {
    return { start, end, text, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NumberTooLargeError) return 'it has a number that is too large to be kept';
  return error instanceof SyntaxError ? 'it is not a complete JSON value' : 'it cannot be read';
}
