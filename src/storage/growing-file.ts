import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { moveDurably } from './files/durable-file.js';

/** Where a file stands until it is whole: what a killed process leaves. */
export function unfinished(file: string): string {
  return `${file}.unfinished`;
}

/**
 * Writes what comes, however long it takes, and gives it its name when it is whole and safe from a
 * power cut. When `content` fails, nothing stays, and nothing is written afterwards.
 */
export async function writeAsItComes(
  file: string,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const growing = unfinished(file);
  // Opened first: a stream that opens the file itself may do so after its source has failed.
  const handle = await open(growing, 'w', 0o600);
  try {
    await pipeline(Readable.from(content), handle.createWriteStream({ flush: true }));
    await moveDurably(growing, file);
  } catch (error) {
    await handle.close();
    await rm(growing, { force: true });
    throw error;
  }
}
