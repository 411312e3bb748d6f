import { describe, expect, it } from '@jest/globals';
import { validate } from '@holdfast/provider-rules';
import fc from 'fast-check';
import { built } from '../../test/context/built.js';
import { GeneratedSession, type Step, steps } from '../../test/context/generated-stream.js';
import { canonicalJson } from './canonical-json.js';
import { CONTEXT_FORMATS } from './format-names.js';
import { sourceFromRecords } from './source-from-records.js';

const DEPTH = 100;

describe('a fork of a fork, a hundred deep', () => {
  it('of a random history is valid in each format, and at its head reads what its parent reads', () => {
    fc.assert(
      fc.property(steps(20), steps(DEPTH), (first, more) => {
        let session = new GeneratedSession(false, 's0').play(first);
        for (let depth = 1; depth <= DEPTH; depth += 1) {
          session = new GeneratedSession(false, `s${depth}`, session.stream);
          const step: Step | undefined = more[depth];
          if (step !== undefined) session.play([step]);
        }
        const { records, sessionId } = session.stream;
        const source = sourceFromRecords(records, sessionId);
        const next = new GeneratedSession(false, 'next', session.stream).stream;
        const forked = sourceFromRecords(next.records, 'next');
        const isSettled = built(source).unresolved.length === 0;
        for (const format of CONTEXT_FORMATS) {
          const { messages } = built({ ...source, deliverNext: [] }, { format });
          if (format !== 'neutral') expect(validate(format, messages)).toEqual([]);
          const ofFork = built(forked, { format }).messages;
          expect(ofFork).toHaveLength(messages.length);
          if (isSettled) expect(canonicalJson(ofFork)).toBe(canonicalJson(messages));
        }
      }),
      { numRuns: 2 },
    );
  });
});
