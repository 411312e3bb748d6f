import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { startNode } from '../support/child-process.js';
import { type CompiledSources, compileForChildren } from '../support/compile-for-children.js';
import { MongoDouble } from '../support/mongo-double/mongo-double.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(180_000);

const MEBIBYTE = 1_024 * 1_024;
const SIZE_BYTES = 64 * MEBIBYTE;

let compiled: CompiledSources;
beforeAll(() => {
  compiled = compileForChildren(['src', 'test/support/children', 'packages/provider-rules/src']);
});
afterAll(() => compiled.remove());

/** What a process of its own holds in live buffers while it stores and reads 64 MiB. */
async function heldBytes(mongodbUrl: string, how: 'streamed' | 'gathered'): Promise<number> {
  const folder = temporaryFolder();
  const script = compiled.fileOf('test/support/children/artifact-memory.ts');
  const places = [join(folder.path, 'data'), join(folder.path, 'data-keys'), mongodbUrl];
  const child = startNode('--expose-gc', [script, ...places, how]);
  const { stderr } = await child.ended;
  folder.remove();
  expect(stderr).toBe('');
  const said = JSON.parse(child.printed()) as Record<
    'sizeBytes' | 'readBytes' | 'heldBytes',
    number
  >;
  expect([said.sizeBytes, said.readBytes]).toEqual([SIZE_BYTES, SIZE_BYTES]);
  return said.heldBytes;
}

describe('an artifact of 64 MiB passes through in pieces', () => {
  it('into files and out of them', async () => {
    expect(await heldBytes('', 'streamed')).toBeLessThan(8 * MEBIBYTE);
  });

  it('into MongoDB and out of it', async () => {
    const double = await new MongoDouble().start();
    expect(await heldBytes(double.url('large'), 'streamed')).toBeLessThan(24 * MEBIBYTE);
    await double.stop();
  });

  it('and the measure sees one that is gathered', async () => {
    expect(await heldBytes('', 'gathered')).toBeGreaterThan(0.9 * SIZE_BYTES);
  });
});
