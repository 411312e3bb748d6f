import { describe, expect, it } from '@jest/globals';
import { validate } from '@holdfast/provider-rules';
import fc from 'fast-check';
import { ERASED_PART } from '../../src/context/erased-parts.js';
import { CONTEXT_FORMATS } from '../../src/context/format-names.js';
import type { HistoryRecord } from '../../src/context/history-record.js';
import { sourceFromRecords } from '../../src/context/source-from-records.js';
import { eraseData } from '../../src/storage/sealed/event-seal.js';
import { built } from './built.js';
import { GeneratedSession, steps } from './generated-stream.js';
import { StreamBuilder } from './stream-builder.js';

const TREES = Number(process.env.ERASURE_TREES ?? 25);

/** As a store gives them that has lost the keys of these sessions. */
function without(records: readonly HistoryRecord[], erased: ReadonlySet<string>) {
  return records.map((record, place) => {
    const { sessionId, event } = record;
    const inherited = new Set(records.slice(0, place).map((each) => each.sessionId));
    const isDerived = event.type === 'Compacted' && [...inherited].some((id) => erased.has(id));
    if (!erased.has(sessionId) && !isDerived) return record;
    const data: unknown = JSON.parse(eraseData(JSON.stringify(event.data), event.type));
    return { ...record, event: { ...event, data } as typeof event };
  });
}

function textOf(records: readonly HistoryRecord[], sessionId: string): string {
  return JSON.stringify(built(sourceFromRecords(records, sessionId)).messages);
}

function spoken(): StreamBuilder {
  return new StreamBuilder('origin')
    .started()
    .facts({ factId: 'f', version: 1, kind: 'note', text: 'secret fact' })
    .input('u1', 'secret question')
    .answer('m1', { text: 'secret answer', calls: ['a'] })
    .done('a', 'secret result')
    .completed();
}

const forkOf = (parent: StreamBuilder, id: string) =>
  new StreamBuilder(id, parent.records).forked(parent);

describe('a fork whose origin was erased', () => {
  it('shows one marker in its place, and all of its own', () => {
    const fork = forkOf(spoken(), 'fork').input('u2', 'own question').answer('m2', { text: 'own' });
    const text = textOf(without(fork.records, new Set(['origin'])), 'fork');
    expect(text.split(ERASED_PART)).toHaveLength(2);
    expect(text).toMatch(/earlier part was erased.*own question.*own/);
    expect(text).not.toContain('secret');
  });

  it('shows its own events again that a summary of both had covered', () => {
    const fork = forkOf(spoken(), 'fork').input('u2', 'own question').answer('m2', { text: 'own' });
    const keptFrom = { sessionId: 'fork', revision: fork.revision + 1 };
    const range = {
      coveredFrom: { sessionId: 'origin', revision: 0 },
      coveredTo: { sessionId: 'fork', revision: fork.revision },
      keptFrom,
      openCalls: [],
    };
    fork.input('u3', 'later question').compacted('c', range, 'secret summary');
    expect(textOf(fork.records, 'fork')).toContain('secret summary');
    const text = textOf(without(fork.records, new Set(['origin'])), 'fork');
    expect(text).toMatch(/earlier part was erased.*own question.*later question/);
    expect(text).not.toContain('secret');
  });

  it('leaves no marker where nothing was said', () => {
    const silent = new StreamBuilder('origin').started();
    const fork = forkOf(silent, 'fork').input('u2', 'own question');
    const text = textOf(without(fork.records, new Set(['origin'])), 'fork');
    expect(text).not.toContain(ERASED_PART);
  });
});

describe('any fork of forks, any of them erased', () => {
  it(`is valid in each format, and one marker a part (${TREES} of them)`, () => {
    const levels = fc.array(fc.tuple(steps(8), fc.boolean()), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(levels, steps(8), (ancestors, last) => {
        let session: GeneratedSession | undefined;
        for (const [depth, [more]] of ancestors.entries()) {
          session = new GeneratedSession(false, `s${depth}`, session?.stream).play(more);
        }
        session = new GeneratedSession(false, 'last', session?.stream).play(last);
        const erased = new Set(ancestors.flatMap(([, gone], at) => (gone ? [`s${at}`] : [])));
        const records = without(session.stream.records, erased);
        for (const format of CONTEXT_FORMATS) {
          const { messages } = built(sourceFromRecords(records, 'last'), { format });
          if (format !== 'neutral') expect(validate(format, messages)).toEqual([]);
          const markers = JSON.stringify(messages).split(ERASED_PART).length - 1;
          expect(markers).toBeLessThanOrEqual(erased.size);
        }
      }),
      { numRuns: TREES },
    );
  });
});
