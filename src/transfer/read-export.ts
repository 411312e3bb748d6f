import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  EVENTS_FILE,
  EXPORT_VERSION,
  type TransferCounts,
  TransferError,
  type TransferLine,
} from './transfer-file.js';

const TAIL_BYTES = 1_024;

export interface ReadExport {
  readonly header: Extract<TransferLine, { readonly export: object }>['export'];
  readonly counts: TransferCounts;
  readonly sizeBytes: number;
  lines(): AsyncIterable<TransferLine>;
}

/** Looks at both ends before anything is written. @throws TransferError */
export async function readExport(folder: string): Promise<ReadExport> {
  const file = join(folder, EVENTS_FILE);
  const sizeBytes = await sizeOf(file, folder);
  const last = lineIn((await tailOf(file, sizeBytes)).trimEnd().split('\n').at(-1) ?? '');
  if (last === undefined || !('end' in last)) {
    throw new TransferError(`${file} has no end: the export was broken off; export again`);
  }
  let header: ReadExport['header'] | undefined;
  for await (const line of linesOf(file)) {
    if ('export' in line) header = line.export;
    break;
  }
  if (header === undefined) throw new TransferError(`${file} is no export of Holdfast`);
  if (header.version !== EXPORT_VERSION) {
    throw new TransferError(
      `${file} has version ${header.version}, this Holdfast reads ${EXPORT_VERSION}; use the ` +
        'Holdfast that wrote it, or a newer one',
    );
  }
  return { header, counts: last.end, sizeBytes, lines: () => linesOf(file) };
}

async function sizeOf(file: string, folder: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    throw new TransferError(
      `there is no export in ${folder}: ${EVENTS_FILE} is missing; name the folder that ` +
        'holdfast export has written',
    );
  }
}

async function tailOf(file: string, sizeBytes: number): Promise<string> {
  const handle = await open(file);
  try {
    const length = Math.min(TAIL_BYTES, sizeBytes);
    const buffer = Buffer.alloc(length);
    await handle.read(buffer, 0, length, sizeBytes - length);
    return buffer.toString('utf8');
  } finally {
    await handle.close();
  }
}

async function* linesOf(file: string): AsyncGenerator<TransferLine, void, void> {
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    number += 1;
    const line = lineIn(text);
    if (line === undefined) {
      throw new TransferError(`${file}, line ${number} cannot be read; export again`);
    }
    yield line;
  }
}

function lineIn(text: string): TransferLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as TransferLine) : undefined;
  } catch {
    return undefined;
  }
}
