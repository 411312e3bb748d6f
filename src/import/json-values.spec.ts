import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonRead, JsonValueReader } from './json-values.js';

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function readAll(text: string | Buffer, chunkBytes = 7, valueBytesMax?: number) {
  const reader = new JsonValueReader(valueBytesMax);
  const reads: JsonRead[] = [];
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for await (const read of reader.read(inChunks(bytes, chunkBytes))) reads.push(read);
  return { reads, counts: reader.counts };
}

function valuesOf(reads: readonly JsonRead[]): readonly unknown[] {
  return reads.flatMap((read) => (read.bad === true ? [] : [read.value]));
}

function badOf(reads: readonly JsonRead[]) {
  return reads.flatMap((read) =>
    read.bad === true ? [[read.index, read.byteOffset, read.text]] : [],
  );
}

describe('reading JSON values from a log', () => {
  it('reads line by line, whatever the line ends are and wherever chunks end', async () => {
    const text = '\ufeff{"a":1}\r\n\n  \n{"b":"ü\\n}{"}\r\n{"c":3}';
    for (const size of [1, 2, 5, 100]) {
      const { reads, counts } = await readAll(text, size);
      expect(valuesOf(reads)).toEqual([{ a: 1 }, { b: 'ü\n}{' }, { c: 3 }]);
      expect(counts).toMatchObject({ values: 3, bad: 0, lines: 3, badLines: 0 });
      expect(reads[1]!.byteOffset).toBe(Buffer.byteLength('\ufeff{"a":1}\r\n\n  \n'));
    }
  });

  it('splits a line that holds two values', async () => {
    const { reads, counts } = await readAll('{"a":"}{"}{"b":[2]}\n{"c":3}\n');
    expect(valuesOf(reads)).toEqual([{ a: '}{' }, { b: [2] }, { c: 3 }]);
    expect(reads[1]!.byteOffset).toBe(10);
    expect(counts).toMatchObject({ values: 3, lines: 2, badLines: 1 });
  });

  it('fc-23.4: names a torn record by index and byte offset, first, in the middle and last', async () => {
    const records = [
      '{"type":"InputAccepted","inputId":"u1","text":"a"}',
      '{"type":"AssistantMessageRecorded","messageId":"m1","text":"b","toolCalls":[]}',
      '{"type":"InputAccepted","inputId":"u2","text":"c"}',
    ];
    const torn = '{"type":"ToolResultRec';
    for (const place of [0, 1, 2, 3]) {
      const lines = records.toSpliced(place, 0, torn);
      const { reads, counts } = await readAll(lines.join('\n'));
      expect(valuesOf(reads)).toEqual(records.map((record) => JSON.parse(record)));
      const offset = lines.slice(0, place).join('\n').length + (place === 0 ? 0 : 1);
      expect(badOf(reads)).toEqual([[place, offset, torn]]);
      expect(counts).toMatchObject({ values: 3, bad: 1, lines: 4, badLines: 1 });
    }
  });

  it('finds the whole record behind half of one on the same line', async () => {
    const half = '{"type":"user","message":{"content":"He sa';
    const { reads } = await readAll(`${half}{"type":"user","n":{"x":1}}\n{"z":1}`);
    expect(valuesOf(reads)).toEqual([{ type: 'user', n: { x: 1 } }, { z: 1 }]);
    expect(badOf(reads)).toEqual([[0, 0, half]]);
  });

  it('keeps whole numbers beyond 2^53 as their digits', async () => {
    const { reads } = await readAll(
      '{"id":12345678901234567890,"n":[-9007199254740993,9007199254740991,1.5e3],"s":"12345678901234567890"}',
    );
    expect(valuesOf(reads)).toEqual([
      {
        id: '12345678901234567890',
        n: ['-9007199254740993', 9007199254740991, 1500],
        s: '12345678901234567890',
      },
    ]);
  });

  it('keeps a record with a number that nothing holds as it stands, and says so', async () => {
    const { reads, counts } = await readAll('{"a":1}\n{"n":1e999,"m":{"x":1}}\n{"b":2}\n');
    expect(valuesOf(reads)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(badOf(reads)).toEqual([[1, 8, '{"n":1e999,"m":{"x":1}}']]);
    expect(counts).toMatchObject({ values: 2, bad: 1 });
  });

  it('reads past NUL bytes and replaces bytes that are no UTF-8, and says so', async () => {
    const bytes = Buffer.concat([
      Buffer.alloc(40),
      Buffer.from('{"a":1}\n{"b":"'),
      Buffer.from([0xff]),
      Buffer.from('"}\n{"c"\0:3}\n'),
      Buffer.alloc(9),
    ]);
    const { reads, counts } = await readAll(bytes);
    expect(valuesOf(reads)).toEqual([{ a: 1 }, { b: '\ufffd' }, { c: 3 }]);
    expect(counts).toMatchObject({ invalidUtf8Lines: 1, nulLines: 1, lines: 3 });
    expect(reads[0]!.byteOffset).toBe(40);
  });

  it('gives up a value over the limit and goes on behind it', async () => {
    const large = `{"a":"${'x'.repeat(300)}"}`;
    const { reads, counts } = await readAll(`{"b":1}\n${large}\n{"c":2}`, 16, 200);
    expect(valuesOf(reads)).toEqual([{ b: 1 }, { c: 2 }]);
    expect(badOf(reads)).toMatchObject([[1, 8, expect.stringContaining('{"a":"xxx')]]);
    expect(reads[2]!.byteOffset).toBe(8 + large.length + 1);
    expect(counts).toMatchObject({ values: 2, bad: 1, lines: 3, badLines: 1 });
  });

  it('reads a file without any line break, value by value', async () => {
    const values = Array.from({ length: 50 }, (_, n) => ({ n }));
    const text = values.map((value) => JSON.stringify(value)).join('');
    const { reads } = await readAll(text, 16, 100);
    expect(valuesOf(reads)).toEqual(values);
    expect(reads[49]!.byteOffset).toBe(text.length - '{"n":49}'.length);
  });

  it('refuses a value that is nested too deeply, and nothing else', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { reads } = await readAll(`${deep}\n{"a":1}`, 4096);
    expect(valuesOf(reads)).toEqual([{ a: 1 }]);
    expect(reads[0]).toMatchObject({ bad: true, reason: 'its values are nested too deeply' });
  });

  it('holds no more than the limit in memory for a file of zeros', async () => {
    async function* zeros(): AsyncGenerator<Uint8Array> {
      const block = new Uint8Array(1024 * 1024);
      for (let count = 0; count < 80; count += 1) yield block;
    }
    const reader = new JsonValueReader();
    const before = process.memoryUsage().arrayBuffers;
    for await (const read of reader.read(zeros())) expect(read).toBeUndefined();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    expect(reader.counts).toMatchObject({ values: 0, bad: 0, lines: 0 });
  });

  it('never throws, and every byte that is not blank is in a value or a bad piece', async () => {
    const piece = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('{', '}', '"', '\n', '\\', '{"a":', '\0', '}{', '[1,'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.integer({ min: 1, max: 40 }), async (pieces, size) => {
        const text = pieces.join('');
        const { reads, counts } = await readAll(text, size);
        expect(counts.values + counts.bad).toBe(reads.length);
        expect(reads.map(({ index }) => index)).toEqual(reads.map((_, place) => place));
        const solid = (part: string) => part.replace(/[\0\s]/g, '');
        const kept = reads.map((read) => solid(read.text)).join('');
        expect(kept).toBe(
          solid(
            Buffer.from(text)
              .toString('utf8')
              .replace(/^\ufeff/, ''),
          ),
        );
      }),
      { numRuns: 300 },
    );
  });
});
