import { afterAll, describe, expect, it } from '@jest/globals';
import {
  conversationOf,
  isAtRest,
  outcomesOf,
  paidCalls,
  stateOf,
  totalsOf,
} from '../../../test/import/what-was-imported.js';
import { dataOf, importWritten, shown, typesOf } from '../../../test/import/written-import.js';
import { LogFolder, WrittenLog } from '../../../test/import/written-log.js';
import { statusOf } from '../../domain/state.js';

const folder = new LogFolder();
afterAll(() => folder.remove());

describe('how the runs of a Claude Code log begin, end and branch', () => {
  it('takes an interrupt as a stop by the user, which the next input lifts', async () => {
    const log = new WrittenLog();
    log.user('Go');
    log.call('msg_1', 'toolu_1', 'Bash');
    log.user([shown('[Request interrupted by user for tool use]')]);
    const stopped = await importWritten(folder, log);
    expect(stopped.report.interrupts).toBe(1);
    expect(typesOf(stopped.records).slice(-3)).toEqual([
      'ToolOutcomeUnknown',
      'StopRequested',
      'RunStopped',
    ]);
    expect(statusOf(stateOf(stopped.records))).toBe('stopped');
    log.user('Something else');
    log.text('msg_2', 'Sure.');
    const { records } = await importWritten(folder, log);
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
    const { records, report } = await importWritten(folder, log);
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
    const { records } = await importWritten(folder, log);
    expect(dataOf(records, 'RunClaimed')).toHaveLength(1);
    expect(dataOf(records, 'InputAccepted').map(({ delivery }) => delivery)).toEqual([
      'queue',
      'steer',
    ]);
  });

  it('hides what a typed input on an older line left behind', async () => {
    const log = new WrittenLog();
    log.user('First');
    const answered = log.text('msg_1', 'One.');
    log.user('Wrong question');
    log.text('msg_2', 'Wrong answer.');
    log.user('Right question', { parentUuid: answered });
    log.text('msg_3', 'Right answer.');
    const { records } = await importWritten(folder, log);
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
    const { records } = await importWritten(folder, log);
    expect(typesOf(records)).not.toContain('Reverted');
    expect(outcomesOf(records)).toEqual({ toolu_1: 'completed', toolu_2: 'completed' });
  });

  it('U16: compacts at a boundary with its summary, and counts a call of unknown usage', async () => {
    const log = new WrittenLog();
    log.user('Long story');
    log.text('msg_1', 'Once upon a time.');
    const metadata = { compactMetadata: { trigger: 'manual', preTokens: 150000 } };
    log.system('compact_boundary', { parentUuid: null, ...metadata });
    log.user('They talked about a story.', { isCompactSummary: true });
    log.user('And then?');
    log.text('msg_2', 'The end.');
    const { records, report } = await importWritten(folder, log);
    expect(report.compactions).toBe(1);
    const [compacted] = dataOf(records, 'Compacted');
    expect(compacted).toMatchObject({
      summary: 'They talked about a story.',
      trigger: 'manual',
      tokensBefore: 150000,
    });
    const calls = paidCalls(records);
    expect(totalsOf(records)).toMatchObject({ calls: 2, unknownCalls: 1 });
    expect(
      [...calls.values()].find(({ usage }) => usage.state === 'unknown')?.amountPico,
    ).toBeNull();
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
    const { records, report } = await importWritten(folder, log);
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
    log.loose({
      type: 'queue-operation',
      operation: 'enqueue',
      content: 'then that',
      timestamp: time,
    });
    log.loose({
      type: 'queue-operation',
      operation: 'enqueue',
      content: 'and this',
      timestamp: time,
    });
    log.loose({ type: 'queue-operation', operation: 'dequeue', timestamp: time });
    const first = await importWritten(folder, log);
    expect(stateOf(first.records).pendingInputs).toMatchObject([
      { resume: false, delivery: 'queue' },
    ]);
    expect(isAtRest(first.records)).toBe(true);
    log.loose({
      type: 'queue-operation',
      operation: 'dequeue',
      timestamp: '2026-01-01T00:00:19.000Z',
    });
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
