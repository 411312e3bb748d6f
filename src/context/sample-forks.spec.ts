import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { validate } from '@holdfast/provider-rules';
import { type WireMessage, built } from '../../test/context/built.js';
import { ImportedStore, SAMPLES } from '../../test/import/imported-store.js';
import { forkedFrom } from '../domain/forked.js';
import { canonicalJson } from './canonical-json.js';
import { CONTEXT_FORMATS } from './format-names.js';
import type { HistoryRecord } from './history-record.js';
import { sourceFromRecords, stateFromRecords } from './source-from-records.js';

jest.setTimeout(600_000);

const FOLDER = join(SAMPLES, 'claude-code');
/** Of a long log so many cuts, evenly spread; `HOLDFAST_TEST_CUTS=all` takes every one. */
const CUTS_MAX = process.env['HOLDFAST_TEST_CUTS'] === 'all' ? Infinity : 4;

/** Every session of every sample, as it was imported. */
async function sessionsOf(file: string): Promise<(readonly HistoryRecord[])[]> {
  const store = new ImportedStore();
  await store.import(join(FOLDER, file));
  const all = await store.everything();
  const ids = new Set(all.map(({ sessionId }) => sessionId));
  return [...ids].map((id) => all.filter(({ sessionId }) => sessionId === id));
}

function cutsOf(length: number): readonly number[] {
  const step = Math.max(1, length / CUTS_MAX);
  const cuts = Array.from({ length: Math.min(length, CUTS_MAX) }, (_, index) =>
    Math.floor(index * step),
  );
  return [...new Set([...cuts, length - 1])];
}

/** The records of a fork whose last inherited event is the last of these. */
function forkOf(inherited: readonly HistoryRecord[], sessionId: string): readonly HistoryRecord[] {
  const state = stateFromRecords(inherited, sessionId);
  const fork = { forkId: 'fork', recoveryMode: 'auto' } as const;
  const data = forkedFrom(state, state, fork, '2026-01-05T09:00:00.000Z');
  const event = { type: 'Forked', data } as const;
  return [...inherited, { sessionId: 'fork', revision: 0, event }];
}

const withoutDeliveries = (records: readonly HistoryRecord[], sessionId: string) => ({
  ...sourceFromRecords(records, sessionId),
  deliverNext: [],
});

/** Results may differ only where a call has no outcome: these are the fork's placeholders. */
function expectSameBut(
  fork: readonly WireMessage[],
  parent: readonly WireMessage[],
  unresolved: ReadonlySet<string>,
): void {
  expect(fork).toHaveLength(parent.length);
  fork.forEach((message, place) => {
    const isPlaceholder = message.role === 'tool' && unresolved.has(String(message['callId']));
    if (!isPlaceholder) expect(canonicalJson(message)).toBe(canonicalJson(parent[place]));
  });
}

const files = readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl'));

describe('a fork of a real log, at every cut', () => {
  it.each(files)('of %s is valid in each format, and reads what its parent reads', async (file) => {
    let cuts = 0;
    for (const records of await sessionsOf(file)) {
      const { sessionId } = records[0]!;
      for (const cut of cutsOf(records.length)) {
        cuts += 1;
        const inherited = records.slice(0, cut + 1);
        const parent = withoutDeliveries(inherited, sessionId);
        const fork = sourceFromRecords(forkOf(inherited, sessionId), 'fork');
        const open = built(parent, { format: 'neutral' }).unresolved;
        for (const format of CONTEXT_FORMATS) {
          const ofFork = built(fork, { format });
          if (format !== 'neutral') expect(validate(format, ofFork.messages)).toEqual([]);
          const { messages } = built(parent, { format });
          expect(ofFork.messages).toHaveLength(messages.length);
          if (open.length === 0) {
            expect(canonicalJson(ofFork.messages)).toBe(canonicalJson(messages));
          } else if (format === 'neutral') {
            expectSameBut(ofFork.messages, messages, new Set(open.map(({ callId }) => callId)));
          }
        }
      }
    }
    expect(cuts).toBeGreaterThan(0);
  });
});
