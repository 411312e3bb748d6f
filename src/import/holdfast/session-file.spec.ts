import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ImportedStore, TENANT } from '../../../test/import/imported-store.js';
import { stateOf } from '../../../test/import/what-was-imported.js';
import { forked, settled, usage } from '../../../test/projections/session-events.js';
import {
  assistantMessage,
  callRequested,
  inputAccepted,
  inputDelivered,
  modelCallStarted,
  runClaimed,
  sessionStarted,
  toolCallStarted,
} from '../../../test/support/events.js';
import { tool } from '../../../test/support/commands.js';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { SessionEvent } from '../../domain/events.js';
import { childSessionId, derivedId, sessionStream } from '../../identity/derived-ids.js';
import { readArtifact } from '../../storage/artifact-store.js';
import { exportSession } from '../../transfer/export-session.js';

let folder: TemporaryFolder;
let store: ImportedStore;
const CHILD = childSessionId('s1', 'call-1');
const PICTURE = Buffer.from('not really a picture\u2028');

beforeEach(() => {
  folder = temporaryFolder();
  store = new ImportedStore();
});
afterEach(() => folder.remove());

async function append(sessionId: string, events: readonly SessionEvent[]): Promise<void> {
  const recordedAtMs = Date.parse('2026-05-01T00:00:00Z');
  const encoded = events.map((event, index) =>
    store.codec.encode({
      eventId: derivedId('test', sessionId, index),
      event,
      metadata: {
        tenantId: TENANT,
        actor: 'key:agent',
        commandType: 'Test',
        commandId: String(index),
        commandEvents: 1,
        payloadHash: 'hash',
      },
      recordedAtMs,
    }),
  );
  await store.events.append(sessionStream(TENANT, sessionId), 'noStream', encoded);
}

/** A run in the middle of its work: a call under way, a child, an input that waits. */
async function written(sessionIds: readonly string[] = ['s1', CHILD]): Promise<string> {
  const owner = { tenantId: TENANT, sessionId: 's1' };
  const artifact = await store.artifacts.put(owner, PICTURE, 'image/png');
  const picture = { type: 'image' as const, mediaType: 'image/png', artifact };
  await append('s1', [
    sessionStarted({ sessionId: 's1', labels: { sessionId: 's1' } }),
    inputAccepted({ content: [{ type: 'text', text: 'Look\u2028s1' }, picture] }),
    runClaimed(),
    inputDelivered(),
    modelCallStarted(),
    assistantMessage(),
    callRequested(tool()),
    settled('response:anthropic:msg_1', {
      modelCallId: 'model-call-1',
      usage: usage({ inputFresh: 100 }),
    }),
    toolCallStarted(),
    inputAccepted({ inputId: 'input-2' }),
  ]);
  const parent = { sessionId: 's1', edge: 'subagent' as const, spawningCallId: 'call-1' };
  await append(CHILD, [sessionStarted({ sessionId: CHILD, parent, ancestors: ['s1'] })]);
  const { events, artifacts, codec } = store;
  const header = { tenantId: TENANT, sessionId: 's1', children: true };
  await exportSession({ folder: folder.path, header, sessionIds, events, artifacts, codec });
  return join(folder.path, 'session.jsonl');
}

describe('an exported session that is imported', () => {
  it('is at rest: nothing of it is owned, its open call is unknown, and no input wakes it', async () => {
    const file = await written();
    const elsewhere = new ImportedStore();
    const report = await elsewhere.import(file);
    expect(report.logs[0]).toMatchObject({ sessionId: 's1', tool_calls: 1, dangling: 1 });
    const state = stateOf(await elsewhere.records('s1'));
    expect(state).toMatchObject({
      imported: true,
      epoch: 0,
      run: { owned: false, interruption: 'imported', claimTokenHash: '' },
      pendingInputs: [{ inputId: 'input-2', resume: false }],
      counters: { inputs: 2 },
    });
    expect(Object.values(state.calls)).toMatchObject([
      { status: 'unknown', unknownReason: 'imported' },
    ]);
  });

  it('keeps who did what and the operation key, and no receipt', async () => {
    const file = await written();
    const before = await store.records('s1');
    const elsewhere = new ImportedStore();
    await elsewhere.import(file);
    const after = await elsewhere.records('s1');
    const requested = ({ event }: { readonly event: SessionEvent }) =>
      event.type === 'ToolCallRequested' ? [event.data.opKey] : [];
    expect(after.flatMap(requested)).toEqual(before.flatMap(requested));
    expect(after[1]).toMatchObject({ eventId: derivedId('test', 's1', 1), revision: 1 });
    expect(after[1]!.metadata).toMatchObject({
      actor: 'test',
      commandType: 'ImportSession',
      source: {
        record: 's1/1',
        recorded: { actor: 'key:agent', commandType: 'Test', at: '2026-05-01T00:00:00.000Z' },
      },
    });
    expect(after[1]!.metadata.commandEvents).toBeUndefined();
  });

  it('has its artifacts under the hashes of its own key, and marks its usage', async () => {
    const file = await written();
    const report = await store.import(file, { onCollision: 'newIds' });
    const sessionId = report.id_map['s1']!;
    const records = await store.records(sessionId);
    const input = records[1]!.event;
    if (input.type !== 'InputAccepted') throw new Error(input.type);
    const [text, picture] = input.data.content;
    expect(text).toEqual({ type: 'text', text: 'Look\u2028s1' });
    if (picture?.type !== 'image') throw new Error(picture?.type);
    const owner = { tenantId: TENANT, sessionId };
    expect(await readArtifact(store.artifacts, owner, picture.artifact!.hash)).toEqual(PICTURE);
    const sources = records.flatMap(({ event }) =>
      event.type === 'ModelCallSettled' ? [event.data.usage?.source] : [],
    );
    expect(sources).toEqual(['imported']);
  });

  it('gives new ids to all that hangs on them, and to nothing that only looks like one', async () => {
    const report = await store.import(await written(), { onCollision: 'newIds' });
    const s1 = report.id_map['s1']!;
    expect(report.id_map).toEqual({ s1, [CHILD]: childSessionId(s1, 'call-1') });
    const [first] = await store.records(s1);
    expect(first!.event.data).toMatchObject({ sessionId: s1, labels: { sessionId: 's1' } });
    const [child] = await store.records(report.id_map[CHILD]!);
    expect(child!.event.data).toMatchObject({ parent: { sessionId: s1 }, ancestors: [s1] });
  });

  it('adds nothing a second time, and goes on where an import broke off', async () => {
    const file = await written();
    const whole = new ImportedStore();
    const { events_appended } = await whole.import(file);
    expect((await whole.import(file)).events_appended).toBe(0);
    expect((await store.import(file)).events_appended).toBe(0);
    const cut = new ImportedStore();
    const stored = await whole.events.read(sessionStream(TENANT, 's1'), { from: 0, maxCount: 3 });
    const begun = stored.map((one) => ({ ...one, keys: [] }));
    await cut.events.append(sessionStream(TENANT, 's1'), 'noStream', begun);
    expect((await cut.import(file)).events_appended).toBe(events_appended - 3);
    const types = async (of: ImportedStore) => (await of.records('s1')).map(({ event }) => event);
    expect(await types(cut)).toEqual(await types(whole));
  });

  it('is refused under an id that has another history', async () => {
    const file = await written();
    store = new ImportedStore();
    await append('s1', [sessionStarted({ sessionId: 's1' })]);
    const other = new ImportedStore();
    await other.events.append(sessionStream(TENANT, 's1'), 'noStream', [
      store.codec.encode({
        eventId: derivedId('another'),
        event: sessionStarted({ sessionId: 's1' }),
        metadata: { tenantId: TENANT, actor: 'a', commandType: 'Test', commandId: '1' },
        recordedAtMs: 0,
      }),
    ]);
    for (const [of, revision] of [
      [store, 1],
      [other, 0],
    ] as const) {
      const head = await of.events.headPosition();
      await expect(of.import(file)).rejects.toMatchObject({
        code: 'session_differs',
        message: expect.stringContaining('session s1 is here with another history'),
        details: { sessionId: 's1', revision },
      });
      expect(await of.events.headPosition()).toBe(head);
    }
  });

  it('leaves out its children where they are not wanted', async () => {
    const report = await new ImportedStore().import(await written(['s1']));
    expect(report.logs[0]!.sessions.map(({ sessionId }) => sessionId)).toEqual(['s1']);
  });
});

describe('a file that is not as it was written', () => {
  const text = (file: string) => readFileSync(file, 'utf8');
  const changes: readonly (readonly [string, (file: string) => void, RegExp])[] = [
    [
      'cut between two lines',
      (file) => writeFileSync(file, `${text(file).split('\n').slice(0, 4).join('\n')}\n`),
      /it has no end/,
    ],
    ['cut in a line', (file) => writeFileSync(file, text(file).slice(0, -9)), /last line was cut/],
    ['other words', (file) => writeFileSync(file, text(file).replace('Look', 'Lock')), /its bytes/],
    [
      'a line less',
      (file) => writeFileSync(file, text(file).replace(/^.*"revision":3,.*\n/m, '')),
      /event 3 of s1 is missing/,
    ],
    ['more after the end', (file) => appendFileSync(file, '{"event":{}}\n'), /follows its end/],
    [
      'a newer version',
      (file) => writeFileSync(file, text(file).replace('"version":1', '"version":2')),
      /of version 2, and this Holdfast reads 1/,
    ],
    [
      'no artifacts',
      () => rmSync(join(folder.path, 'artifacts'), { recursive: true }),
      /its artifact .* is missing/,
    ],
  ];
  for (const [what, change, message] of changes) {
    it(`is refused, and nothing is written: ${what}`, async () => {
      const file = await written();
      change(file);
      const elsewhere = new ImportedStore();
      await expect(elsewhere.import(file)).rejects.toThrow(message);
      await expect(elsewhere.import(file, { format: 'holdfast' })).rejects.toThrow(message);
      expect(await elsewhere.events.headPosition()).toBe(0n);
    });
  }
});

describe('a session that cannot be exported alone', () => {
  it('is a fork: it shows events of another one', async () => {
    await append('fork', [forked('fork', 's1')]);
    const { events, artifacts, codec } = store;
    const header = { tenantId: TENANT, sessionId: 'fork', children: true };
    const sessionIds = ['fork'];
    await expect(
      exportSession({ folder: folder.path, header, sessionIds, events, artifacts, codec }),
    ).rejects.toThrow('session fork is a fork of s1');
  });
});
