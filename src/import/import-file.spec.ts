import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ImportedStore, SAMPLES } from '../../test/import/imported-store.js';
import { isAtRest } from '../../test/import/what-was-imported.js';
import { LogFolder, WrittenLog } from '../../test/import/written-log.js';
import { readArtifact } from '../storage/artifact-store.js';
import { ImportCollisionError } from './import-error.js';
import type { ImportProgress } from './import-file.js';

const folder = new LogFolder();
afterAll(() => folder.remove());
const TINY = join(SAMPLES, 'claude-code/real-tiny.jsonl');

function conversation(sessionId?: string): WrittenLog {
  const log = new WrittenLog(sessionId);
  log.user('Go');
  log.call('msg_1', 'toolu_1', 'Bash', { command: 'ls' });
  log.result('toolu_1', 'a.txt');
  log.text('msg_2', 'Done.');
  return log;
}

describe('what is no log that can be imported', () => {
  const refusals: readonly (readonly [string, () => string, RegExp])[] = [
    [
      'a path that is not there',
      () => join(folder.path, 'nowhere'),
      /nowhere cannot be read: it does not exist/,
    ],
    ['an empty file', () => folder.write('empty.jsonl', ''), /empty.jsonl is empty/],
    [
      'a file of zeros',
      () => folder.write('zeros.jsonl', Buffer.alloc(3_000_000)),
      /it has no JSON value/,
    ],
    [
      'a picture',
      () =>
        folder.write('p.jsonl', Buffer.from('\x89PNG\r\n\x1a\n{{"\0\xff'.repeat(90_000), 'latin1')),
      /no JSON value/,
    ],
    ['deep JSON', () => folder.write('bomb.jsonl', `${'['.repeat(200_000)}`), /no JSON value/],
    [
      'prose',
      () => folder.write('readme.jsonl', 'uuid, sessionId and parentUuid\n'),
      /no JSON value/,
    ],
    [
      'a Cursor log',
      () => join(SAMPLES, 'unsupported/cursor/subagent/parent.jsonl'),
      /Looked for: Claude Code \(JSON lines with uuid/,
    ],
    [
      'a Qwen log',
      () => join(SAMPLES, 'unsupported/qwen/019f0000-0000-7000-8000-000000000004.jsonl'),
      /another form/,
    ],
    ['a folder without logs', () => join(SAMPLES, 'LICENSES'), /holds no log/],
    ['a folder of other logs', () => join(SAMPLES, 'unsupported'), /none of the 3 files/],
  ];
  for (const [what, pathOf, message] of refusals) {
    it(`is refused, and nothing is written: ${what}`, async () => {
      const store = new ImportedStore();
      await expect(store.import(pathOf())).rejects.toThrow(message);
      await expect(store.import(pathOf(), { format: 'claude-code' })).rejects.toThrow(message);
      expect(await store.events.headPosition()).toBe(0n);
    });
  }

  it('a format that has no importer', async () => {
    const attempt = new ImportedStore().import(TINY, { format: 'cursor' });
    await expect(attempt).rejects.toThrow(
      /no importer for the format "cursor"; known formats: claude-code/,
    );
  });
});

describe('importing a path', () => {
  it('takes the logs of a folder at any depth, lists the others, and follows no link', async () => {
    const root = new LogFolder();
    root.write('a/one.jsonl', conversation('aaaaaaaa-1111-4111-8111-111111111111').content());
    root.write('b/c/two.jsonl', conversation('bbbbbbbb-1111-4111-8111-111111111111').content());
    root.write('b/other.jsonl', '{"role":"user"}\n');
    root.write('b/notes.txt', 'no log');
    symlinkSync(TINY, join(root.path, 'a/link.jsonl'));
    symlinkSync(SAMPLES, join(root.path, 'b/samples'));
    const report = await new ImportedStore().import(root.path);
    expect(report.logs.map(({ file }) => file)).toEqual(['a/one.jsonl', 'b/c/two.jsonl']);
    expect(
      report.refused
        .map(({ file, code }) => `${file} ${code}`)
        .toSorted((one, other) => (one < other ? -1 : 1)),
    ).toEqual([
      'a/link.jsonl symbolic_link',
      'b/other.jsonl unknown_format',
      'b/samples symbolic_link',
    ]);
    root.remove();
  });

  it('reads compressed logs by content, also one that was cut', async () => {
    const text = Buffer.from(conversation().content());
    const packed = zlib.gzipSync(text);
    const store = new ImportedStore();
    const whole = await store.import(folder.write('log.jsonl.gz', packed));
    expect(whole.logs[0]).toMatchObject({ records: 4, bad_lines: 0 });
    const cut = await new ImportedStore().import(
      folder.write('cut.jsonl', packed.subarray(0, packed.length - 20)),
    );
    expect(cut.logs[0]!.quarantined).toBeLessThanOrEqual(1);
    const plain = await store.import(folder.write('log.jsonl', text));
    expect(plain.events_appended).toBe(0);
  });

  it('reads zstd where Node can, and says what to do where it cannot', async () => {
    const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]);
    const attempt = new ImportedStore().import(folder.write('z.jsonl.zst', magic));
    const can = 'createZstdDecompress' in zlib;
    await expect(attempt).rejects.toThrow(
      can ? /decompressed|no JSON value/ : /decompress it first/,
    );
  });

  it('fc-23.1, fc-23.2, fc-23.3: quarantines what cannot be read, imports the rest, and gives the text back', async () => {
    const log = conversation();
    const lines = log.content().trimEnd().split('\n');
    const torn = lines[1]!.slice(0, 150);
    const store = new ImportedStore();
    const file = folder.write(
      'torn.jsonl',
      [lines[0], torn, '[1,2]', ...lines.slice(1)].join('\n'),
    );
    const report = (await store.import(file)).logs[0]!;
    const offset = Buffer.byteLength(lines[0]!) + 1;
    expect(report).toMatchObject({
      records: 5,
      values: 6,
      accepted: 4,
      quarantined: 2,
      ignored: 0,
    });
    expect(report.quarantine).toMatchObject([
      { index: 1, byteOffset: offset, reason: 'it is not a complete JSON value' },
      { index: 2, byteOffset: offset + torn.length + 1, reason: 'it is not an object' },
    ]);
    const records = await store.records(report.sessionId);
    const kept = records.flatMap(({ event }) =>
      event.type === 'ImportedRecordKept' && event.data.kind === 'quarantined'
        ? [event.data.excerpt]
        : [],
    );
    expect(kept).toEqual([torn, '[1,2]']);
  });

  it('ignores exact repetitions, and lists a record that came back with other content', async () => {
    const log = conversation();
    const twice = log.content() + log.content();
    const store = new ImportedStore();
    const first = (await store.import(folder.write('twice.jsonl', twice))).logs[0]!;
    expect(first).toMatchObject({
      records: 8,
      accepted: 4,
      ignored: 4,
      user_inputs: 1,
      changed: [],
    });
    const edited = log.content().replace('"Go"', '"Gone"');
    const second = (await store.import(folder.write('edited.jsonl', edited))).logs[0]!;
    expect(second.events_appended).toBe(0);
    expect(second.changed).toEqual([{ key: log.lines[0]!['uuid'], byteOffset: 0 }]);
  });

  it('tells how far it has come', async () => {
    const told: ImportProgress[] = [];
    await new ImportedStore().import(TINY, { onProgress: (progress) => told.push(progress) });
    expect(told.map(({ phase }) => phase)).toEqual(['survey', 'import']);
    for (const { bytesRead, bytesTotal, files } of told) {
      expect([bytesRead, files]).toEqual([bytesTotal, 1]);
    }
  });

  it('keeps texts, arguments and answers of any size, within the limits of an event', async () => {
    const log = new WrittenLog();
    const large = 'wörd '.repeat(120_000);
    log.user(large);
    log.text('msg_1', large);
    log.call('msg_1', 'toolu_1', 'Write', { file_path: '/tmp/x', content: large });
    log.result('toolu_1', [{ type: 'text', text: large }]);
    log.assistant('msg_2', { type: 'thinking', thinking: large, signature: 's' });
    log.text('msg_2', 'Done.');
    log.user([
      {
        type: 'image',
        source: {
          type: 'base64',
          media_type: 'image/png',
          data: Buffer.alloc(400_000, 7).toString('base64'),
        },
      },
    ]);
    const store = new ImportedStore();
    const { logs } = await store.import(folder.write('large.jsonl', log.content()));
    const records = await store.records(logs[0]!.sessionId);
    const written = records.flatMap(({ event }) =>
      event.type === 'AssistantMessageRecorded' && event.data.messageId === 'msg_1'
        ? event.data.blocks
        : [],
    );
    expect(written.map((block) => (block.type === 'text' ? block.text : '')).join('')).toBe(large);
    const result = records.find(({ event }) => event.type === 'ToolResultRecorded')!.event;
    if (result.type !== 'ToolResultRecorded') throw new Error('no result');
    const owner = { tenantId: 'default', sessionId: logs[0]!.sessionId };
    const whole = await readArtifact(store.artifacts, owner, result.data.result.artifact!.hash);
    expect(JSON.parse(Buffer.from(whole!).toString()).content[0].text).toBe(large);
    const inputs = records.filter(({ event }) => event.type === 'InputAccepted');
    expect(inputs.at(-1)!.event).toMatchObject({
      data: { content: [{ type: 'image', mediaType: 'image/png' }] },
    });
    expect(isAtRest(records)).toBe(true);
  });
});

describe('sessions that are there already', () => {
  it('fail: names them, and writes nothing', async () => {
    const store = new ImportedStore();
    const { logs } = await store.import(TINY);
    const before = await store.events.headPosition();
    const attempt = store.import(join(SAMPLES, 'derived'), { onCollision: 'fail' });
    await expect(attempt).rejects.toThrow(ImportCollisionError);
    await expect(attempt).rejects.toMatchObject({ sessionIds: [logs[0]!.sessionId] });
    expect(await store.events.headPosition()).toBe(before);
    const fresh = new ImportedStore();
    expect((await fresh.import(TINY, { onCollision: 'fail' })).events_appended).toBeGreaterThan(0);
  });

  it('newIds: a second copy, and the answer tells which id became which', async () => {
    const store = new ImportedStore();
    const path = join(SAMPLES, 'claude-code/subagent-dir');
    const first = await store.import(path);
    const second = await store.import(path, { onCollision: 'newIds' });
    expect(Object.keys(second.id_map)).toEqual(first.logs.map(({ sessionId }) => sessionId));
    const [parent, child] = second.logs.map(({ sessionId }) => sessionId);
    expect(Object.values(second.id_map)).toEqual([parent, child]);
    const [start] = await store.records(child!);
    expect(start!.event).toMatchObject({
      data: { parent: { sessionId: parent, edge: 'subagent' } },
    });
  });

  it('merge: a session that was continued here takes nothing more from its log', async () => {
    const store = new ImportedStore();
    const log = conversation();
    const { logs } = await store.import(folder.write('go-on.jsonl', log.content(2)));
    const records = await store.records(logs[0]!.sessionId);
    const claimed = {
      type: 'RunClaimed' as const,
      data: {
        runId: 'r',
        epoch: 1,
        claimTokenHash: 'x',
        workerId: 'w',
        kind: 'agent' as const,
        reason: 'resume' as const,
        inputIds: [],
        leaseTtlMs: 1,
      },
    };
    const metadata = { tenantId: 'default', actor: 'w', commandType: 'ClaimRun', commandId: 'c' };
    const eventId = '11111111-1111-4111-8111-111111111111';
    const event = store.codec.encode({ eventId, event: claimed, metadata, recordedAtMs: 1 });
    await store.events.append(`session-default.${logs[0]!.sessionId}`, records.length - 1, [event]);
    await expect(store.import(folder.write('go-on.jsonl', log.content()))).rejects.toThrow(
      /newIds/,
    );
    const same = await store.import(folder.write('go-on.jsonl', log.content(2)));
    expect(same.events_appended).toBe(0);
    expect(await store.records(logs[0]!.sessionId)).toHaveLength(records.length + 1);
  });
});
