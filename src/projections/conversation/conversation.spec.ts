import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConversationQueries } from '../../../test/projections/conversation-queries.js';
import { ProjectionWorld } from '../../../test/projections/projection-world.js';
import {
  assistantMessage,
  forked,
  inputAccepted,
  inputDelivered,
  late,
  sessionStarted,
  spoken,
  toolRequested,
  toolResult,
  toolStarted,
  toolUnknown,
} from '../../../test/projections/session-events.js';
import type { SessionEvent } from '../../domain/events.js';
import { InvalidCursorError } from '../../storage/read-model-store.js';
import { rebuild } from '../rebuild.js';
import { conversationProjection } from './conversation-projection.js';

let world: ProjectionWorld;
let asked: ConversationQueries;

beforeEach(() => {
  world = new ProjectionWorld();
  asked = new ConversationQueries(world);
});

describe('a conversation', () => {
  it('has its items in order, with their words out of the events', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      inputAccepted('i1', 'Send the report'),
      inputAccepted('i2', 'not yet delivered'),
      inputDelivered('i1'),
      assistantMessage('m1', 'Sending', { final: false }),
      assistantMessage('m1', ' it now.', { part: 1, model: 'x' }),
      toolRequested('c1'),
      toolStarted('c1'),
      toolResult('c1', 'sent as 4711'),
      {
        type: 'FactsRecorded',
        data: {
          facts: [{ factId: 'f1', version: 1, kind: 'constraint', text: 'Never on Sunday' }],
        },
      },
      {
        type: 'Compacted',
        data: {
          compactionId: 'k1',
          summary: 'The report was sent.',
          coveredFrom: { sessionId: 's1', revision: 0 },
          coveredTo: { sessionId: 's1', revision: 8 },
          keptFrom: { sessionId: 's1', revision: 9 },
          openCalls: [],
          trigger: 'manual',
        },
      },
    ]);
    const found = await asked.page('s1');
    expect(found?.items).toMatchObject([
      {
        kind: 'user',
        revision: 3,
        contentRevision: 1,
        preview: 'Send the report',
        bytes: 15,
        content: { blocks: [{ type: 'text', text: 'Send the report' }], author: 'ada' },
      },
      {
        kind: 'assistant',
        parts: [4, 5],
        final: true,
        bytes: 15,
        content: { blocks: [{ text: 'Sending' }, { text: ' it now.' }] },
      },
      {
        kind: 'toolCall',
        callId: 'c1',
        tool: 'send_mail',
        status: 'completed',
        statusRevision: 8,
        resultRevision: 8,
        resultBytes: 12,
        content: { args: { to: 'bob' }, result: { isError: false, content: 'sent as 4711' } },
      },
      { kind: 'facts', factIds: ['f1'], content: { facts: [{ text: 'Never on Sunday' }] } },
      { kind: 'compaction', content: { summary: 'The report was sent.' } },
    ]);
    expect(await asked.header('s1')).toMatchObject({
      revision: 10,
      items: 5,
      watermark: { compactionId: 'k1', at: { sessionId: 's1', revision: 10 } },
      facts: { f1: { version: 1, at: { sessionId: 's1', revision: 9 } } },
      pendingInputs: { i2: { preview: 'not yet delivered' } },
      openCalls: {},
    });
  });

  it('does not copy what was said', async () => {
    const long = 'x'.repeat(5_000);
    await world.append('s1', [
      sessionStarted('s1'),
      inputAccepted('i1', long),
      inputDelivered('i1'),
      assistantMessage('m1', long),
      toolRequested('c1', { args: { text: long } }),
      toolStarted('c1'),
      toolResult('c1', long),
    ]);
    const found = await asked.page('s1', { contents: false });
    expect(
      found?.items.map(({ content, bytes, preview }) => [content, bytes, preview.length]),
    ).toEqual([
      [undefined, 5_000, 120],
      [undefined, 5_000, 120],
      [undefined, 5_011, 120],
    ]);
    const documents = await world.documents(conversationProjection);
    expect(Buffer.byteLength(documents.join(''))).toBeLessThan(2_500);
  });

  it('follows a call from asking to unknown to what is found out late', async () => {
    await world.append('s1', [sessionStarted('s1'), toolRequested('c1')]);
    expect(await asked.call('s1', 'c1')).toMatchObject({ status: 'requested', statusRevision: 1 });
    await world.append('s1', [toolStarted('c1')]);
    expect(await asked.call('s1', 'c1')).toMatchObject({ status: 'running', startedRevision: 2 });
    await world.append('s1', [toolUnknown('c1')]);
    expect(await asked.call('s1', 'c1')).toMatchObject({ status: 'unknown', statusRevision: 3 });
    expect((await asked.call('s1', 'c1'))?.content).toEqual({
      kind: 'toolCall',
      args: { to: 'bob' },
    });
    await world.append('s1', late('c1', 'it was sent'));
    expect(await asked.call('s1', 'c1')).toMatchObject({
      status: 'completed',
      statusRevision: 5,
      content: { result: { content: 'it was sent' } },
    });
  });

  it('shows what a late result changes of a settled call, and the conflict', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      toolRequested('c1'),
      { type: 'ToolCallSkipped', data: { callId: 'c1', reason: 'stopped' } },
    ]);
    expect(await asked.call('s1', 'c1')).toMatchObject({ status: 'skipped', conflicts: [] });
    const [received, resolved] = late('c1', 'done all the same') as [SessionEvent, SessionEvent];
    await world.append('s1', [
      received,
      { type: 'ToolConflictDetected', data: { callId: 'c1', kind: 'undeclaredAttempt' } },
      resolved,
    ]);
    expect(await asked.call('s1', 'c1')).toMatchObject({
      status: 'completed',
      conflicts: [{ kind: 'undeclaredAttempt', revision: 4 }],
      content: { result: { content: 'done all the same' } },
    });
  });

  it('leaves out what was reverted, and shows it when asked to', async () => {
    await world.append('s1', [sessionStarted('s1'), ...spoken('keep'), ...spoken('drop')]);
    await world.append('s1', [
      {
        type: 'Reverted',
        data: {
          to: { sessionId: 's1', revision: 2 },
          facts: [],
          hidden: [{ sessionId: 's1', from: 3, to: 4 }],
        },
      },
      ...spoken('other'),
    ]);
    expect(await asked.previews('s1')).toEqual(['keep', '', 'other']);
    const all = await asked.page('s1', { includeHidden: true });
    expect(all?.items.map(({ preview, hidden }) => [preview, hidden])).toEqual([
      ['keep', false],
      ['drop', true],
      ['', false],
      ['other', false],
    ]);
  });

  it('pages forward and backward, the same items in each direction', async () => {
    await world.append('s1', [sessionStarted('s1')]);
    const names = Array.from({ length: 7 }, (_, index) => `m${index}`);
    for (const name of names) await world.append('s1', spoken(name));
    for (const [direction, expected] of [
      ['forward', names],
      ['backward', [...names].reverse()],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const found = await asked.page('s1', { direction, limit: 3, cursor });
        expect(found!.items.length).toBeLessThanOrEqual(3);
        seen.push(...found!.items.map(({ preview }) => preview));
        cursor = found!.cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(expected);
    }
    await expect(asked.page('s1', { cursor: 'nonsense' })).rejects.toThrow(InvalidCursorError);
  });

  it('belongs to one tenant', async () => {
    await world.append('s1', [sessionStarted('s1'), ...spoken('mine')]);
    await world.append('s1', [sessionStarted('s1'), ...spoken('theirs')], 'umbrella');
    expect(await asked.previews('s1')).toEqual(['mine']);
    expect(await asked.page('s1', {}, 'nobody')).toBeUndefined();
    expect((await asked.page('s1', {}, 'umbrella'))?.items[0]?.content).toMatchObject({
      blocks: [{ text: 'theirs' }],
    });
  });

  it('is the same after a rebuild', async () => {
    await world.append('s1', [sessionStarted('s1'), ...spoken('a'), toolRequested('c1')]);
    await world.append('f1', [forked('f1', 's1'), ...spoken('b')]);
    await world.append('s1', [toolStarted('c1'), toolResult('c1', 'done'), ...late('c1', 'twice')]);
    await world.catchUp(conversationProjection, 1);
    const live = await world.documents(conversationProjection);
    const options = { instanceId: 'me', leaseTtlMs: 1_000, batchEventsMax: 4, graceMs: 0 };
    await rebuild(conversationProjection, world.ports, options);
    expect(await world.documents(conversationProjection)).toEqual(live);
  });
});
