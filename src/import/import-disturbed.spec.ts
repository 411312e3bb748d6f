import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ImportedStore, SAMPLES } from '../../test/import/imported-store.js';
import { LogFolder } from '../../test/import/written-log.js';
import { endState } from '../../test/import/what-was-imported.js';
import { type AppendOutcome, AppendUnknownError, type EventStore } from '../storage/event-store.js';
import { MemoryEventStore } from '../storage/memory/memory-event-store.js';
import type { ImportProgress } from './import-file.js';

const TINY = join(SAMPLES, 'claude-code/real-tiny.jsonl');

/** A store whose appends are disturbed. */
function disturbed(
  disturb: (append: () => Promise<AppendOutcome>, count: number) => Promise<AppendOutcome>,
): EventStore {
  let count = 0;
  return new Proxy(new MemoryEventStore(), {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name !== 'append') return member.bind(target) as unknown;
      return (...args: Parameters<EventStore['append']>) =>
        disturb(() => target.append(...args), (count += 1));
    },
  });
}

describe('disturbed imports', () => {
  it('go on where they were broken off, as if nothing had happened', async () => {
    const file = join(SAMPLES, 'claude-code/real-interrupts4.jsonl');
    const calm = new ImportedStore();
    const sessionId = (await calm.import(file)).logs[0]!.sessionId;
    const expected = endState(await calm.records(sessionId));
    for (const brokenAt of [1, 2, 3]) {
      const store = new ImportedStore(
        disturbed((append, count) => {
          if (count === brokenAt) throw new Error('the process is gone');
          return append();
        }),
      );
      await expect(store.import(file)).rejects.toThrow('the process is gone');
      await store.import(file);
      expect(endState(await store.records(sessionId))).toEqual(expected);
    }
  }, 60_000);

  it.each(['plain', 'compressed'])(
    'end where who hears of their progress says so, and go on from there: %s',
    async (kind) => {
      const whole = readFileSync(join(SAMPLES, 'claude-code/real-4mb-compacted.jsonl'));
      const large = whole.subarray(0, whole.indexOf('\n', 2_400_000) + 1);
      // So that it is read in many pieces when it is compressed, too.
      const content = kind === 'plain' ? large : gzipSync(large, { level: 0 });
      const folder = new LogFolder();
      const file = folder.write('log.jsonl', content);
      const store = new ImportedStore();
      let imported = 0;
      const onProgress = ({ phase }: ImportProgress): void => {
        if (phase === 'import' && (imported += 1) === 8) throw new Error('that is enough');
      };
      await expect(store.import(file, { onProgress })).rejects.toThrow('that is enough');
      const before = (await store.everything()).length;
      expect(before).toBeGreaterThan(0);
      const { events_appended: after } = await store.import(file);
      expect(after).toBeGreaterThan(0);
      const calm = new ImportedStore();
      expect((await calm.import(file)).events_appended).toBe(before + after);
      folder.remove();
    },
    60_000,
  );

  it('settle an append of unknown outcome by sending the same again', async () => {
    const store = new ImportedStore(
      disturbed(async (append, count) => {
        const outcome = await append();
        if (count % 2 === 1) throw new AppendUnknownError('the answer was lost');
        return outcome;
      }),
    );
    const calm = new ImportedStore();
    const { logs } = await calm.import(TINY);
    const { events_appended } = await store.import(TINY);
    expect(events_appended).toBe(logs[0]!.events_appended);
    expect(endState(await store.records(logs[0]!.sessionId))).toEqual(
      endState(await calm.records(logs[0]!.sessionId)),
    );
  });

  it('two at once add each record once', async () => {
    const store = new ImportedStore();
    const file = join(SAMPLES, 'claude-code/real-two-session-ids.jsonl');
    const reports = await Promise.all([store.import(file), store.import(file)]);
    const calm = new ImportedStore();
    const { logs, events_appended } = await calm.import(file);
    const records = await store.records(logs[0]!.sessionId);
    expect(endState(records)).toEqual(endState(await calm.records(logs[0]!.sessionId)));
    expect(reports[0].events_appended + reports[1].events_appended).toBe(records.length);
    expect(records.length).toBe(events_appended);
  }, 60_000);
});
