import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConversationQueries } from '../../../test/projections/conversation-queries.js';
import { ProjectionWorld } from '../../../test/projections/projection-world.js';
import {
  forked,
  late,
  sessionStarted,
  spoken,
  toolRequested,
  toolResult,
  toolStarted,
  toolUnknown,
} from '../../../test/projections/session-events.js';
import { MissingSegmentError } from './item-sections.js';

let world: ProjectionWorld;
let asked: ConversationQueries;

beforeEach(() => {
  world = new ProjectionWorld();
  asked = new ConversationQueries(world);
});

describe('a fork', () => {
  function forkAt(revision: number) {
    return forked('f1', 's1', {
      cut: { sessionId: 's1', revision },
      segments: [{ sessionId: 's1', from: 0, to: revision }],
    });
  }

  it('reads its parent up to the cut and goes on alone', async () => {
    await world.append('s1', [sessionStarted('s1'), ...spoken('one'), ...spoken('two')]);
    await world.append('s1', [...spoken('three')]);
    await world.append('f1', [forkAt(4), ...spoken('else')]);
    await world.append('s1', [...spoken('four')]);
    await world.append('g1', [
      forked('g1', 'f1', {
        segments: [
          { sessionId: 's1', from: 0, to: 4 },
          { sessionId: 'f1', from: 0, to: 2 },
        ],
      }),
      ...spoken('deeper'),
    ]);
    expect(await asked.previews('f1')).toEqual(['one', 'two', 'else']);
    const found = await asked.page('g1');
    expect(found?.items.map(({ sessionId, preview }) => [sessionId, preview])).toEqual([
      ['s1', 'one'],
      ['s1', 'two'],
      ['f1', 'else'],
      ['g1', 'deeper'],
    ]);
    expect(found?.items[0]?.content).toMatchObject({ blocks: [{ text: 'one' }] });
    const backward: (string | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const part = await asked.page('g1', { direction: 'backward', limit: 1, cursor });
      backward.push(part?.items[0]?.preview);
      cursor = part?.cursor;
    } while (cursor !== undefined);
    expect(backward).toEqual(['deeper', 'else', 'two', 'one']);
    expect(await asked.previews('s1')).toEqual(['one', 'two', 'three', 'four']);
  });

  it('shows of calls that were open at the cut what their origin knows', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      toolRequested('running'),
      toolStarted('running'),
      toolRequested('waiting'),
      toolRequested('failed'),
      { type: 'ToolCallSkipped', data: { callId: 'failed', reason: 'denied' } },
    ]);
    await world.append('f1', [forkAt(5)]);
    expect(await asked.call('f1', 'running')).toMatchObject({ status: 'running' });
    await world.append('s1', [
      toolUnknown('running'),
      toolStarted('waiting'),
      toolResult('waiting', 'done'),
      ...late('failed', 'done after all'),
    ]);
    expect(await asked.call('f1', 'running')).toMatchObject({ status: 'unknown' });
    expect(await asked.call('f1', 'waiting')).toMatchObject({ status: 'requested' });
    expect((await asked.call('f1', 'waiting'))?.content).toEqual({
      kind: 'toolCall',
      args: { to: 'bob' },
    });
    expect(await asked.call('f1', 'failed')).toMatchObject({ status: 'skipped' });
    expect(await asked.call('s1', 'failed')).toMatchObject({ status: 'completed' });
    await world.append('s1', late('running', 'it had worked'));
    expect(await asked.call('f1', 'running')).toMatchObject({
      status: 'completed',
      content: { result: { content: 'it had worked' } },
    });
  });

  it('names the session that is missing instead of leaving a gap', async () => {
    await world.append('f1', [forkAt(4), ...spoken('alone')]);
    const refused = asked.page('f1');
    await expect(refused).rejects.toThrow(MissingSegmentError);
    await expect(refused).rejects.toThrow(/s1/);
  });
});
