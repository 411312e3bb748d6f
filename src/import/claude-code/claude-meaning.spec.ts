import { afterAll, describe, expect, it } from '@jest/globals';
import { ImportedStore } from '../../../test/import/imported-store.js';
import {
  conversationOf,
  isAtRest,
  outcomesOf,
  paidCalls,
  stateOf,
  totalsOf,
} from '../../../test/import/what-was-imported.js';
import { LogFolder, WrittenLog } from '../../../test/import/written-log.js';
import type { SessionEventRecord } from '../../domain/events.js';
import { statusOf } from '../../domain/state.js';

const folder = new LogFolder();
afterAll(() => folder.remove());

async function imported(log: WrittenLog, name = `${log.sessionId}.jsonl`) {
  const store = new ImportedStore();
  const { logs } = await store.import(folder.write(name, log.content()));
  const report = logs[0]!;
  const records = await store.records(report.sessionId);
  return { store, report, records };
}

function typesOf(records: readonly SessionEventRecord[]): readonly string[] {
  return records.map(({ event }) => event.type);
}

function dataOf<T extends SessionEventRecord['event']['type']>(
  records: readonly SessionEventRecord[],
  type: T,
) {
  return records.flatMap(({ event }) =>
    event.type === type ? [event.data as Extract<SessionEventRecord['event'], { type: T }>['data']] : [],
  );
}

function shown(text: string) {
  return { type: 'text', text };
}

describe('what the lines of a Claude Code log become', () => {
  it('a turn: input, run, model call, tool call, answer, in the order in which it happened', async () => {
    const log = new WrittenLog();
    log.user('List the files');
    log.assistant('msg_1', { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' });
    log.call('msg_1', 'toolu_1', 'Bash', { command: 'ls', big: 'x' });
    log.result('toolu_1', 'a.txt');
    log.text('msg_2', 'There is a.txt.');
    const { records, report } = await imported(log);
    expect(typesOf(records)).toEqual([
      'SessionStarted',
      'ImportedRecordKept',
      'InputAccepted',
      'RunClaimed',
      'InputDelivered',
      'ModelCallStarted',
      'AssistantMessageRecorded',
      'AssistantMessageRecorded',
      'ToolCallRequested',
      'ToolCallStarted',
      'ModelCallSettled',
      'ToolResultRecorded',
      'ModelCallStarted',
      'AssistantMessageRecorded',
      'ModelCallSettled',
      'RunCompleted',
    ]);
    expect(dataOf(records, 'SessionStarted')[0]).toMatchObject({
      title: 'List the files',
      recoveryMode: 'manual',
      labels: { cwd: '/tmp/demo' },
      origin: { format: 'claude-code', formatVersion: '2.1.0', nativeId: log.sessionId },
    });
    const parts = dataOf(records, 'AssistantMessageRecorded').map(({ part, final, blocks }) => [part, final, blocks]);
    expect(parts).toEqual([
      [0, false, [{ type: 'provider', block: { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' } }]],
      [1, true, [{ type: 'toolCall', ordinal: 0 }]],
      [0, true, [shown('There is a.txt.')]],
    ]);
    expect(report.sessions[0]!.nativeId).toBe(log.sessionId);
    expect(statusOf(stateOf(records))).toBe('idle');
  });

  it('keeps every record raw, named from the events made of it', async () => {
    const log = new WrittenLog();
    log.user('Hello, wörld');
    log.text('msg_1', 'Hi.');
    const { records, store, report } = await imported(log);
    const raw = dataOf(records, 'ImportedRecordKept').find(({ kind }) => kind === 'rawRecords')!;
    expect(raw.count).toBe(2);
    const owner = { tenantId: 'default', sessionId: report.sessionId };
    const kept = Buffer.from((await store.artifacts.get(owner, raw.raw!.hash))!);
    const input = records.find(({ event }) => event.type === 'InputAccepted')!;
    const [, offset, length] = /@(\d+)\+(\d+)#/.exec(input.metadata.source!.record)!;
    const text = kept.subarray(Number(offset), Number(offset) + Number(length)).toString();
    expect(JSON.parse(text)).toEqual(log.lines[0]);
  });

  it('counts usage once per message, the largest report, whoever writes more lines', async () => {
    const log = new WrittenLog();
    log.user('Go');
    const usage = (output_tokens: number) => ({ input_tokens: 10, output_tokens });
    const line = (block: unknown, output: number) =>
      log.add({
        type: 'assistant',
        message: { id: 'msg_1', model: 'claude-sonnet-4-5', role: 'assistant', content: [block], usage: usage(output) },
      });
    line(shown('One'), 1);
    line(shown('two'), 500);
    line(shown('three'), 3);
    const { records } = await imported(log);
    expect(totalsOf(records)).toMatchObject({ calls: 1, buckets: { inputFresh: 10, outputText: 500 } });
    expect(dataOf(records, 'ModelCallSettled')).toMatchObject([{ callKey: 'response:anthropic:msg_1' }]);
  });

  it('makes no model call of a message of the program, and keeps it for the audit', async () => {
    const log = new WrittenLog();
    log.user('Go');
    log.add({
      type: 'assistant',
      isApiErrorMessage: true,
      message: { id: 'x', model: '<synthetic>', role: 'assistant', content: [shown('API Error: 529')], usage: { input_tokens: 0, output_tokens: 0 } },
    });
    const { records, report } = await imported(log);
    expect(report).toMatchObject({ assistant_messages: 1, model_calls: 0 });
    expect(typesOf(records)).not.toContain('ModelCallStarted');
    expect(dataOf(records, 'ImportedRecordKept')).toContainEqual({
      kind: 'syntheticMessage',
      count: 1,
      excerpt: 'API Error: 529',
    });
    expect(stateOf(records).run?.status).toBe('interrupted');
    expect(isAtRest(records)).toBe(true);
  });

  it('leaves a call without a result unknown, and a result without a call in the audit', async () => {
    const log = new WrittenLog();
    log.result('toolu_gone', 'from before');
    log.user('Go');
    log.call('msg_1', 'toolu_1', 'Bash', { command: 'deploy' });
    const { records, report } = await imported(log);
    expect(report).toMatchObject({ dangling: 1, orphan_results: 1 });
    expect(outcomesOf(records)).toEqual({ toolu_1: 'unknown' });
    expect(dataOf(records, 'ToolOutcomeUnknown')).toMatchObject([{ reason: 'imported', attempt: 1 }]);
    expect(dataOf(records, 'ImportedRecordKept')).toContainEqual(
      expect.objectContaining({ kind: 'orphanResult', excerpt: 'from before' }),
    );
    expect(statusOf(stateOf(records))).toBe('waiting');
    expect(isAtRest(records)).toBe(true);
  });

  it('takes a rejection as a denial, and keeps the words that the model saw', async () => {
    const log = new WrittenLog();
    const words = "The user doesn't want to proceed with this tool use. The user said: use npm instead";
    log.user('Install it');
    log.call('msg_1', 'toolu_1', 'Bash', { command: 'yarn' });
    log.result('toolu_1', words, { is_error: true });
    log.text('msg_2', 'Then npm.');
    const { records, report } = await imported(log);
    expect(report.rejected).toBe(1);
    expect(outcomesOf(records)).toEqual({ toolu_1: 'skipped denied' });
    expect(typesOf(records)).not.toContain('ToolCallStarted');
    expect(JSON.stringify(conversationOf(records))).toContain(words);
  });

  it('takes an interrupt as a stop by the user, which the next input lifts', async () => {
    const log = new WrittenLog();
    log.user('Go');
    log.call('msg_1', 'toolu_1', 'Bash');
    log.user([shown('[Request interrupted by user for tool use]')]);
    const stopped = await imported(log);
    expect(stopped.report.interrupts).toBe(1);
    expect(typesOf(stopped.records).slice(-3)).toEqual(['ToolOutcomeUnknown', 'StopRequested', 'RunStopped']);
    expect(statusOf(stateOf(stopped.records))).toBe('stopped');
    log.user('Something else');
    log.text('msg_2', 'Sure.');
    const { records } = await imported(log);
    expect(typesOf(records)).toContain('SessionResumed');
    expect(statusOf(stateOf(records))).toBe('idle');
    expect(JSON.stringify(conversationOf(records))).not.toContain('interrupted by user for tool');
  });

  it('takes commands, notes of the program and reminders for the audit, not as inputs', async () => {
    const log = new WrittenLog();
    log.user('<command-name>/clear</command-name>');
    log.user('<local-command-stdout>done</local-command-stdout>');
    log.user('Caveat: generated', { isMeta: true });
    log.user([shown('<system-reminder>Remember.</system-reminder>'), shown('Real question')]);
    log.text('msg_1', 'Answer.');
    const { records, report } = await imported(log);
    expect(report).toMatchObject({ user_inputs: 1, other_inputs: 3 });
    expect(conversationOf(records)[0]).toEqual({ user: [shown('Real question')] });
    expect(conversationOf(records)).toHaveLength(2);
  });

  it('lets an input that was typed in mid run join the run', async () => {
    const log = new WrittenLog();
    log.user('Go');
    log.call('msg_1', 'toolu_1', 'Read');
    log.result('toolu_1', 'x');
    log.user('and hurry');
    log.text('msg_2', 'Done.');
    const { records } = await imported(log);
    expect(dataOf(records, 'RunClaimed')).toHaveLength(1);
    expect(dataOf(records, 'InputAccepted').map(({ delivery }) => delivery)).toEqual(['queue', 'steer']);
  });

  it('hides what a typed input on an older line left behind', async () => {
    const log = new WrittenLog();
    log.user('First');
    const answered = log.text('msg_1', 'One.');
    log.user('Wrong question');
    log.text('msg_2', 'Wrong answer.');
    log.user('Right question', { parentUuid: answered });
    log.text('msg_3', 'Right answer.');
    const { records } = await imported(log);
    const told = JSON.stringify(conversationOf(records));
    expect(told).toContain('One.');
    expect(told).toContain('Right answer.');
    expect(told).not.toContain('Wrong');
    expect(typesOf(records).filter((type) => type === 'Reverted')).toHaveLength(1);
    expect(totalsOf(records).calls).toBe(3);
    expect(isAtRest(records)).toBe(true);
  });

  it('makes no branch of parallel results, progress lines or lines whose parent is missing', async () => {
    const log = new WrittenLog();
    log.user('Go');
    const one = log.call('msg_1', 'toolu_1', 'Read');
    const two = log.call('msg_1', 'toolu_2', 'Read');
    log.add({ type: 'progress', parentUuid: one, data: { type: 'hook_progress' } });
    log.user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: '1' }], { parentUuid: one });
    log.user([{ type: 'tool_result', tool_use_id: 'toolu_2', content: '2' }], { parentUuid: two });
    log.text('msg_2', 'Read.');
    log.user('Next', { parentUuid: 'torn-line' });
    log.text('msg_3', 'Yes.', { parentUuid: null });
    log.user('And on', { parentUuid: null });
    const { records } = await imported(log);
    expect(typesOf(records)).not.toContain('Reverted');
    expect(outcomesOf(records)).toEqual({ toolu_1: 'completed', toolu_2: 'completed' });
  });

  it('compacts at a boundary with its summary, and counts a call of unknown usage', async () => {
    const log = new WrittenLog();
    log.user('Long story');
    log.text('msg_1', 'Once upon a time.');
    const metadata = { compactMetadata: { trigger: 'manual', preTokens: 150000 } };
    log.system('compact_boundary', { parentUuid: null, ...metadata });
    log.user('They talked about a story.', { isCompactSummary: true });
    log.user('And then?');
    log.text('msg_2', 'The end.');
    const { records, report } = await imported(log);
    expect(report.compactions).toBe(1);
    const [compacted] = dataOf(records, 'Compacted');
    expect(compacted).toMatchObject({ summary: 'They talked about a story.', trigger: 'manual', tokensBefore: 150000 });
    const calls = paidCalls(records);
    expect(totalsOf(records)).toMatchObject({ calls: 2, unknownCalls: 1 });
    expect([...calls.values()].find(({ usage }) => usage.state === 'unknown')?.amountPico).toBeNull();
    const told = JSON.stringify(conversationOf(records));
    expect(told).toContain('They talked about a story.');
    expect(told).toContain('The end.');
    expect(told).not.toContain('Once upon a time.');
    expect(isAtRest(records)).toBe(true);
  });

  it('only marks what a microcompaction cleared', async () => {
    const log = new WrittenLog();
    log.user('Go');
    log.system('microcompact_boundary', {
      microcompactMetadata: { trigger: 'auto', tokensSaved: 9, compactedToolIds: ['toolu_1'] },
    });
    const { records, report } = await imported(log);
    expect(report.compactions).toBe(0);
    expect(typesOf(records)).not.toContain('Compacted');
    expect(dataOf(records, 'ImportedRecordKept')).toContainEqual(
      expect.objectContaining({
        kind: 'system/microcompact_boundary',
        excerpt: expect.stringContaining('toolu_1'),
      }),
    );
  });

  it('accepts what still waits in the queue, and wakes nobody with it', async () => {
    const log = new WrittenLog();
    const time = '2026-01-01T00:00:09.000Z';
    log.user('Go');
    log.loose({ type: 'queue-operation', operation: 'enqueue', content: 'then that', timestamp: time });
    log.loose({ type: 'queue-operation', operation: 'enqueue', content: 'and this', timestamp: time });
    log.loose({ type: 'queue-operation', operation: 'dequeue', timestamp: time });
    const first = await imported(log);
    expect(stateOf(first.records).pendingInputs).toMatchObject([{ resume: false, delivery: 'queue' }]);
    expect(isAtRest(first.records)).toBe(true);
    log.loose({ type: 'queue-operation', operation: 'dequeue', timestamp: '2026-01-01T00:00:19.000Z' });
    log.user('and this');
    await first.store.import(folder.write(`${log.sessionId}.jsonl`, log.content()));
    const records = await first.store.records(first.report.sessionId);
    expect(stateOf(records).pendingInputs).toEqual([]);
    expect(dataOf(records, 'InputAccepted').map(({ content }) => content)).toEqual([
      [shown('Go')],
      [shown('and this')],
    ]);
  });
});
