import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '@holdfast/provider-rules';
import { describe, expect, it } from '@jest/globals';
import { CONTEXT_FORMATS, type ContextFormat } from '../../src/context/format-names.js';
import type { ContextSource } from '../../src/context/context-source.js';
import type { HistoryRecord } from '../../src/context/history-record.js';
import { sourceFromRecords } from '../../src/context/source-from-records.js';
import { ImportedStore, SAMPLES } from '../import/imported-store.js';
import { built } from './built.js';

/** A release is checked with `EVERY_PREFIX=1`: each prefix of each session, not some of them. */
const prefixesPerSession = process.env.EVERY_PREFIX === '1' ? Infinity : 8;

const CLAUDE_CODE = join(SAMPLES, 'claude-code');
const files = readdirSync(CLAUDE_CODE).filter((name) => !name.startsWith('fixture-'));

async function sessionsOf(file: string): Promise<readonly (readonly HistoryRecord[])[]> {
  const store = new ImportedStore();
  const { logs } = await store.import(join(CLAUDE_CODE, file));
  return Promise.all(logs.map(({ sessionId }) => store.records(sessionId)));
}

/** All lengths, or as many, and always those of the last events, where a log breaks off. */
function lengthsOf(records: readonly HistoryRecord[]): readonly number[] {
  const step = Math.max(1, Math.ceil(records.length / prefixesPerSession));
  const lengths = Array.from({ length: records.length + 1 }, (_, length) => length);
  return lengths.filter((length) => length % step === 0 || length > records.length - 3);
}

/** What a provider would refuse; the neutral form has no rules, but a result for every call. */
function faultsOf(source: ContextSource, format: ContextFormat): readonly unknown[] {
  const { messages } = built(source, { format, instructions: 'Be brief.', now: '2026-06-05' });
  return format === 'neutral' ? unanswered(messages) : validate(format, messages);
}

interface NeutralMessage {
  readonly role: string;
  readonly callId?: unknown;
  readonly content?: unknown;
}

function unanswered(messages: readonly NeutralMessage[]): readonly unknown[] {
  const answered = new Set(messages.map(({ callId }) => callId));
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => content as { readonly type: string; readonly callId?: string }[])
    .filter(({ type, callId }) => type === 'toolCall' && !answered.has(callId));
}

describe('for the prefixes of every real session', () => {
  it.each(files)('%s gives a valid context in each format', async (file) => {
    let contexts = 0;
    for (const records of await sessionsOf(file)) {
      for (const length of lengthsOf(records)) {
        const source = sourceFromRecords(records.slice(0, length), records[0]!.sessionId);
        for (const format of CONTEXT_FORMATS) {
          const faults = faultsOf(source, format);
          if (faults.length > 0) expect({ length, format, faults }).toEqual({ faults: [] });
          contexts += 1;
        }
      }
    }
    expect(contexts).toBeGreaterThan(CONTEXT_FORMATS.length * 5);
  });
});
