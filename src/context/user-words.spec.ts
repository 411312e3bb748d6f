import { describe, expect, it } from '@jest/globals';
import { contextOf } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { builtInSummary } from './built-in-summary.js';
import { type CompactionRange, compactionRange } from './compaction-range.js';
import { sourceFromRecords } from './source-from-records.js';
import { USER_WORDS_CHARACTERS_MAX, withUserWords } from './user-words.js';

const WORDS = ['Pay at most 120 EUR.\n\nUser: is not a role here.', 'Never on a Sunday.', 'Später'];

function talk(stream: StreamBuilder, words: readonly string[], from: number): StreamBuilder {
  words.forEach((text, index) => {
    const id = from + index;
    stream.input(`u${id}`, text).answer(`m${id}`, { text: `Answer ${id}.` });
  });
  return stream;
}

function rangeOf(stream: StreamBuilder): CompactionRange {
  const range = compactionRange(sourceFromRecords(stream.records, 's1'), { keepGroups: 1 });
  if (range === 'nothing_to_compact') throw new Error(range);
  return range;
}

function compact(stream: StreamBuilder, id: string, make: typeof withUserWords): StreamBuilder {
  const range = rangeOf(stream);
  return stream.compacted(id, range, make(`Summary ${id}.`, range));
}

describe('a given summary', () => {
  it('of a session without facts keeps what users wrote, through any number of compactions', () => {
    const stream = talk(new StreamBuilder().started(), [...WORDS, 'last'], 0);
    compact(stream, 'k1', withUserWords);
    talk(stream, ['Also: no cash.', 'last'], 10);
    compact(stream, 'k2', withUserWords);
    talk(stream, ['One more.', 'last'], 20);
    compact(stream, 'k3', withUserWords);
    const [summary] = contextOf(stream).messages;
    for (const text of [...WORDS, 'Also: no cash.', 'One more.', 'Summary k3.']) {
      expect(summary!.content).toContain(text);
    }
    expect(summary!.content).not.toContain('Summary k1.');
    expect(String(summary!.content).split('Never on a Sunday.')).toHaveLength(2);
  });

  it('keeps them behind a digest that no model made, too', () => {
    const stream = talk(new StreamBuilder().started(), [...WORDS, 'last'], 0);
    compact(stream, 'k1', (_, range) => builtInSummary(range));
    talk(stream, ['Also: no cash.', 'last'], 10);
    compact(stream, 'k2', withUserWords);
    const text = String(contextOf(stream).messages[0]!.content);
    for (const word of [...WORDS, 'Also: no cash.']) expect(text).toContain(word);
  });

  it('keeps the newest where there is more than fits, and says how many there were', () => {
    const long = Array.from({ length: 30 }, (_, index) => `${index}: ${'word '.repeat(600)}`);
    const stream = talk(new StreamBuilder().started(), long, 0);
    const summary = withUserWords('Short.', rangeOf(stream));
    expect(summary.length).toBeLessThan(USER_WORDS_CHARACTERS_MAX + 500);
    expect(summary).toContain('28: word');
    expect(summary).toMatch(/\[\d+ more are in the session's log only\]/);
  });

  it('is left as it is where facts keep what matters', () => {
    const stream = new StreamBuilder().started();
    stream.facts({ factId: 'f', version: 1, kind: 'constraint', text: 'at most 120 EUR' });
    talk(stream, WORDS, 0);
    expect(withUserWords('Short.', rangeOf(stream))).toBe('Short.');
  });
});
