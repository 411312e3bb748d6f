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

  // Quadratic work on a text of this length would run into the limit that finds hangs.
  it.each(hostile)('gets through 100,000 characters of %j', (piece) => {
    const said = piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
    const covered = [{ by: 'user' as const, text: said }];
    const { entries } = omissions({ covered, summary: said.slice(1), facts: [] });
    expect(entries.length).toBeLessThanOrEqual(OMISSIONS_MAX);
  });

  it('cuts a list that nobody would read, and says by how much', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `order ${10_000 + index}`).join('; ');
    const answer = omissions({ covered: [{ by: 'user', text: many }], summary: '', facts: [] });
    expect(answer.entries).toHaveLength(OMISSIONS_MAX);
    expect(answer.cut).toBe(1_000 - OMISSIONS_MAX);
  });
});
