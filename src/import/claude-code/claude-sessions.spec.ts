import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ImportedStore, SAMPLES } from '../../../test/import/imported-store.js';
import { isAtRest, stateOf, totalsOf } from '../../../test/import/what-was-imported.js';
import { LogFolder, WrittenLog } from '../../../test/import/written-log.js';
import type { SessionEventRecord } from '../../domain/events.js';
import { importedSessionId } from '../../identity/derived-ids.js';

const folder = new LogFolder();
afterAll(() => folder.remove());

function startOf(records: readonly SessionEventRecord[]) {
  const { event } = records[0]!;
  if (event.type !== 'SessionStarted') throw new Error(`starts with ${event.type}`);
  return event.data;
}

function callNamed(records: readonly SessionEventRecord[], providerId: string): string | undefined {
  for (const { event } of records) {
    if (event.type === 'ToolCallRequested' && event.data.providerCallId === providerId) {
      return event.data.callId;
    }
  }
  return undefined;
}

const MAIN = '0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f';

describe('sessions of a Claude Code log and how they belong together', () => {
  it('the subagents folder: children of the session that the folder names', async () => {
    const store = new ImportedStore();
    const { logs } = await store.import(join(SAMPLES, 'claude-code/subagent-dir'));
    expect(logs.map(({ file }) => file)).toEqual([
      `${MAIN}.jsonl`,
      `${MAIN}/subagents/agent-a0ad4f44468bdf20d.jsonl`,
    ]);
    const [parent, child] = await Promise.all(logs.map((log) => store.records(log.sessionId)));
    const start = startOf(child!);
    expect(start.parent).toMatchObject({ sessionId: logs[0]!.sessionId, edge: 'subagent' });
    expect(start.ancestors).toEqual([logs[0]!.sessionId]);
    expect(start.profile.name).toBe('general-purpose');
    const spawned = parent!.find(({ event }) => event.type === 'ToolCallRequested')!;
    expect(spawned.event).toMatchObject({
      data: { tool: 'Task', callId: start.parent!.spawningCallId },
    });
    expect(stateOf(child!).counters.inputs).toBe(1);
    expect(isAtRest(parent!) && isAtRest(child!)).toBe(true);
  });

  it('the child first: the same ids and edge, without the call that is not known yet', async () => {
    const store = new ImportedStore();
    const path = `claude-code/subagent-dir/${MAIN}/subagents/agent-a0ad4f44468bdf20d.jsonl`;
    const { logs } = await store.import(join(SAMPLES, path));
    const parentId = importedSessionId('default', 'claude-code', MAIN);
    expect(startOf(await store.records(logs[0]!.sessionId)).parent).toEqual({
      sessionId: parentId,
      edge: 'subagent',
    });
    await store.import(join(SAMPLES, 'claude-code/subagent-dir'));
    expect((await store.records(parentId)).length).toBeGreaterThan(0);
  });

  it('lines of subagents inside the log: a child per root, spawned by the call with its prompt', async () => {
    const log = new WrittenLog();
    log.user('Do two things');
    log.call('msg_1', 'toolu_a', 'Task', { prompt: 'First thing', subagent_type: 'x' });
    log.call('msg_1', 'toolu_b', 'Agent', { prompt: 'Second thing' });
    const side = { isSidechain: true };
    const second = log.user('Second thing', { ...side, parentUuid: null });
    const first = log.user('First thing', { ...side, parentUuid: null });
    log.text('msg_2', 'Second is done.', { ...side, parentUuid: second });
    log.text('msg_3', 'First is done.', { ...side, parentUuid: first });
    log.result('toolu_a', 'First is done.');
    log.result('toolu_b', 'Second is done.');
    log.text('msg_4', 'Both.');
    const store = new ImportedStore();
    const file = folder.write('anything.jsonl', log.content());
    const { logs } = await store.import(file);
    const { sessions, sidechain_records, user_inputs } = logs[0]!;
    expect({ sidechain_records, user_inputs, sessions: sessions.length }).toEqual({
      sidechain_records: 4,
      user_inputs: 1,
      sessions: 3,
    });
    const [main, ...children] = await Promise.all(
      sessions.map(({ sessionId }) => store.records(sessionId)),
    );
    const spawned = children.map((child) => [
      startOf(child).title,
      startOf(child).parent?.spawningCallId,
    ]);
    expect(spawned).toEqual([
      ['Second thing', callNamed(main!, 'toolu_b')],
      ['First thing', callNamed(main!, 'toolu_a')],
    ]);
    expect(totalsOf(main!).calls).toBe(2);
    expect(totalsOf(children.flat()).calls).toBe(2);
    expect(children.every(isAtRest) && isAtRest(main!)).toBe(true);
    expect((await store.import(file)).events_appended).toBe(0);
  });

  it('a subagent’s own log beside the main one: its lines name the session that it belongs to', async () => {
    const main = new WrittenLog();
    main.user('Look around');
    main.call('msg_1', 'toolu_a', 'Task', { prompt: 'Look' });
    main.call('msg_1', 'toolu_b', 'Task', { prompt: 'Look' });
    main.result('toolu_a', 'one');
    const result = [{ type: 'tool_result', tool_use_id: 'toolu_b', content: 'two' }];
    main.user(result, { toolUseResult: { agentId: 'ab12', status: 'completed' } });
    const agent = new WrittenLog();
    agent.user('Look', { isSidechain: true, agentId: 'ab12' });
    agent.text('msg_2', 'two', { isSidechain: true, agentId: 'ab12' });
    const beside = new LogFolder();
    beside.write('agent-ab12.jsonl', agent.content());
    beside.write(`${main.sessionId}.jsonl`, main.content());
    const store = new ImportedStore();
    const { logs } = await store.import(beside.path);
    const [parent, child] = await Promise.all(logs.map((log) => store.records(log.sessionId)));
    expect(startOf(child!).origin?.nativeId).toBe(`${main.sessionId}/agent-ab12`);
    expect(startOf(child!).parent).toEqual({
      sessionId: logs[0]!.sessionId,
      edge: 'subagent',
      spawningCallId: callNamed(parent!, 'toolu_b'),
    });
    beside.remove();
  });

  it('the file name is the session; copied lines at its start name the one that it continues', async () => {
    const earlier = new WrittenLog('99999999-2222-4333-8444-555555555555');
    earlier.user('Long ago');
    earlier.text('msg_old', 'Yes.');
    const later = '88888888-2222-4333-8444-555555555555';
    earlier.user('Today', { sessionId: later });
    earlier.text('msg_new', 'Now.', { sessionId: later });
    const store = new ImportedStore();
    const { logs } = await store.import(folder.write(`${later}.jsonl`, earlier.content()));
    expect(logs[0]).toMatchObject({ session_ids: 2, model_calls: 2 });
    expect(logs[0]!.sessionId).toBe(importedSessionId('default', 'claude-code', later));
    const records = await store.records(logs[0]!.sessionId);
    expect(startOf(records).parent).toEqual({
      sessionId: importedSessionId('default', 'claude-code', earlier.sessionId),
      edge: 'continuation',
    });
    // Without the earlier log nobody else holds these calls: they stay here.
    expect(totalsOf(records).calls).toBe(2);
  });

  it('two logs that begin with each other’s lines never become each other’s parents', async () => {
    const [one, other] = [
      'aaaaaaaa-2222-4333-8444-555555555555',
      'bbbbbbbb-2222-4333-8444-555555555555',
    ];
    const store = new ImportedStore();
    const ids: string[] = [];
    for (const [own, foreign] of [
      [one, other],
      [other, one],
    ] as const) {
      const log = new WrittenLog(own);
      log.user('Copied', { sessionId: foreign });
      const { logs } = await store.import(folder.write(`${own}.jsonl`, log.content()));
      ids.push(logs[0]!.sessionId);
    }
    expect(startOf(await store.records(ids[0]!)).parent?.sessionId).toBe(ids[1]);
    expect(startOf(await store.records(ids[1]!)).parent).toBeUndefined();
  });
});
