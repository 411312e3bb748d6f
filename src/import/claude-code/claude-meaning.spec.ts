import { afterAll, describe, expect, it } from '@jest/globals';
import {
  conversationOf,
  isAtRest,
  outcomesOf,
  stateOf,
  totalsOf,
} from '../../../test/import/what-was-imported.js';
import { dataOf, importWritten, shown, typesOf } from '../../../test/import/written-import.js';
import { LogFolder, WrittenLog } from '../../../test/import/written-log.js';
import { statusOf } from '../../domain/state.js';
import { readArtifact } from '../../storage/artifact-store.js';

const folder = new LogFolder();
afterAll(() => folder.remove());

describe('what the lines of a Claude Code log become', () => {
  it('a turn: input, run, model call, tool call, answer, in the order in which it happened', async () => {
    const log = new WrittenLog();
    log.user('List the files');
    log.assistant('msg_1', { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' });
    log.call('msg_1', 'toolu_1', 'Bash', { command: 'ls', big: 'x' });
    log.result('toolu_1', 'a.txt');
    log.text('msg_2', 'There is a.txt.');
    const { records, report } = await importWritten(folder, log);
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
    const parts = dataOf(records, 'AssistantMessageRecorded').map(({ part, final, blocks }) => [
      part,
      final,
      blocks,
    ]);
    expect(parts).toEqual([
      [
        0,
        false,
        [{ type: 'provider', block: { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' } }],
      ],
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
    const { records, store, report } = await importWritten(folder, log);
    const raw = dataOf(records, 'ImportedRecordKept').find(({ kind }) => kind === 'rawRecords')!;
    expect(raw.count).toBe(2);
    const owner = { tenantId: 'default', sessionId: report.sessionId };
    const kept = Buffer.from((await readArtifact(store.artifacts, owner, raw.raw!.hash))!);
    const input = records.find(({ event }) => event.type === 'InputAccepted')!;
    const [, offset, length] = /@(\d+)\+(\d+)#/.exec(input.metadata.source!.record)!;
    const text = kept.subarray(Number(offset), Number(offset) + Number(length)).toString();
    expect(JSON.parse(text)).toEqual(log.lines[0]);
  });

  it('U01, U02: counts usage once per message, the largest report, whoever writes more lines', async () => {
    const log = new WrittenLog();
    log.user('Go');
    const usage = (output_tokens: number) => ({ input_tokens: 10, output_tokens });
    const line = (block: unknown, output: number) =>
      log.add({
        type: 'assistant',
        message: {
          id: 'msg_1',
          model: 'claude-sonnet-4-5',
          role: 'assistant',
          content: [block],
          usage: usage(output),
        },
      });
    line(shown('One'), 1);
    line(shown('two'), 500);
    line(shown('three'), 3);
    const { records } = await importWritten(folder, log);
    expect(totalsOf(records)).toMatchObject({
      calls: 1,
      buckets: { inputFresh: 10, outputText: 500 },
    });
    expect(dataOf(records, 'ModelCallSettled')).toMatchObject([
      { callKey: 'response:anthropic:msg_1' },
    ]);
  });

  it('makes no model call of a message of the program, and keeps it for the audit', async () => {
    const log = new WrittenLog();
    log.user('Go');
    log.add({
      type: 'assistant',
      isApiErrorMessage: true,
      message: {
        id: 'x',
        model: '<synthetic>',
        role: 'assistant',
        content: [shown('API Error: 529')],
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    });
    const { records, report } = await importWritten(folder, log);
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
    const { records, report } = await importWritten(folder, log);
    expect(report).toMatchObject({ dangling: 1, orphan_results: 1 });
    expect(outcomesOf(records)).toEqual({ toolu_1: 'unknown' });
    expect(dataOf(records, 'ToolOutcomeUnknown')).toMatchObject([
      { reason: 'imported', attempt: 1 },
    ]);
    expect(dataOf(records, 'ImportedRecordKept')).toContainEqual(
      expect.objectContaining({ kind: 'orphanResult', excerpt: 'from before' }),
    );
    expect(statusOf(stateOf(records))).toBe('waiting');
    expect(isAtRest(records)).toBe(true);
  });

  it('takes a rejection as a denial, and keeps the words that the model saw', async () => {
    const log = new WrittenLog();
    const words =
      "The user doesn't want to proceed with this tool use. The user said: use npm instead";
    log.user('Install it');
    log.call('msg_1', 'toolu_1', 'Bash', { command: 'yarn' });
    log.result('toolu_1', words, { is_error: true });
    log.text('msg_2', 'Then npm.');
    const { records, report } = await importWritten(folder, log);
    expect(report.rejected).toBe(1);
    expect(outcomesOf(records)).toEqual({ toolu_1: 'skipped denied' });
    expect(typesOf(records)).not.toContain('ToolCallStarted');
    expect(JSON.stringify(conversationOf(records))).toContain(words);
  });
});
