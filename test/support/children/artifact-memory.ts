import { openStorage } from '../../../src/storage/open-storage.js';

/**
 * Stores an artifact of 64 MiB piece by piece, reads it back, and prints the most bytes in buffers
 * that were alive meanwhile (`--expose-gc`); with `gathered` it first holds all of it at once.
 */
const [dataDir = '', keysDir = '', mongodbUrl = '', gathered = ''] = process.argv.slice(2);
const PIECE_BYTES = 256 * 1_024;
const PIECES = 256;
const EVERY_PIECES = 8;

let peakBytes = 0;
function look(): void {
  (globalThis as { gc?: () => void }).gc!();
  const { external, arrayBuffers } = process.memoryUsage();
  peakBytes = Math.max(peakBytes, external, arrayBuffers);
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < PIECES; index += 1) {
    if (index % EVERY_PIECES === 0) look();
    yield Buffer.alloc(PIECE_BYTES, index);
  }
}

async function* together(): AsyncGenerator<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces()) all.push(piece);
  look();
  yield* all;
}

const storage = await openStorage({ dataDir, keysDir, mongodbUrl: mongodbUrl || undefined });
const owner = { tenantId: 'default', sessionId: 'large' };
look();
const beforeBytes = peakBytes;
const content = gathered === 'gathered' ? together() : pieces();
const { hash, sizeBytes } = await storage.artifacts.put(owner, content, 'text/plain');
const found = await storage.artifacts.find(owner, hash);
let readBytes = 0;
let count = 0;
for await (const piece of found!.read()) {
  readBytes += piece.byteLength;
  count += 1;
  if (count % EVERY_PIECES === 0) look();
}
await storage.close();
process.stdout.write(JSON.stringify({ sizeBytes, readBytes, heldBytes: peakBytes - beforeBytes }));
