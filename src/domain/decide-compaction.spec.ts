import { describe, expect, it } from '@jest/globals';
import { claimRun, startModelCall, stopRun } from '../../test/support/commands.js';
import { callIn, ownedSession } from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import {
  commitCompaction,
  failCompaction,
  startCompaction,
} from '../../test/support/settling-commands.js';

const again = startCompaction({ compactionId: 'compaction-2' });

describe('a compaction', () => {
  it('moves the watermark when it is complete, and not before', () => {
    const started = given(ownedSession()).when(startCompaction());
    expect(started.short).toEqual(['CompactionStarted']);
    expect(started.state.watermark).toBeUndefined();
    const done = given(ownedSession()).when(startCompaction(), commitCompaction());
    expect(done.short).toEqual(['Compacted']);
    expect(done.outcome).toMatchObject([{ data: { tokensBefore: 1_000, tokensAfter: 400 } }]);
    expect(done.state.watermark).toEqual({
      compactionId: 'compaction-1',
      at: { sessionId: 'session-1', revision: 5 },
      keptFrom: { sessionId: 'session-1', revision: 4 },
    });
  });

  it('that fails hides nothing, and another one may follow', () => {
    const failed = given(ownedSession()).when(startCompaction(), failCompaction());
    expect(failed.short).toEqual(['CompactionFailed(workerError)']);
    expect(failed.state.watermark).toBeUndefined();
    const second = given(ownedSession()).when(startCompaction(), failCompaction(), again);
    expect(second.short).toEqual(['CompactionStarted']);
  });

  it('that frees less than a tenth has failed', () => {
    const little = commitCompaction({ tokensAfter: 901 });
    const committed = given(ownedSession()).when(startCompaction(), little);
    expect(committed.short).toEqual(['CompactionFailed(freedTooLittle)']);
    expect(committed.state.watermark).toBeUndefined();
    const enough = commitCompaction({ tokensAfter: 900 });
    expect(given(ownedSession()).when(startCompaction(), enough).short).toEqual(['Compacted']);
  });

  it('is made one at a time, and not again before a model call has used it', () => {
    expect(given(ownedSession()).when(startCompaction(), again).outcome).toBe('compaction_open');
    const done = [startCompaction(), commitCompaction()];
    expect(given(ownedSession()).when(...done, again).outcome).toBe('nothing_to_compact');
    expect(given(ownedSession()).when(...done, startModelCall(), again).short).toEqual([
      'CompactionStarted',
    ]);
  });

  it('works on a log with open calls', () => {
    expect(given(callIn('unknown', 'opaqueWrite')).when(startCompaction()).short).toEqual([
      'CompactionStarted',
    ]);
  });

  it('is for the owner only, and over after a stop', () => {
    const other = claimRun({ claimTokenHash: 'token-2' });
    expect(given(ownedSession()).when(other, startCompaction()).outcome).toBe('stale_epoch');
    expect(given(ownedSession()).when(stopRun(), startCompaction()).outcome).toBe('run_stopped');
    const stopping = given(ownedSession()).when(startCompaction(), stopRun(), commitCompaction());
    expect(stopping.outcome).toBe('run_stopped');
    const failed = given(ownedSession()).when(startCompaction(), stopRun(), failCompaction());
    expect(failed.short).toEqual(['CompactionFailed(workerError)']);
  });

  it('that is not open can be neither committed nor failed', () => {
    expect(given(ownedSession()).when(commitCompaction()).outcome).toBe('not_found');
    expect(given(ownedSession()).when(failCompaction()).outcome).toBe('not_found');
    const used = startCompaction({ commandId: 'key', compactionId: 'run-1' });
    expect(given(ownedSession()).when(used).outcome).toBe('id_in_use');
  });
});
