import { readFile } from 'node:fs/promises';
import { NumberTooLargeError, parseExact } from '../commands/dto/exact-json.js';
import { CommandLineError, EXIT } from './failure.js';

const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** The JSON of a file, or of standard input for `-`. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return parseExact(text);
  } catch (error) {
    const what = error instanceof NumberTooLargeError ? 'cannot be taken' : 'is not JSON';
    throw new CommandLineError(`${nameOf(file)} ${what}: ${(error as Error).message}`, EXIT.usage);
  }
}

async function readText(file: string): Promise<string> {
  if (file === '-') return readInput();
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CommandLineError(`there is no file ${file}`, EXIT.notFound);
    throw new CommandLineError(`${file} cannot be read: ${code ?? String(error)}`, EXIT.usage);
  }
}

async function readInput(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Waiting for JSON on standard input …\n');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > FILE_BYTES_MAX) {
      throw new CommandLineError('standard input has more than 64 MiB', EXIT.usage);
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}
