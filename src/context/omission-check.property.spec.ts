import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { labelled } from '../../test/omission/labelled-set.js';
import type { CoveredText } from './covered-texts.js';
import { OMISSIONS_MAX, omissions } from './omission-check.js';

const examples = ['english.json', 'chinese.json', 'real.json'].flatMap(labelled);
const sentences = examples.flatMap(({ covered }) => covered.map(([, text]) => text));
const PIECES = [
  '120.00 EUR',
  '/etc/app.conf',
  'C:\\a\\b.txt',
  'never',
  '不要',
  '#12',
  'v1.2',
  '`',
  '```',
  '\n',
  '2026-11-30',
  '年',
  '月',
  '3',
  '万元',
  'https://',
  '.',
  '-',
  ' ',
  '１',
  '\ud800',
  '"',
];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.constantFrom(...sentences),
);
const covered: fc.Arbitrary<CoveredText[]> = fc.array(
  fc.record({ by: fc.constantFrom('user', 'assistant', 'summary'), text }),
  { maxLength: 6 },
);

describe('the omission check, for any texts', () => {
  it('answers the same each time, and no more than its limit', () => {
    fc.assert(
      fc.property(covered, text, fc.array(text, { maxLength: 3 }), (said, summary, facts) => {
        const answer = omissions({ covered: said, summary, facts });
        expect(omissions({ covered: said, summary, facts })).toEqual(answer);
        expect(answer.entries.length).toBeLessThanOrEqual(OMISSIONS_MAX);
        for (const entry of answer.entries) expect(entry.text.length).toBeLessThanOrEqual(1_100);
      }),
      { numRuns: 150 },
    );
  });

  it('never lists what stands in the summary or in a fact', () => {
    fc.assert(
      fc.property(covered, fc.boolean(), (said, isFact) => {
        const { entries } = omissions({ covered: said, summary: '', facts: [] });
        const kept = entries.map(({ text: words }) => words);
        const summary = isFact ? '' : `Kept: ${kept.join('\n')}`;
        const answer = omissions({ covered: said, summary, facts: isFact ? kept : [] });
        expect(answer.entries).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('lists nothing if the summary is the covered text', () => {
    fc.assert(
      fc.property(covered, (said) => {
        const summary = said.map((one) => one.text).join('\n\n');
        expect(omissions({ covered: said, summary, facts: [] }).entries).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the omission check on hostile texts', () => {
  const SIZE = 100_000;
  const hostile = [
    '1',
    '1,',
    '1.1',
    'a/',
    'a.',
    '.-',
    '一',
    '不要',
    '1 ',
    '`',
    '```',
    'never ',
    'do not ',
    'a_',
    'A-1',
    'aB',
    '2026-',
    '12:',
    '$1',
    '\\\\',
    'http://',
    '@a.',
    'a\n',
    'x. ',
    '年月',
  ];

  it.each(hostile)('reads 100,000 characters of %j in time that grows linearly', (piece) => {
    const long = piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
    const took = [SIZE / 4, SIZE].map((length) => {
      const started = performance.now();
      const said = long.slice(0, length);
      omissions({ covered: [{ by: 'user', text: said }], summary: said.slice(1), facts: [] });
      return performance.now() - started;
    });
    // Quadratic work would take 16 times as long; small times are noise.
    expect(took[1]! < 1_000 || took[1]! < 10 * took[0]!).toBe(true);
  });

  it('cuts a list that nobody would read, and says by how much', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `order ${10_000 + index}`).join('; ');
    const answer = omissions({ covered: [{ by: 'user', text: many }], summary: '', facts: [] });
    expect(answer.entries).toHaveLength(OMISSIONS_MAX);
    expect(answer.cut).toBe(1_000 - OMISSIONS_MAX);
  });
});
